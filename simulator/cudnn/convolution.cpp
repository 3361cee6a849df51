// Convolution descriptors.
#include "simulator/cudnn/entry.hpp"
#include "simulator/cudnn/problem.hpp"

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

Status set_2d(Convolution* conv, const Convolution& wanted, int mode, int compute) {
  const auto type = element_of(compute);
  if (conv == nullptr) {
    return kNullPointer;
  }
  const bool positive = wanted.stride_h > 0 && wanted.stride_w > 0 && wanted.dilation_h > 0 && wanted.dilation_w > 0;
  if (wanted.pad_h < 0 || wanted.pad_w < 0 || !positive || mode < 0 || mode > 1) {
    return kBadParam;
  }
  if (!type) {
    return kNotSupported;
  }
  const int groups = conv->groups;
  const int math_type = conv->math_type;
  *conv = wanted;
  conv->set = true;
  conv->groups = groups;
  conv->math_type = math_type;
  conv->cross_correlation = mode == 1;
  conv->compute = *type;
  return kSuccess;
}

}  // namespace

HPML_LIBRARY_API int cudnnCreateConvolutionDescriptor(Convolution** conv) {
  return create("cudnnCreateConvolutionDescriptor", conv);
}
HPML_LIBRARY_API int cudnnDestroyConvolutionDescriptor(Convolution* conv) {
  return destroy("cudnnDestroyConvolutionDescriptor", conv);
}
HPML_LIBRARY_API int cudnnSetConvolution2dDescriptor(Convolution* conv, int pad_h, int pad_w, int stride_h,
                                                     int stride_w, int dilation_h, int dilation_w, int mode,
                                                     int compute) {
  return descriptor_call("cudnnSetConvolution2dDescriptor", [&] {
    const Convolution wanted{.pad_h = pad_h,
                             .pad_w = pad_w,
                             .stride_h = stride_h,
                             .stride_w = stride_w,
                             .dilation_h = dilation_h,
                             .dilation_w = dilation_w};
    return set_2d(conv, wanted, mode, compute);
  });
}
HPML_LIBRARY_API int cudnnSetConvolutionNdDescriptor(Convolution* conv, int rank, const int* pads, const int* strides,
                                                     const int* dilations, int mode, int compute) {
  return descriptor_call("cudnnSetConvolutionNdDescriptor", [&] {
    if (pads == nullptr || strides == nullptr || dilations == nullptr) {
      return kNullPointer;
    }
    if (rank != 2) {
      return kNotSupported;
    }
    const Convolution wanted{.pad_h = pads[0],
                             .pad_w = pads[1],
                             .stride_h = strides[0],
                             .stride_w = strides[1],
                             .dilation_h = dilations[0],
                             .dilation_w = dilations[1]};
    return set_2d(conv, wanted, mode, compute);
  });
}
HPML_LIBRARY_API int cudnnGetConvolution2dDescriptor(const Convolution* conv, int* pad_h, int* pad_w, int* stride_h,
                                                     int* stride_w, int* dilation_h, int* dilation_w, int* mode,
                                                     int* compute) {
  return descriptor_call("cudnnGetConvolution2dDescriptor", [&] {
    if (conv == nullptr) {
      return kNullPointer;
    }
    const std::pair<int*, int> answers[] = {{pad_h, conv->pad_h},
                                            {pad_w, conv->pad_w},
                                            {stride_h, conv->stride_h},
                                            {stride_w, conv->stride_w},
                                            {dilation_h, conv->dilation_h},
                                            {dilation_w, conv->dilation_w},
                                            {mode, conv->cross_correlation ? 1 : 0},
                                            {compute, data_type_of(conv->compute)}};
    for (const auto& [to, value] : answers) {
      if (to != nullptr) {
        *to = value;
      }
    }
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnSetConvolutionGroupCount(Convolution* conv, int groups) {
  return descriptor_call("cudnnSetConvolutionGroupCount", [&] {
    if (conv == nullptr || groups < 1) {
      return conv == nullptr ? kNullPointer : kBadParam;
    }
    conv->groups = groups;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetConvolutionGroupCount(const Convolution* conv, int* groups) {
  return descriptor_call("cudnnGetConvolutionGroupCount", [&] {
    if (conv == nullptr || groups == nullptr) {
      return kNullPointer;
    }
    *groups = conv->groups;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnSetConvolutionMathType(Convolution* conv, int math_type) {
  return descriptor_call("cudnnSetConvolutionMathType", [&] {
    if (conv == nullptr || math_type < 0 || math_type > 3) {
      return conv == nullptr ? kNullPointer : kBadParam;
    }
    conv->math_type = math_type;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetConvolutionMathType(const Convolution* conv, int* math_type) {
  return descriptor_call("cudnnGetConvolutionMathType", [&] {
    if (conv == nullptr || math_type == nullptr) {
      return kNullPointer;
    }
    *math_type = conv->math_type;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetConvolution2dForwardOutputDim(const Convolution* conv, const Tensor* x, const Filter* w,
                                                           int* n, int* c, int* h, int* width) {
  return descriptor_call("cudnnGetConvolution2dForwardOutputDim", [&] {
    if (conv == nullptr || x == nullptr || w == nullptr || n == nullptr || c == nullptr || h == nullptr ||
        width == nullptr) {
      return kNullPointer;
    }
    std::array<int, 4> dims{};
    if (x->dims[1] != w->dims[1] * conv->groups || !output_dims(*x, *w, *conv, dims)) {
      return kShapeMismatch;
    }
    *n = dims[0];
    *c = dims[1];
    *h = dims[2];
    *width = dims[3];
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetConvolutionNdForwardOutputDim(const Convolution* conv, const Tensor* x, const Filter* w,
                                                           int rank, int* out) {
  return descriptor_call("cudnnGetConvolutionNdForwardOutputDim", [&] {
    if (conv == nullptr || x == nullptr || w == nullptr || out == nullptr) {
      return kNullPointer;
    }
    std::array<int, 4> dims{};
    if (rank != 4 || x->dims[1] != w->dims[1] * conv->groups || !output_dims(*x, *w, *conv, dims)) {
      return kBadParam;
    }
    std::copy(dims.begin(), dims.end(), out);
    return kSuccess;
  });
}
