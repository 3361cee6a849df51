/* The part of MPI that the labs may use, for a rank behind the relay (common/relay/README.md). Meanings are those of
   the MPI standard, version 3.1; what differs is said beside the function. */
#ifndef HPML_RELAY_MPI_H
#define HPML_RELAY_MPI_H

#define HPML_MPI_RELAY 1
#define MPI_VERSION 3
#define MPI_SUBVERSION 1

#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Comm;
typedef int MPI_Datatype; /* the low byte is the size of an element */
typedef int MPI_Request;
typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  unsigned long long hpml_bytes;
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0)
#define MPI_COMM_NULL ((MPI_Comm)-1)
#define MPI_REQUEST_NULL ((MPI_Request)-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)

#define MPI_BYTE ((MPI_Datatype)0x0101)
#define MPI_CHAR ((MPI_Datatype)0x0201)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x0301)
#define MPI_INT ((MPI_Datatype)0x0404)
#define MPI_UNSIGNED ((MPI_Datatype)0x0504)
#define MPI_INT32_T ((MPI_Datatype)0x0604)
#define MPI_UINT32_T ((MPI_Datatype)0x0704)
#define MPI_FLOAT ((MPI_Datatype)0x0804)
#define MPI_LONG ((MPI_Datatype)0x0908)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x0a08)
#define MPI_INT64_T ((MPI_Datatype)0x0b08)
#define MPI_UINT64_T ((MPI_Datatype)0x0c08)
#define MPI_DOUBLE ((MPI_Datatype)0x0d08)

#define MPI_SUCCESS 0
#define MPI_UNDEFINED (-32766)
#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-2)
#define MPI_TAG_UB_VALUE 0x7fffffff

/* Errors end the rank with a message; every function returns MPI_SUCCESS. */
int MPI_Init(int* argc, char*** argv);
int MPI_Initialized(int* flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int code);

int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* result);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* result);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Barrier(MPI_Comm comm); /* costs no virtual time: all leave at the last rank's arrival */

/* A send is complete when its message has been received (rendezvous), whatever its size. */
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status);
int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Type_size(MPI_Datatype type, int* size);

double MPI_Wtime(void); /* the rank's virtual clock, in seconds from the start of the run */
double MPI_Wtick(void);
int MPI_Pcontrol(const int level, ...); /* 1: a region of counted traffic begins; 0: it ends */

/* Moves the rank's virtual clock on by `seconds`, without taking real time. */
void hpml_mpi_compute(double seconds);

/* Sleeping is computing, as in SMPI's header: the same source serves both. */
int hpml_mpi_nanosleep(const struct timespec* time, struct timespec* left);
int hpml_mpi_usleep(useconds_t microseconds);
#define nanosleep(time, left) hpml_mpi_nanosleep(time, left)
#define usleep(microseconds) hpml_mpi_usleep(microseconds)

#ifdef __cplusplus
}
#endif
#endif
