#pragma once
// Several copies or prefetches by one call. CUDA 12 tells which of them failed, CUDA 13 does not: abi/.
#include "simulator/cudart/abi/layout.hpp"
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

struct CopyAttributes {  // cudaMemcpyAttributes
  int source_order;
  MemLocation source, destination;
  unsigned flags;
};
static_assert(sizeof(CopyAttributes) == 24);

struct CopyOperand {  // cudaMemcpy3DOperand, CUmemcpy3DOperand
  int type;
  union {
    struct {
      void* pointer;
      size_t row, layer;  // elements of a row, rows of a layer; 0: as the copy has
      MemLocation hint;
    } memory;
    struct {
      const Array* array;
      Position offset;
    } array;
  };
};
static_assert(sizeof(CopyOperand) == 40);

struct BatchCopy3D {  // cudaMemcpy3DBatchOp, CUDA_MEMCPY3D_BATCH_OP
  CopyOperand source, destination;
  Extent extent;
  int source_order;
  unsigned flags;
};
static_assert(sizeof(BatchCopy3D) == 112);

struct BatchCopies {
  void* const* destinations;
  const void* const* sources;
  const size_t* sizes;
  size_t count;
  const CopyAttributes* attributes;
  const size_t* first_of_attribute;  // the copy from which on each of the attributes holds
  size_t attribute_count;
};

// `failed`: where the number of the wrong copy goes, SIZE_MAX when it is not one copy that is wrong; may be null.
int memcpy_batch(const char* name, const BatchCopies& what, size_t* failed, void* stream);
int memcpy_3d_batch(const char* name, const BatchCopy3D* what, size_t count, size_t* failed, unsigned long long flags,
                    void* stream);

}  // namespace hpml::sim::cudart
