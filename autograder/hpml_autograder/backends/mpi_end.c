// Linked to every MPI program that the grader launches: MPI_Finalize, and then one byte to the file that HPML_ENDED names.
// The launcher's exit code does not say whether all ranks came to their end; the size of this file does.
//
// Open MPI 4.1 unloads its components in MPI_Finalize while its progress thread may still run code of theirs: on a busy
// machine one run in some hundred ended with a segmentation fault there. A process that ends anyway keeps them.
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
int MPI_Finalize(void) {
  const int status = PMPI_Finalize();
  const char* path = getenv("HPML_ENDED");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_APPEND);
  if (file >= 0) {
    if (write(file, "1", 1) != 1) {
      _exit(3);  // a full disk must not look like a rank that was lost
    }
    close(file);
  }
  return status;
}

#ifdef __cplusplus
extern "C"
#endif
__attribute__((visibility("default"))) int dlclose(void* handle) {
  (void)handle;
  return 0;
}
