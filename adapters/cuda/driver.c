/* Loading the CUDA driver, and what it says when it refuses something. */
#include "driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CUDA_NAME(name, exported, parameters) exported,
const cuda_names grazei_cuda_names = {CUDA_ENTRIES(CUDA_NAME)};
#undef CUDA_NAME

graze_status grazei_cuda_fail(graze_error *error, graze_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

graze_status grazei_cuda_check(const cuda_driver *driver, cuda_result result, const char *call,
                               graze_error *error)
{
    if (result == 0)
        return GRAZE_OK;
    const char *text = NULL;
    if (driver->error_text(result, &text) || !text)
        text = "an error that the driver has no text for";
    return grazei_cuda_fail(error,
                            result == CUDA_OUT_OF_MEMORY ? GRAZE_OUT_OF_MEMORY : GRAZE_UNSUPPORTED,
                            "CUDA, %s: %s (%d)", call, text, result);
}

/* A function's address as the pointer that the table has; both are of one size where there is
 * dlsym.
 */
static bool find(void *library, const char *name, void *pointer)
{
    void *address = dlsym(library, name);
    memcpy(pointer, &address, sizeof address);
    return address != NULL;
}

graze_status grazei_cuda_driver_load(const char *library, cuda_driver *driver, graze_error *error)
{
    memset(driver, 0, sizeof *driver);
    driver->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!driver->library)
        return grazei_cuda_fail(error, GRAZE_UNSUPPORTED, "there is no CUDA driver: %s", dlerror());
    const char *missing = NULL;
#define CUDA_FIND(name, exported, parameters)                                                      \
    if (!missing && !find(driver->library, exported, &driver->name))                               \
        missing = exported;
    CUDA_ENTRIES(CUDA_FIND)
#undef CUDA_FIND
    if (!missing)
        return GRAZE_OK;
    grazei_cuda_driver_unload(driver);
    return grazei_cuda_fail(error, GRAZE_UNSUPPORTED, "the CUDA driver is too old: it has no %s",
                            missing);
}

void grazei_cuda_driver_unload(cuda_driver *driver)
{
    if (driver->library)
        dlclose(driver->library);
    driver->library = NULL;
}
