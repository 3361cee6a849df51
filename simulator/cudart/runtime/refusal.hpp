#pragma once
// Why a copy or a free was refused, for the user: CUDA says "invalid argument" of all of these.
#include "simulator/cudart/runtime/runtime.hpp"
#include "simulator/cudart/runtime/work.hpp"

namespace hpml::sim::cudart {

// Says it of the first call that is refused; what follows is often its consequence. Only under `gpusim run`, and not
// where the check tools report each such call.
void say_why_copy_refused(Runtime& runtime, const CopyWork& copy);
void say_why_free_refused(Runtime& runtime, const void* pointer, const std::string& call);

}  // namespace hpml::sim::cudart
