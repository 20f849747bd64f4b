/*
 * Preloaded into a process: counts what it asks the disk to make sure of. SWL_SYNC_COUNT names a file that grows by one
 * byte with every fsync or fdatasync, after it succeeded. SWL_SYNC_KILL=n kills the process before its n-th sync (from
 * 0), with SWL_SYNC_AFTER set after it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static long calls;

static int counted(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *kill_at = getenv("SWL_SYNC_KILL");
  const char *count = getenv("SWL_SYNC_COUNT");
  int here = kill_at != NULL && atol(kill_at) == calls;
  calls += 1;
  if (here && getenv("SWL_SYNC_AFTER") == NULL) kill(getpid(), SIGKILL);
  int result = real(fd);
  if (here) kill(getpid(), SIGKILL);
  if (result == 0 && count != NULL) {
    int log = open(count, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log >= 0) {
      if (write(log, ".", 1) != 1) result = -1;
      close(log);
    }
  }
  return result;
}

int fsync(int fd) { return counted("fsync", fd); }

int fdatasync(int fd) { return counted("fdatasync", fd); }
