#include "support/locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool locale_with_comma(void)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return true;
    char folder[] = "localeXXXXXX", place[4096];
    if (!mkdtemp(folder) || !getcwd(place, sizeof place - 64))
        return false;
    char command[16384], path[8192];
    bool ok = snprintf(command, sizeof command,
                       "localedef -i de_DE -f UTF-8 '%s/%s/de_DE.UTF-8' >/dev/null 2>&1", place,
                       folder) < (int)sizeof command &&
              system(command) == 0;
    snprintf(path, sizeof path, "%s/%s", place, folder);
    setenv("LOCPATH", path, 1);
    ok = ok && setlocale(LC_NUMERIC, "de_DE.UTF-8");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    return system(command) == 0 && ok;
}
