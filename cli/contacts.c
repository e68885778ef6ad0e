#include "cli/contacts.h"

#include "cli/options.h"
#include "cli/print.h"

#include <stdio.h>

bool contacts_open(graze_contacts **contacts, const graze_model *a, const graze_model *b)
{
    graze_error error;
    if (!graze_contacts_create(a, b, NULL, contacts, &error))
        return true;
    fail_usage("%s", error.text);
    return false;
}

bool contacts_take(graze_contacts *contacts, graze_body *a, graze_body *b, const pair_list *pairs,
                   graze_stats *stats)
{
    graze_error error;
    if (pairs->failed ||
        !graze_contacts_from_pairs(contacts, a, b, pairs->pairs, pairs->count, stats, &error))
        return true;
    fail_usage("%s", error.text);
    return false;
}

static void print_vector(const char *name, const float vector[3])
{
    printf("\"%s\":[", name);
    for (int k = 0; k < 3; k++) {
        fputs(k ? "," : "", stdout);
        print_json_float(vector[k]);
    }
    fputs("],", stdout);
}

static const char *part_of(const graze_contact *contact, const struct character_pair *characters,
                           int side)
{
    return part_name(characters->of[side], contact->groups[side]);
}

void contacts_print_json(const graze_contacts *contacts, const struct character_pair *characters)
{
    fputs("\"contacts\":[", stdout);
    for (uint32_t i = 0; i < graze_contacts_count(contacts); i++) {
        const graze_contact *contact = graze_contacts_get(contacts, i);
        fputs(i ? ",{" : "{", stdout);
        print_vector("point", contact->point);
        print_vector("normal", contact->normal);
        fputs("\"depth\":", stdout);
        print_json_float(contact->depth);
        printf(",\"pairs\":%u,\"length\":", contact->count);
        print_json_float(contact->length);
        printf(",\"groups\":[%u,%u],\"parts\":[", contact->groups[0], contact->groups[1]);
        print_json_string(part_of(contact, characters, 0));
        putchar(',');
        print_json_string(part_of(contact, characters, 1));
        fputs("]}", stdout);
    }
    fputs("],", stdout);
}

void contacts_print(const graze_contacts *contacts, const struct character_pair *characters)
{
    for (uint32_t i = 0; i < graze_contacts_count(contacts); i++) {
        const graze_contact *c = graze_contacts_get(contacts, i);
        printf("  contact at %.4g %.4g %.4g  normal %.3f %.3f %.3f  depth %.4g  %u pairs  parts %s "
               "and %s\n",
               (double)c->point[0], (double)c->point[1], (double)c->point[2], (double)c->normal[0],
               (double)c->normal[1], (double)c->normal[2], (double)c->depth, c->count,
               part_of(c, characters, 0), part_of(c, characters, 1));
    }
}

void contacts_write(const graze_contacts *contacts, const struct character_pair *characters,
                    struct csv *csv, uint32_t frame, double time)
{
    for (uint32_t i = 0; i < graze_contacts_count(contacts); i++) {
        const graze_contact *contact = graze_contacts_get(contacts, i);
        csv_count(csv, frame);
        csv_number(csv, time);
        csv_floats(csv, contact->point, 3);
        csv_floats(csv, contact->normal, 3);
        csv_floats(csv, &contact->depth, 1);
        csv_count(csv, contact->count);
        csv_floats(csv, &contact->length, 1);
        csv_text(csv, part_of(contact, characters, 0));
        csv_text(csv, part_of(contact, characters, 1));
        csv_end_row(csv);
    }
}
