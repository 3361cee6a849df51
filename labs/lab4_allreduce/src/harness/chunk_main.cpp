// Calls chunk_of. Arguments: N:PARTS, all chunks of each are reported.
#include <mpi.h>

#include <cstdlib>
#include <string>

#include "../allreduce.h"
#include "fail.h"
#include "observe.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    hpml::harness::Observer observer(0, 1);
    for (int i = 1; i < argc; ++i) {
      observer.begin_cell(i - 1);
      char* rest = nullptr;
      const std::size_t n = std::strtoull(argv[i], &rest, 10);
      const int parts = *rest == ':' ? std::atoi(rest + 1) : 0;
      if (parts < 1) {
        hpml::harness::fail(std::string("'") + argv[i] + "' is not N:PARTS");
      }
      std::string text = "[";
      for (int k = 0; k < parts; ++k) {
        const hpml::Chunk chunk = hpml::chunk_of(n, parts, k);
        text += (k > 0 ? ",[" : "[") + std::to_string(chunk.begin) + "," + std::to_string(chunk.size) + "]";
      }
      observer.json(i - 1, text + "]");
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
