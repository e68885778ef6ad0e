#include "cli/output.h"

#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int reason; /* errno of the first write that failed */

/* A standard stream that is closed would lend its number to the next file that is opened, and what
 * is printed would go there. Opened the wrong way round it fails, as it should.
 */
static void fill_closed_streams(void)
{
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(2);
}

void output_start(void)
{
    fill_closed_streams();
    /* Whoever started us may have ignored it, and every print would fail in turn. */
    signal(SIGPIPE, SIG_DFL);
}

bool output_flush(void)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    if ((failed || ferror(stdout)) && !reason)
        reason = errno ? errno : EIO;
    return reason == 0;
}

int output_finish(int code)
{
    if (output_flush() || code == 2)
        return code;
    return fail_usage("standard output could not be written: %s", strerror(reason));
}
