// Tensor and filter descriptors.
#include "simulator/cudnn/entry.hpp"

namespace hpml::sim::cudnn {
namespace {

Status set(Tensor* tensor, int data_type, const std::array<int, 4>& dims, const std::array<int64_t, 4>& strides,
           int rank = 4) {
  const auto type = element_of(data_type);
  if (tensor == nullptr) {
    return kNullPointer;
  }
  if (!type) {
    return kNotSupported;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 1 || strides[i] < 0) {
      return kBadParam;
    }
  }
  tensor->set = true;
  tensor->type = *type;
  tensor->dims = dims;
  tensor->strides = strides;
  tensor->rank = rank;
  return kSuccess;
}

Status set_packed(Tensor* tensor, int data_type, int format, const std::array<int, 4>& dims) {
  if (format != static_cast<int>(Format::nchw) && format != static_cast<int>(Format::nhwc)) {
    return kNotSupported;
  }
  return set(tensor, data_type, dims, packed_strides(dims, static_cast<Format>(format)));
}

// Fewer than four dimensions are filled up with ones at the end, as cuDNN's users do.
Status set_nd(Tensor* tensor, int data_type, int rank, const int* dims, const int* strides) {
  if (dims == nullptr || strides == nullptr) {
    return kNullPointer;
  }
  if (rank < 3 || rank > 4) {
    return rank < 3 ? kBadParam : kNotSupported;
  }
  std::array<int, 4> all = {1, 1, 1, 1};
  std::array<int64_t, 4> steps = {1, 1, 1, 1};
  for (size_t i = 0; i < static_cast<size_t>(rank); ++i) {
    all[i] = dims[i];
    steps[i] = strides[i];
  }
  return set(tensor, data_type, all, steps, rank);
}

void get(const Tensor& tensor, int* data_type, int* const (&dims)[4], int* const (&strides)[4]) {
  if (data_type != nullptr) {
    *data_type = data_type_of(tensor.type);
  }
  for (size_t i = 0; i < 4; ++i) {
    if (dims[i] != nullptr) {
      *dims[i] = tensor.dims[i];
    }
    if (strides[i] != nullptr) {
      *strides[i] = static_cast<int>(tensor.strides[i]);
    }
  }
}

Status size_in_bytes(const Tensor* tensor, size_t* size) {
  if (tensor == nullptr || size == nullptr) {
    return kNullPointer;
  }
  *size = tensor->bytes();
  return kSuccess;
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnCreateTensorDescriptor(Tensor** tensor) {
  return create("cudnnCreateTensorDescriptor", tensor);
}
HPML_LIBRARY_API int cudnnDestroyTensorDescriptor(Tensor* tensor) {
  return destroy("cudnnDestroyTensorDescriptor", tensor);
}
HPML_LIBRARY_API int cudnnSetTensor4dDescriptor(Tensor* tensor, int format, int data_type, int n, int c, int h, int w) {
  return descriptor_call("cudnnSetTensor4dDescriptor", [&] {
    return set_packed(tensor, data_type, format, {n, c, h, w});
  });
}
HPML_LIBRARY_API int cudnnSetTensor4dDescriptorEx(Tensor* tensor, int data_type, int n, int c, int h, int w, int sn,
                                                  int sc, int sh, int sw) {
  return descriptor_call("cudnnSetTensor4dDescriptorEx", [&] {
    return set(tensor, data_type, {n, c, h, w}, {sn, sc, sh, sw});
  });
}
HPML_LIBRARY_API int cudnnGetTensor4dDescriptor(const Tensor* tensor, int* data_type, int* n, int* c, int* h, int* w,
                                                int* sn, int* sc, int* sh, int* sw) {
  return descriptor_call("cudnnGetTensor4dDescriptor", [&] {
    if (tensor == nullptr) {
      return kNullPointer;
    }
    get(*tensor, data_type, {n, c, h, w}, {sn, sc, sh, sw});
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnSetTensorNdDescriptor(Tensor* tensor, int data_type, int rank, const int* dims,
                                                const int* strides) {
  return descriptor_call("cudnnSetTensorNdDescriptor", [&] { return set_nd(tensor, data_type, rank, dims, strides); });
}
HPML_LIBRARY_API int cudnnGetTensorNdDescriptor(const Tensor* tensor, int asked, int* data_type, int* rank, int* dims,
                                                int* strides) {
  return descriptor_call("cudnnGetTensorNdDescriptor", [&] {
    if (tensor == nullptr || data_type == nullptr || rank == nullptr || dims == nullptr || strides == nullptr) {
      return kNullPointer;
    }
    *data_type = data_type_of(tensor->type);
    *rank = tensor->rank;
    for (size_t i = 0; i < static_cast<size_t>(std::min(asked, tensor->rank)); ++i) {
      dims[i] = tensor->dims[i];
      strides[i] = static_cast<int>(tensor->strides[i]);
    }
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetTensorSizeInBytes(const Tensor* tensor, size_t* size) {
  return descriptor_call("cudnnGetTensorSizeInBytes", [&] { return size_in_bytes(tensor, size); });
}

HPML_LIBRARY_API int cudnnCreateFilterDescriptor(Filter** filter) {
  return create("cudnnCreateFilterDescriptor", filter);
}
HPML_LIBRARY_API int cudnnDestroyFilterDescriptor(Filter* filter) {
  return destroy("cudnnDestroyFilterDescriptor", filter);
}
HPML_LIBRARY_API int cudnnSetFilter4dDescriptor(Filter* filter, int data_type, int format, int k, int c, int h, int w) {
  return descriptor_call("cudnnSetFilter4dDescriptor", [&] {
    return set_packed(filter, data_type, format, {k, c, h, w});
  });
}
HPML_LIBRARY_API int cudnnGetFilter4dDescriptor(const Filter* filter, int* data_type, int* format, int* k, int* c,
                                                int* h, int* w) {
  return descriptor_call("cudnnGetFilter4dDescriptor", [&] {
    if (filter == nullptr) {
      return kNullPointer;
    }
    get(*filter, data_type, {k, c, h, w}, {nullptr, nullptr, nullptr, nullptr});
    if (format != nullptr) {
      const bool nchw = filter->strides == packed_strides(filter->dims, Format::nchw);
      *format = static_cast<int>(nchw ? Format::nchw : Format::nhwc);
    }
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnSetFilterNdDescriptor(Filter* filter, int data_type, int format, int rank, const int* dims) {
  return descriptor_call("cudnnSetFilterNdDescriptor", [&] {
    if (dims == nullptr || rank != 4) {
      return dims == nullptr ? kNullPointer : kNotSupported;
    }
    return set_packed(filter, data_type, format, {dims[0], dims[1], dims[2], dims[3]});
  });
}
HPML_LIBRARY_API int cudnnGetFilterSizeInBytes(const Filter* filter, size_t* size) {
  return descriptor_call("cudnnGetFilterSizeInBytes", [&] { return size_in_bytes(filter, size); });
}
