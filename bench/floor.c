/* The floor: the least that a parallel walk has to do, and nothing else.
 *
 *     floor THREADS MODE DEPTH PATH
 *
 * Opens every directory below PATH relative to its parent and reads it with getdents64 into one
 * 256 KiB buffer per thread: openat, getdents64 until it returns 0, close. MODE 1 stops there; MODE 2
 * also stats every regular file, relative to its directory; MODE 3 asks statx for everything about
 * every entry, birth time included. DEPTH 0 means no limit. No path is built
 * and nothing is filtered; one line with the counts is printed at the end.
 *
 * A thread works on a stack of its own. Only when another thread is parked does it give away the
 * older half, so that two busy threads never touch a lock. A directory stays open until its last
 * subdirectory has been opened.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024, MAX_THREADS = 256 };

/* What getdents64 writes. */
struct record {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

/* An open directory with subdirectories that wait; their names follow it in memory. */
struct dir {
    int fd;
    atomic_uint waiting;
    char names[];
};

/* A directory to be read: a name in an open directory. */
struct job {
    struct dir *parent;
    const char *name;
    unsigned depth;
};

struct stack {
    struct job *jobs;
    size_t length, capacity;
};

struct worker {
    struct stack own;
    char *buffer;
    char *names; /* of the subdirectories of the directory that is being read */
    size_t names_length, names_capacity;
    size_t found; /* how many names that is */
    uint64_t entries, dirs, stats, errors;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct stack jobs;
    atomic_uint parked;
    unsigned threads;
    int done;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static int with_stat, with_statx;
static unsigned max_depth;

static void *need(void *memory)
{
    if (!memory) {
        fputs("floor: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void push(struct stack *stack, struct job job)
{
    if (stack->length == stack->capacity) {
        stack->capacity = stack->capacity ? 2 * stack->capacity : 256;
        stack->jobs = need(realloc(stack->jobs, stack->capacity * sizeof *stack->jobs));
    }
    stack->jobs[stack->length++] = job;
}

/* One subdirectory fewer waits; the last one closes the directory. */
static void release(struct dir *dir)
{
    if (atomic_fetch_sub_explicit(&dir->waiting, 1, memory_order_acq_rel) == 1) {
        if (dir->fd >= 0)
            close(dir->fd);
        free(dir);
    }
}

static void remember(struct worker *worker, const char *name)
{
    size_t length = strlen(name) + 1;
    if (worker->names_length + length > worker->names_capacity) {
        worker->names_capacity = 2 * (worker->names_capacity + length);
        worker->names = need(realloc(worker->names, worker->names_capacity));
    }
    memcpy(worker->names + worker->names_length, name, length);
    worker->names_length += length;
    worker->found++;
}

static int is_dot(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void see(struct worker *worker, int fd, const struct record *record)
{
    if (is_dot(record->name))
        return;
    worker->entries++;
    unsigned type = record->type;
    struct stat status;
    struct statx everything;
    if (with_statx) {
        worker->stats++;
        int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
        if (statx(fd, record->name, flags, STATX_BASIC_STATS | STATX_BTIME, &everything))
            worker->errors++;
        else if (type == DT_UNKNOWN && S_ISDIR(everything.stx_mode))
            type = DT_DIR;
    } else if (type == DT_UNKNOWN || (with_stat && type == DT_REG)) {
        worker->stats++;
        if (fstatat(fd, record->name, &status, AT_SYMLINK_NOFOLLOW))
            worker->errors++;
        else if (type == DT_UNKNOWN && S_ISDIR(status.st_mode))
            type = DT_DIR;
    }
    if (type == DT_DIR)
        remember(worker, record->name);
}

static void list(struct worker *worker, int fd)
{
    for (;;) {
        long length = syscall(SYS_getdents64, fd, worker->buffer, BUFFER);
        if (length <= 0) {
            worker->errors += length < 0;
            return;
        }
        for (long at = 0; at < length;) {
            const struct record *record = (const void *)(worker->buffer + at);
            see(worker, fd, record);
            at += record->length;
        }
    }
}

/* Turns the remembered names into jobs; the directory stays open for them. */
static void queue_subdirectories(struct worker *worker, int fd, unsigned depth)
{
    struct dir *dir = need(malloc(sizeof *dir + worker->names_length));
    dir->fd = fd;
    atomic_init(&dir->waiting, (unsigned)worker->found);
    memcpy(dir->names, worker->names, worker->names_length);
    const char *name = dir->names;
    for (size_t i = 0; i < worker->found; i++, name += strlen(name) + 1)
        push(&worker->own, (struct job){dir, name, depth});
}

static void do_job(struct worker *worker, struct job job)
{
    int fd = openat(job.parent->fd, job.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    release(job.parent);
    if (fd < 0) {
        worker->errors++;
        return;
    }
    worker->dirs++;
    worker->names_length = worker->found = 0;
    list(worker, fd);
    if (worker->found && (!max_depth || job.depth + 1 < max_depth))
        queue_subdirectories(worker, fd, job.depth + 1);
    else
        close(fd);
}

/* Gives the older half of the own stack, which leads to the larger subtrees, to who waits. */
static void share(struct worker *worker)
{
    size_t given = worker->own.length / 2;
    pthread_mutex_lock(&shared.lock);
    for (size_t i = 0; i < given; i++)
        push(&shared.jobs, worker->own.jobs[i]);
    pthread_cond_broadcast(&shared.wake);
    pthread_mutex_unlock(&shared.lock);
    worker->own.length -= given;
    memmove(worker->own.jobs, worker->own.jobs + given, worker->own.length * sizeof(struct job));
}

/* Takes work from the shared stack, or parks until there is some; 0 when all is done. */
static int fetch(struct worker *worker)
{
    pthread_mutex_lock(&shared.lock);
    unsigned parked = 1 + atomic_fetch_add(&shared.parked, 1);
    if (!shared.jobs.length && parked == shared.threads) {
        shared.done = 1;
        pthread_cond_broadcast(&shared.wake);
    }
    while (!shared.jobs.length && !shared.done)
        pthread_cond_wait(&shared.wake, &shared.lock);
    atomic_fetch_sub(&shared.parked, 1);
    size_t taken = (shared.jobs.length + 1) / 2;
    for (size_t i = 0; i < taken; i++)
        push(&worker->own, shared.jobs.jobs[--shared.jobs.length]);
    pthread_mutex_unlock(&shared.lock);
    return taken > 0;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    worker->buffer = need(malloc(BUFFER));
    do {
        while (worker->own.length) {
            do_job(worker, worker->own.jobs[--worker->own.length]);
            if (worker->own.length > 1 && atomic_load_explicit(&shared.parked, memory_order_relaxed))
                share(worker);
        }
    } while (fetch(worker));
    return NULL;
}

static void raise_limit(void)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void run(struct worker *workers)
{
    pthread_t handles[MAX_THREADS];
    for (unsigned i = 1; i < shared.threads; i++) {
        if (pthread_create(&handles[i], NULL, work, &workers[i])) {
            fputs("floor: cannot start a thread\n", stderr);
            exit(1);
        }
    }
    work(&workers[0]);
    for (unsigned i = 1; i < shared.threads; i++)
        pthread_join(handles[i], NULL);
}

int main(int count, char **words)
{
    static struct worker workers[MAX_THREADS];
    if (count != 5) {
        fputs("usage: floor THREADS MODE DEPTH PATH\n", stderr);
        return 2;
    }
    shared.threads = (unsigned)atoi(words[1]);
    with_stat = atoi(words[2]) == 2;
    with_statx = atoi(words[2]) == 3;
    max_depth = (unsigned)atoi(words[3]);
    if (shared.threads < 1 || shared.threads > MAX_THREADS) {
        fprintf(stderr, "floor: expected 1 to %d threads, found %s\n", MAX_THREADS, words[1]);
        return 2;
    }
    raise_limit();
    struct dir *top = need(malloc(sizeof *top));
    top->fd = AT_FDCWD;
    atomic_init(&top->waiting, 1);
    push(&workers[0].own, (struct job){top, words[4], 0});
    run(workers);
    struct worker sum = {0};
    for (unsigned i = 0; i < shared.threads; i++) {
        sum.entries += workers[i].entries;
        sum.dirs += workers[i].dirs;
        sum.stats += workers[i].stats;
        sum.errors += workers[i].errors;
    }
    printf("entries %lu dirs %lu stats %lu errors %lu\n", sum.entries, sum.dirs, sum.stats, sum.errors);
    return sum.errors > 0;
}
