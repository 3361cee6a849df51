#include "simulator/cudart/preload/hooks.hpp"

namespace hpml::sim::preload {
namespace {

const Hooks* connected = nullptr;

}  // namespace

const Hooks* hooks() { return connected != nullptr && connected->in_program() ? connected : nullptr; }

}  // namespace hpml::sim::preload

void gpusim_connect(const hpml::sim::preload::Hooks* hooks) { hpml::sim::preload::connected = hooks; }
