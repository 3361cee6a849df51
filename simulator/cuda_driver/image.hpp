#pragma once
// What a program gives to be loaded: PTX text, a fat binary, or the output of cuLinkComplete.
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/cudart/runtime/registry.hpp"

namespace hpml::sim::cuda_driver {

using cudart::ImagePart;
using Image = std::vector<ImagePart>;

// The bytes at `data`, whose length is in themselves: PTX ends with a NUL, a container states its size.
Result<Image> read_image(const void* data, const std::string& name);
// The whole of a file.
Result<Image> read_image_file(const std::string& path);

// Parts to be linked, as one image: what cuLinkComplete gives in the place of a cubin.
std::string linked_image(const Image& parts);

// The part as it is loaded: of a cubin with PTX inside, the PTX. Error: a program cannot mean this as a module; the
// message says what it is.
Result<ImagePart> loadable(ImagePart part);

}  // namespace hpml::sim::cuda_driver
