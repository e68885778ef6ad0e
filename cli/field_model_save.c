#include "cli/field_model.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/gltf.h>

void field_model_number(field_model *model, const char *before, double number)
{
    char text[32];
    fprintf(model->text, "%s%s", before, format_number(text, number));
}

bool field_model_save(const field_model *model, const char *path)
{
    graze_error error;
    output_begin_file(path);
    graze_status status = graze_gltf_save(model->rig, path, &error);
    output_end_file();
    if (status)
        fail_usage("%s", error.text);
    return !status;
}
