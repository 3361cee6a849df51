// Start and end of a rank, and its clock.
#include <mpi.h>

#include <cmath>

#include "common/relay/rank/channel.hpp"
#include "common/relay/rank/communicators.hpp"
#include "common/relay/rank/faults.hpp"

using namespace hpml::relay;

extern "C" {

int MPI_Init(int*, char***) {
  if (channel().rank >= 0) {
    fail("MPI_Init is called a second time");
  }
  report_forbidden_calls();
  const Answer answer = channel().ask({.op = Op::init, .call = Call::init});
  channel().rank = answer.rank;
  channel().size = answer.size;
  communicators().add({MPI_COMM_WORLD, answer.rank, answer.size});
  return MPI_SUCCESS;
}

int MPI_Initialized(int* flag) {
  *flag = channel().rank >= 0;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  communicators().at(MPI_COMM_WORLD);
  channel().put({.op = Op::finalize, .call = Call::finalize});
  channel().flush();
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm, int code) {
  channel().flush();
  _exit(code);
}

double MPI_Wtime(void) { return channel().now; }

double MPI_Wtick(void) { return 1e-9; }

int MPI_Pcontrol(const int level, ...) {
  if (level != 0 && level != 1) {
    fail("MPI_Pcontrol(%d): 1 begins a region, 0 ends it", level);
  }
  channel().put({.op = Op::region, .call = Call::pcontrol, .count = static_cast<std::uint32_t>(level)});
  return MPI_SUCCESS;
}

void hpml_mpi_compute(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) {
    fail("compute(%g): not a time", seconds);
  }
  channel().now += seconds;
}

int hpml_mpi_nanosleep(const timespec* time, timespec*) {
  hpml_mpi_compute(static_cast<double>(time->tv_sec) + static_cast<double>(time->tv_nsec) * 1e-9);
  return 0;
}

int hpml_mpi_usleep(useconds_t microseconds) {
  hpml_mpi_compute(microseconds * 1e-6);
  return 0;
}
}
