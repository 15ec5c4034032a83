/*
 * Turns system calls of the process into calls of dispatch: a seccomp filter
 * makes a signal of them, unless they come from torture_direct.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <ucontext.h>

#ifndef __x86_64__
#error "the recorder is written for x86-64"
#endif

/* direct makes a call from a place that the filter lets through. */
__asm__(".text\n"
	".globl torture_direct\n.type torture_direct,@function\n"
	"torture_direct:\n"
	" mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rsi\n mov %rcx,%rdx\n"
	" mov %r8,%r10\n mov %r9,%r8\n mov 8(%rsp),%r9\n syscall\n"
	".globl torture_direct_end\n"
	"torture_direct_end:\n ret\n");
extern long torture_direct(long nr, long a, long b, long c, long d, long e, long f);
extern char torture_direct_end[];
#define CALL(nr, a, b, c, d, e, f) \
	torture_direct(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* dispatch makes a call in its own way. */
static long dispatch(long nr, const long *a);

static const int trapped[] = {
	SYS_open, SYS_openat, SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_ftruncate, SYS_fallocate, SYS_truncate,
	SYS_fsync, SYS_fdatasync, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2, SYS_mkdir, SYS_mkdirat,
	SYS_close, SYS_link, SYS_linkat,
	SYS_pread64, /* the last: only when reads are to fail, since there are so many */
};
#define TRAPPED (sizeof trapped / sizeof *trapped)

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
	long a[6] = {g[REG_RDI], g[REG_RSI], g[REG_RDX], g[REG_R10], g[REG_R8], g[REG_R9]};
	int saved = errno;
	g[REG_RAX] = dispatch(g[REG_RAX], a);
	errno = saved;
}

/* A thread that is just being made has all signals blocked and may open files. */
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t without;
	if (set && how != SIG_UNBLOCK) {
		without = *set;
		sigdelset(&without, SIGSYS);
		set = &without;
	}
	return -(int)CALL(SYS_rt_sigprocmask, how, set, old, 8, 0, 0);
}

static void die(const char *what)
{
	perror(what);
	_exit(97);
}

static void install(int reads)
{
	const size_t count = reads ? TRAPPED : TRAPPED - 1;
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&action.sa_mask);
	if (sigaction(SIGSYS, &action, NULL))
		die("sigaction");

	uint64_t from = (uint64_t)torture_direct_end;
	struct sock_filter filter[16 + TRAPPED];
	int n = 0;
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	/* The handler stays, whatever the program's runtime wants. */
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 4);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 0, 1);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	for (size_t i = 0; i < count; i++)
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, trapped[i], count - i, 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)from, 0, 3);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(from >> 32), 0, 1);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	struct sock_fprog program = {n, filter};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("seccomp");
}
