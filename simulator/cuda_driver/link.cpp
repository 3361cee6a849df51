// The linker: several PTX inputs become one module. Compiling happens where the result is loaded; it is tried once at
// the end of the link, so that errors show there.
#include <unistd.h>

#include <map>
#include <memory>

#include "simulator/cuda_driver/loading.hpp"

namespace hpml::sim::cuda_driver {
namespace {

enum class InputType : int { cubin = 0, ptx = 1, fatbinary = 2, object = 3, library = 4, nvvm = 5 };  // CUjitInputType

struct Link {
  JitOptions options;
  Image parts;
  std::string image;  // after cuLinkComplete
};

std::map<void*, std::unique_ptr<Link>>& links() {  // by handle; guarded by the runtime's lock
  static auto* live = new std::map<void*, std::unique_ptr<Link>>();
  return *live;
}

// `body(Runtime&, Context&, Link&) -> Error`
template <class Body>
int link_call(const char* name, void* state, Body body) {
  return context_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    const auto found = links().find(state);
    return found != links().end() ? body(runtime, context, *found->second) : kInvalidHandle;
  });
}

Error add(Link& link, int type, ImagePart part) {
  const auto is = [type](InputType one) { return type == static_cast<int>(one); };
  if (is(InputType::ptx) || is(InputType::fatbinary) || is(InputType::cubin)) {
    auto usable = loadable(std::move(part));
    if (!usable.ok()) {
      link.options.finish(usable.error().to_string());
      return is(InputType::ptx) ? Error::invalid_ptx : kInvalidImage;
    }
    link.parts.push_back(std::move(*usable));
    return Error::success;
  }
  if (type < 0 || type > static_cast<int>(InputType::nvvm)) {
    return Error::invalid_value;
  }
  link.options.finish(part.name +
                      ": only PTX, and fat binaries and cubins with PTX, can be linked; objects, libraries and "
                      "NVVM code are not supported");
  return Error::not_supported;
}

int create(unsigned count, const int* options, void** values, void** state) {
  return context_call("cuLinkCreate", [&](Runtime&, Context&, ApiRecord&) {
    auto link = std::make_unique<Link>(Link{JitOptions(count, options, values), {}, {}});
    if (state == nullptr || link->options.error() != Error::success) {
      return state == nullptr ? Error::invalid_value : link->options.error();
    }
    *state = link.get();
    links().emplace(*state, std::move(link));
    return Error::success;
  });
}

int add_data(void* state, int type, const void* data, size_t size, const char* name) {
  return link_call("cuLinkAddData", state, [&](Runtime&, Context&, Link& link) {
    if (data == nullptr || size == 0) {
      return Error::invalid_value;
    }
    ImagePart part{name != nullptr ? name : "<unnamed input of cuLinkAddData>", {}};
    part.bytes.assign(static_cast<const char*>(data), size);
    if (type == static_cast<int>(InputType::ptx)) {
      part.bytes.resize(part.bytes.find_last_not_of('\0') + 1);
    }
    return add(link, type, std::move(part));
  });
}

int add_file(void* state, int type, const char* path) {
  return link_call("cuLinkAddFile", state, [&](Runtime&, Context&, Link& link) {
    if (path == nullptr) {
      return Error::invalid_value;
    }
    if (access(path, R_OK) != 0) {
      return kFileNotFound;
    }
    Result<Image> image = read_image_file(path);
    if (!image.ok()) {
      link.options.finish(image.error().to_string());
      return kInvalidImage;
    }
    Error error = Error::success;
    for (ImagePart& part : *image) {
      error = error == Error::success ? add(link, type, std::move(part)) : error;
    }
    return error;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuLinkCreate_v2(unsigned count, const int* options, void** values, void** state) {
  return create(count, options, values, state);
}
HPML_CU_API int cuLinkAddData_v2(void* state, int type, const void* data, size_t size, const char* name, unsigned,
                                 const int*, void**) {
  return add_data(state, type, data, size, name);
}
HPML_CU_API int cuLinkAddFile_v2(void* state, int type, const char* path, unsigned, const int*, void**) {
  return add_file(state, type, path);
}

HPML_CU_API int cuLinkComplete(void* state, void** cubin, size_t* size) {
  return link_call("cuLinkComplete", state, [&](Runtime& runtime, Context& context, Link& link) {
    if (cubin == nullptr || link.parts.empty()) {
      return Error::invalid_value;
    }
    Error error = Error::success;
    RegisteredFatbin* tried = load(runtime, context, link.parts, link.options, error);
    if (tried == nullptr) {
      return error;
    }
    unload(runtime, *tried);
    link.image = linked_image(link.parts);
    *cubin = link.image.data();
    if (size != nullptr) {
      *size = link.image.size() + 1;  // with the NUL that ends it
    }
    return Error::success;
  });
}

HPML_CU_API int cuLinkDestroy(void* state) {
  return link_call("cuLinkDestroy", state, [](Runtime&, Context&, Link& link) {
    links().erase(&link);
    return Error::success;
  });
}
