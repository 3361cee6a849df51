#pragma once
#include <string>

namespace hpml::relay::jail {

// Why a file cannot be a rank's program; empty: it can. It must be an executable without a dynamic loader: the loader
// would open libraries, which a rank may not.
std::string why_no_rank(const std::string& path);

}  // namespace hpml::relay::jail
