/* Names in the audit's table: what all begin with is left out, and no two look the same. */
#include "cli/audit_names.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static item_list list_of_names(const char *const *names)
{
    item_list list = {NULL, 0, 0};
    for (int i = 0; i < MOST && names[i]; i++)
        list_add(&list, &names[i], 1, sizeof *names);
    audit_names_sort(&list);
    return list;
}

TEST(what_is_left_out_in_front)
{
    static const struct {
        const char *names[MOST], *prefix;
    } rows[] = {
        {{"mixamorig:Hips", "mixamorig:LeftArm"}, "mixamorig:"},
        {{"mixamorigHips", "mixamorigLeftArm", "mixamorigSpine", "mixamorigHead"}, "mixamorig"},
        {{"Skeleton_arm_1", "Skeleton_leg_2", "Skeleton_neck", "Skeleton_hip", "tail"},
         "Skeleton_"},
        {{"b_Hip_01", "b_LeftLeg01", "b_Neck", "b_Tail", "b_Tail"}, "b_"},
        {{"a:b:Hips", "a:b:Head"}, "a:b:"},
        /* What is left would not say what it is. */
        {{"Arm_Left", "Arm_Right", "Arm_Left_1", "Arm_Right_1"}, ""},
        {{"LeftArm", "LeftHand", "LeftLeg", "LeftFoot"}, ""},
        {{"leg_1", "leg_2", "leg_3", "leg_4", "leg_5"}, ""},
        {{"L_Arm", "L_Hand", "L_Thigh", "L_Foot"}, ""},
        /* Too few have it, or two would be alike. */
        {{"upper_arm", "upper_leg"}, ""},
        {{"x_arm", "x_leg", "hip", "head", "tail", "x_neck"}, ""},
        {{"x_arm", "x_leg", "x_hip", "x_head", "arm"}, ""},
        {{"rig:arm", "rig:leg", "arm"}, ""},
        {{"a:", "a:b", "a:c"}, ""},
        {{NULL}, ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        item_list names = list_of_names(rows[i].names);
        const char *with;
        size_t length = audit_names_prefix(&names, &with);
        CHECK_MSG(length == strlen(rows[i].prefix) && strncmp(with, rows[i].prefix, length) == 0,
                  "row %zu: %.*s", i, (int)length, with);
        list_free(&names);
    }
    CHECK(strcmp(audit_name_rest("a:x", "a:y", 2), "x") == 0);
    CHECK(strcmp(audit_name_rest("b:x", "a:y", 2), "b:x") == 0);
}

TEST(no_two_are_cut_alike)
{
    static const char *const rows[][MOST] = {
        {"upper_arm_twist_left", "upper_arm_thick_left"},
        {"abcdefghijklmnopqrstuvwxyz1abcdefghijklmnop",
         "abcdefghijklmnopqrstuvwxyz2abcdefghijklmnop"},
        {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
         "arm"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        item_list names = list_of_names(rows[i]);
        size_t most = audit_names_cut(&names, 9);
        char *cut[2];
        for (int k = 0; k < 2; k++) {
            cut[k] = audit_name_short(rows[i][k], most);
            CHECK(strlen(cut[k]) <= most && ((unsigned char)cut[k][0] & 0xc0) != 0x80);
            CHECK(strlen(rows[i][k]) > most ? strstr(cut[k], "..") != NULL
                                            : strcmp(cut[k], rows[i][k]) == 0);
        }
        CHECK_MSG(strcmp(cut[0], cut[1]) != 0, "%s, %s", cut[0], cut[1]);
        free(cut[0]);
        free(cut[1]);
        list_free(&names);
    }
    CHECK(audit_name_width("\xc3\xa9t\xc3\xa9") == 3);
}
