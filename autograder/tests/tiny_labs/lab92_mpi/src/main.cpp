#include <mpi.h>

#include <cstdio>

int total(MPI_Comm comm);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int sum = total(MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%d\n", sum);
  }
  MPI_Finalize();
}
