"""What a program of student code may ask of the kernel, as a seccomp filter for bubblewrap. A list of what is allowed: what
programs of the labs, the C and C++ libraries, OpenMP, Python and the simulator need. There are no new processes, no
sockets, no name spaces, no links, nothing of other processes; whatever is not on the list does not exist (ENOSYS), however
it is asked for. Sources: syscalls(2); Linux, Documentation/userspace-api/seccomp_filter.rst; libseccomp (python3-seccomp)."""
import errno
import functools
import os

FILES = """read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close close_range
stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64 lseek dup dup2 dup3
fcntl ioctl ftruncate truncate fallocate fsync fdatasync sync_file_range mkdir mkdirat rmdir unlink unlinkat rename renameat
renameat2 chdir fchdir getcwd umask chmod fchmod fchmodat utime utimes utimensat futimesat statfs fstatfs flock pipe pipe2
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2 sendfile
copy_file_range readahead fadvise64"""
MEMORY = """mmap munmap mremap mprotect brk madvise mlock mlock2 munlock msync mincore memfd_create membarrier get_mempolicy
mbind"""
THREADS = """futex futex_waitv set_robust_list get_robust_list set_tid_address rseq sched_yield sched_getaffinity
sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min gettid tgkill exit
exit_group"""
TIME = """nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getitimer setitimer alarm timer_create
timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime getrusage"""
SIGNALS = """rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause
restart_syscall"""
SELF = """getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid uname sysinfo
getrlimit prlimit64 getcpu getrandom prctl arch_prctl capget wait4 waitid"""
# What bubblewrap and setpriv do after the filter is there: other users, groups and rights than one has are refused by the kernel.
START = "execve setuid setgid setresuid setresgid setreuid setregid setgroups capset setrlimit setsid setpgid"
ALLOWED = " ".join((FILES, MEMORY, THREADS, TIME, SIGNALS, SELF, START)).split()
CLONE_THREAD = 0x00010000  # linux/sched.h: a thread of this process, not a process
# Of a program that a lab lets start copies of itself: they stay in its name spaces, and end with them.
FORKS = "fork vfork kill".split()
CLONE_NEW = 0x7E020080     # linux/sched.h: all name spaces


@functools.cache
def available() -> bool:
    try:
        import seccomp  # noqa: F401
    except ImportError:
        return False
    return True


@functools.cache
def program(forks: bool = False) -> bytes:
    """The filter as an array of struct sock_filter, for this machine's architecture. Names that it has not are left out.
    forks: it may start copies of itself."""
    import seccomp
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    for name in (*ALLOWED, *(FORKS if forks else ())):
        if seccomp.resolve_syscall(seccomp.Arch(), name) >= 0:
            made.add_rule(seccomp.ALLOW, name)
    made.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
    if forks:
        made.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_NEW | CLONE_THREAD, 0))
    with _memory() as file:
        made.export_bpf(file)
        return os.pread(file.fileno(), 1 << 20, 0)


def open_filter(forks: bool = False) -> int:
    """A descriptor to read program() from, once. The caller closes it."""
    descriptor = os.memfd_create("hpml-seccomp")
    os.write(descriptor, program(forks))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _memory():
    return open(os.memfd_create("hpml-seccomp"), "wb")
