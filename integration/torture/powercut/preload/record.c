/*
 * Records what a process does to the files of one folder, and lets chosen calls
 * fail. Loaded by LD_PRELOAD into a program that is linked dynamically.
 *
 * It does not replace functions of libc, since a Go program makes most of its
 * calls without them. A seccomp filter turns the calls of interest into a
 * signal, whose handler makes the call through a trampoline that the filter
 * knows, and writes down what happened. So nothing of the program is missed,
 * and the order in the log is the order of the calls: one lock is held over a
 * call and its record. A sync has two records, and no lock between them: what
 * was written before the first is durable after the second.
 *
 * Writes through mappings are not seen. SQLite makes them to its shared-memory
 * file alone, which nobody needs after a crash.
 *
 * Environment: TORTURE_DATA is the folder, TORTURE_LOG the file to append to,
 * TORTURE_FAULTS the file with the faults (see struct control); the last two
 * may be missing. Reads can fail only where TORTURE_READS is set.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trap.h"

/* What a record is of. Package powercut has the same numbers. */
enum kind {
	CREATE = 1, OPEN, WRITE, TRUNCATE, ALLOCATE, SYNC_BEGIN, SYNC_END, UNLINK, RENAME, MKDIR, ANSWER, LINK, READ,
	CHANGE, /* of a fault: any call but OPEN and READ */
};

struct record {
	uint32_t kind, path_len;
	uint64_t data_len;
	uint64_t file; /* the inode */
	int64_t offset; /* of a write; the size of a truncation or allocation */
	int64_t result; /* of the call; 0 or more is success */
	uint64_t id; /* pairs the two records of a sync */
};

/* Which files a fault is for. */
enum class { ANY_FILE, DB, WAL, SHM, RESERVE, LOCK, FOLDER, OTHER };

enum how { FAIL, HALF, KILL };

#define FAULTS 8
struct fault {
	uint32_t armed, kind, class, error;
	uint32_t skip, times; /* let so many pass, then fail so many */
	uint32_t how; /* a HALF of a write or read is done instead of failing; KILL ends the process */
	uint32_t seen, fired;
};
/* limit is the room on the disk for the folder, in bytes; 0 for no limit. */
struct control { uint64_t limit, refused; struct fault faults[FAULTS]; };

#define MAX_FD 65536
static struct { uint64_t file; uint8_t class; uint8_t ours; } fds[MAX_FD];
static char folder[1024];
static size_t folder_len;
static int log_fd = -1;
static struct control *control;
static uint64_t next_id;
static volatile int lock_word;

static void lock(void)
{
	while (__atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE))
		CALL(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static void unlock(void) { __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE); }

/* below gives the path within the folder, or nothing for another's path. */
static const char *below(const char *path)
{
	if (!path || strncmp(path, folder, folder_len))
		return NULL;
	path += folder_len;
	if (*path == '/')
		return path + 1;
	return *path ? NULL : path;
}

static int ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);
	return n >= m && !strcmp(s + n - m, with);
}

static int class_of(const char *name)
{
	if (!*name) return FOLDER;
	if (ends(name, "-wal")) return WAL;
	if (ends(name, "-shm")) return SHM;
	if (ends(name, ".db")) return DB;
	if (!strcmp(name, "reserve")) return RESERVE;
	if (!strcmp(name, "lock")) return LOCK;
	return OTHER;
}

static void put(int kind, uint64_t file, int64_t offset, int64_t result, uint64_t id,
	const char *path, const void *data, size_t len)
{
	if (log_fd < 0)
		return;
	struct record r = {kind, path ? strlen(path) : 0, len, file, offset, result, id};
	struct iovec v[3] = {{&r, sizeof r}, {(void *)path, r.path_len}, {(void *)data, len}};
	CALL(SYS_writev, log_fd, v, 3, 0, 0, 0);
}

/* suits tells whether a fault is for a kind of call. */
static int suits(const struct fault *f, int kind)
{
	return f->kind == (uint32_t)kind || (f->kind == CHANGE && kind != OPEN && kind != READ);
}

/* awaited tells whether a fault is for a kind of call, on whatever file. */
static int awaited(int kind)
{
	for (int i = 0; control && i < FAULTS; i++)
		if (control->faults[i].armed && suits(&control->faults[i], kind))
			return 1;
	return 0;
}

/* fault tells whether a call is to fail: an error, -1 for half of it, or 0. */
static int fault(int kind, int class)
{
	if (!control)
		return 0;
	for (int i = 0; i < FAULTS; i++) {
		struct fault *f = &control->faults[i];
		if (!f->armed || !suits(f, kind) || (f->class != ANY_FILE && f->class != (uint32_t)class))
			continue;
		if (f->seen++ < f->skip || f->fired >= f->times)
			continue;
		f->fired++;
		while (f->how == KILL) /* the lock is held: nothing is changed any more */
			CALL(SYS_kill, CALL(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
		return f->how == HALF ? -1 : (int)f->error;
	}
	return 0;
}

/* full tells whether a write up to a place in a file finds no room. */
static int full(int fd, int64_t end)
{
	static const char *const names[] = {"queues.db", "queues.db-wal", "queues.db-shm", "reserve", "lock"};
	struct stat st;
	if (!control || !control->limit || CALL(SYS_fstat, fd, &st, 0, 0, 0, 0) || end <= st.st_size)
		return 0;
	uint64_t used = end - st.st_size;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[sizeof folder + 16];
		memcpy(path, folder, folder_len);
		path[folder_len] = '/';
		strcpy(path + folder_len + 1, names[i]);
		if (CALL(SYS_newfstatat, AT_FDCWD, path, &st, 0, 0, 0) == 0)
			used += st.st_size;
	}
	if (used <= control->limit)
		return 0;
	control->refused++;
	return 1;
}

static int ours(long fd) { return fd >= 0 && fd < MAX_FD && fds[fd].ours; }

static int is_socket(long fd)
{
	struct stat st;
	return CALL(SYS_fstat, fd, &st, 0, 0, 0, 0) == 0 && S_ISSOCK(st.st_mode);
}

static long do_open(long nr, long dir, const char *path, long flags, long mode, long resolve)
{
	const char *name = below(path);
	if (!name)
		return CALL(nr, dir, path, flags, mode, resolve, 0);
	int class = class_of(name), error;
	lock();
	struct stat st;
	int was = CALL(SYS_newfstatat, AT_FDCWD, path, &st, 0, 0, 0) == 0;
	if ((error = fault((flags & O_CREAT) && !was ? CREATE : OPEN, class)) > 0) {
		unlock();
		return -error;
	}
	long fd = CALL(nr, dir, path, flags, mode, resolve, 0);
	if (fd >= 0 && fd < MAX_FD) {
		CALL(SYS_fstat, fd, &st, 0, 0, 0, 0);
		fds[fd].ours = 1;
		fds[fd].file = st.st_ino;
		fds[fd].class = class;
		put(!was ? CREATE : OPEN, st.st_ino, 0, fd, 0, name, NULL, 0);
		if (was && (flags & O_TRUNC))
			put(TRUNCATE, st.st_ino, 0, 0, 0, NULL, NULL, 0);
	}
	unlock();
	return fd;
}

/* answering notes what goes to a client. It does not fail. */
static void answering(long fd, long len)
{
	if ((log_fd < 0 && !awaited(ANSWER)) || !is_socket(fd))
		return;
	lock();
	fault(ANSWER, OTHER);
	put(ANSWER, 0, 0, len, 0, NULL, NULL, 0);
	unlock();
}

static long do_write(long nr, long fd, const char *data, size_t len, long offset)
{
	if (!ours(fd)) {
		answering(fd, len);
		return CALL(nr, fd, data, len, offset, 0, 0);
	}
	lock();
	int error = fault(WRITE, fds[fd].class);
	long n = -error;
	if (error <= 0) {
		if (nr == SYS_write)
			offset = CALL(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
		if (full(fd, offset + (int64_t)len)) {
			unlock();
			return -ENOSPC;
		}
		n = CALL(nr, fd, data, error < 0 ? len / 2 : len, offset, 0, 0);
		if (n > 0)
			put(WRITE, fds[fd].file, offset, n, 0, NULL, data, n);
	}
	unlock();
	return n;
}

/* Vectors to files of the folder are written one by one; nobody uses them. */
static long do_writev(long fd, const struct iovec *v, long n, long offset, long nr)
{
	if (!ours(fd)) {
		answering(fd, 1);
		return CALL(nr, fd, v, n, offset, 0, 0);
	}
	long total = 0;
	for (long i = 0; i < n; i++) {
		long one = do_write(nr == SYS_writev ? SYS_write : SYS_pwrite64, fd, v[i].iov_base, v[i].iov_len, offset + total);
		if (one < 0)
			return total ? total : one;
		total += one;
		if ((size_t)one < v[i].iov_len)
			break;
	}
	return total;
}

/* A read is not recorded, and one by half gives a byte at least: none would be
 * the end of the file. */
static long do_read(long fd, char *data, size_t len, long offset)
{
	if (ours(fd) && awaited(READ)) {
		lock();
		int error = fault(READ, fds[fd].class);
		unlock();
		if (error > 0)
			return -error;
		if (error < 0 && len > 1)
			len /= 2;
	}
	return CALL(SYS_pread64, fd, data, len, offset, 0, 0);
}

static long do_size(long nr, int kind, long fd, long a, long b, long c)
{
	if (!ours(fd))
		return CALL(nr, fd, a, b, c, 0, 0);
	lock();
	long r = -fault(kind, fds[fd].class);
	if (r == 0 && full(fd, kind == ALLOCATE ? b + c : a))
		r = -ENOSPC;
	if (r == 0)
		r = CALL(nr, fd, a, b, c, 0, 0);
	if (r == 0)
		put(kind, fds[fd].file, kind == ALLOCATE ? b + c : a, r, 0, NULL, NULL, 0);
	unlock();
	return r;
}

static long do_truncate(const char *path, long size)
{
	const char *name = below(path);
	if (!name)
		return CALL(SYS_truncate, path, size, 0, 0, 0, 0);
	lock();
	struct stat st = {0};
	CALL(SYS_newfstatat, AT_FDCWD, path, &st, 0, 0, 0);
	long r = -fault(TRUNCATE, class_of(name));
	if (r == 0)
		r = CALL(SYS_truncate, path, size, 0, 0, 0, 0);
	if (r == 0)
		put(TRUNCATE, st.st_ino, size, r, 0, NULL, NULL, 0);
	unlock();
	return r;
}

static long do_sync(long nr, long fd)
{
	if (!ours(fd))
		return CALL(nr, fd, 0, 0, 0, 0, 0);
	uint64_t file = fds[fd].file;
	lock();
	uint64_t id = ++next_id;
	int error = fault(SYNC_BEGIN, fds[fd].class);
	put(SYNC_BEGIN, file, 0, 0, id, NULL, NULL, 0);
	unlock();
	long r = error ? -error : CALL(nr, fd, 0, 0, 0, 0, 0);
	lock();
	put(SYNC_END, file, 0, r, id, NULL, NULL, 0);
	unlock();
	return r;
}

static long do_path(long nr, int kind, const char *path, const char *to, const long *a)
{
	const char *name = below(path), *target = to ? below(to) : NULL;
	if (!name)
		return CALL(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	lock();
	long r = -fault(kind, class_of(name));
	if (r == 0)
		r = CALL(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (r == 0)
		put(kind, 0, 0, r, 0, name, target, target ? strlen(target) : 0);
	unlock();
	return r;
}

static long do_close(long fd)
{
	if (ours(fd)) {
		lock();
		fds[fd].ours = 0;
		unlock();
	}
	return CALL(SYS_close, fd, 0, 0, 0, 0, 0);
}

static long dispatch(long nr, const long *a)
{
	switch (nr) {
	case SYS_open: return do_open(SYS_openat, AT_FDCWD, (char *)a[0], a[1], a[2], 0);
	case SYS_openat: return do_open(nr, a[0], (char *)a[1], a[2], a[3], 0);
	case SYS_write: return do_write(nr, a[0], (char *)a[1], a[2], 0);
	case SYS_pwrite64: return do_write(nr, a[0], (char *)a[1], a[2], a[3]);
	case SYS_writev: case SYS_pwritev: return do_writev(a[0], (struct iovec *)a[1], a[2], a[3], nr);
	case SYS_ftruncate: return do_size(nr, TRUNCATE, a[0], a[1], 0, 0);
	case SYS_fallocate: return do_size(nr, ALLOCATE, a[0], a[1], a[2], a[3]);
	case SYS_truncate: return do_truncate((char *)a[0], a[1]);
	case SYS_fsync: case SYS_fdatasync: return do_sync(nr, a[0]);
	case SYS_unlink: return do_path(nr, UNLINK, (char *)a[0], NULL, a);
	case SYS_unlinkat: return do_path(nr, UNLINK, (char *)a[1], NULL, a);
	case SYS_rename: return do_path(nr, RENAME, (char *)a[0], (char *)a[1], a);
	case SYS_renameat: case SYS_renameat2: return do_path(nr, RENAME, (char *)a[1], (char *)a[3], a);
	case SYS_link: return do_path(nr, LINK, (char *)a[0], (char *)a[1], a);
	case SYS_linkat: return do_path(nr, LINK, (char *)a[1], (char *)a[3], a);
	case SYS_pread64: return do_read(a[0], (char *)a[1], a[2], a[3]);
	case SYS_mkdir: return do_path(nr, MKDIR, (char *)a[0], NULL, a);
	case SYS_mkdirat: return do_path(nr, MKDIR, (char *)a[1], NULL, a);
	case SYS_close: return do_close(a[0]);
	}
	return -ENOSYS;
}

__attribute__((constructor)) static void begin(void)
{
	const char *dir = getenv("TORTURE_DATA"), *log = getenv("TORTURE_LOG"), *faults = getenv("TORTURE_FAULTS");
	if (!dir || strlen(dir) >= sizeof folder)
		return;
	folder_len = strlen(strcpy(folder, dir));
	if (log && *log && (log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0)
		die("TORTURE_LOG");
	if (faults && *faults) {
		int fd = open(faults, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			die("TORTURE_FAULTS");
		control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (control == MAP_FAILED)
			die("TORTURE_FAULTS");
		close(fd);
	}
	install(getenv("TORTURE_READS") != NULL);
}
