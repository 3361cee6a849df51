#pragma once
#include <string>

namespace hpml {

// "_Z3addiPf" -> "add(int, float*)"; a name that is not mangled (extern "C") is returned as it is.
std::string demangle(const std::string& name);

}  // namespace hpml
