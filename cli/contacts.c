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

void contacts_print_json(const graze_contacts *contacts)
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
        printf(",\"groups\":[%u,%u]}", contact->groups[0], contact->groups[1]);
    }
    fputs("],", stdout);
}

void contacts_print(const graze_contacts *contacts)
{
    for (uint32_t i = 0; i < graze_contacts_count(contacts); i++) {
        const graze_contact *c = graze_contacts_get(contacts, i);
        printf("  contact at %.4g %.4g %.4g  normal %.3f %.3f %.3f  depth %.4g  %u pairs  parts %u "
               "and %u\n",
               (double)c->point[0], (double)c->point[1], (double)c->point[2], (double)c->normal[0],
               (double)c->normal[1], (double)c->normal[2], (double)c->depth, c->count, c->groups[0],
               c->groups[1]);
    }
}
