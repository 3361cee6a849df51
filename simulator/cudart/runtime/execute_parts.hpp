#pragma once
// The parts of execute(), one per kind of work. For runtime/execute.cpp only.
#include "simulator/cudart/runtime/execute.hpp"

namespace hpml::sim::cudart {

Span execute_copy(Runtime& runtime, Context& context, const CopyWork& copy, Picoseconds earliest, uint64_t stream);
Span execute_fill(Runtime& runtime, Context& context, const FillWork& fill, Picoseconds earliest, uint64_t stream);
Span execute_kernel(Runtime& runtime, Context& context, const KernelWork& kernel, Picoseconds earliest,
                    uint64_t stream);
Span execute_library(Runtime& runtime, Context& context, const LibraryWork& work, Picoseconds earliest,
                     uint64_t stream);
Span execute_conditional(Runtime& runtime, Context& context, const ConditionalWork& work, Picoseconds earliest,
                         uint64_t stream);
Span execute_host(Runtime& runtime, Context& context, std::function<void()> function, Picoseconds earliest);

}  // namespace hpml::sim::cudart
