// How much memory a plan would need beside the data: none, for the simulator's transforms work in place.
#include <cstddef>

#include "simulator/libraries/frame.hpp"

namespace {

constexpr int kSuccess = 0, kInvalidValue = 4;  // cufftResult

int none(size_t* work) {
  if (work == nullptr) {
    return kInvalidValue;
  }
  *work = 0;
  return kSuccess;
}

}  // namespace

HPML_LIBRARY_API int cufftEstimate1d(int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftEstimate2d(int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftEstimate3d(int, int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftEstimateMany(int, int*, int*, int, int, int*, int, int, int, int, size_t* work) {
  return none(work);
}
HPML_LIBRARY_API int cufftGetSize1d(int, int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftGetSize2d(int, int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftGetSize3d(int, int, int, int, int, size_t* work) { return none(work); }
HPML_LIBRARY_API int cufftGetSizeMany(int, int, int*, int*, int, int, int*, int, int, int, int, size_t* work) {
  return none(work);
}
