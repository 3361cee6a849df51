// Names of the real runtime that this one lacks: each is a generated function that ends here.
#include <fmt/format.h>

#include <set>
#include <string>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

Error refuse(const char* what) {
  say(fmt::format("{} are not supported by the simulated runtime: remove them, or run on a real GPU", what));
  return Error::not_supported;
}

int not_supported(const char* name) {
  return api_call(name, [&](Runtime&, ApiRecord&) {
    static auto* told = new std::set<std::string>();
    if (told->insert(name).second) {
      say(fmt::format("{} is not supported by the simulated runtime: remove the call, or run it on a real GPU", name));
    }
    return Error::not_supported;
  });
}

}  // namespace hpml::sim::cudart
