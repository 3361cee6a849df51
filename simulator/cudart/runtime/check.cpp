#include "simulator/cudart/runtime/check.hpp"

#include <nlohmann/json.hpp>

#include "simulator/sanitize/report.hpp"
#include "simulator/sanitize/sanitizer.hpp"

namespace hpml::sim::cudart {
namespace {

// The device whose memory the address is in; null: the host's.
Context* owner_of(Runtime& runtime, uint64_t address) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context != nullptr && context->memory().find(address) != nullptr) {
      return context;
    }
  }
  return nullptr;
}

template <class F>
void for_rows(Runtime& runtime, const Rows& rows, F f) {
  if (!runtime.config.check.any()) {
    return;
  }
  Context* owner = owner_of(runtime, rows.address);
  if (owner == nullptr || owner->device().sanitizer() == nullptr) {
    return;
  }
  const bool one = rows.pitch == rows.width;
  for (uint64_t layer = 0; layer < rows.depth; ++layer) {
    for (uint64_t row = 0; row < (one ? 1 : rows.height); ++row) {
      f(*owner->device().sanitizer(), rows.address + layer * rows.slice + row * rows.pitch,
        one ? rows.width * rows.height : rows.width);
    }
  }
  say_findings(*owner);
}

std::vector<const sanitize::Findings*> all_findings(Runtime& runtime) {
  std::vector<const sanitize::Findings*> all;
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context != nullptr && context->device().sanitizer() != nullptr) {
      all.push_back(&context->device().sanitizer()->findings());
    }
  }
  return all;
}

uint64_t number_of_this_call(const Runtime& runtime) { return runtime.log.api_calls + 1; }

}  // namespace

void check_allocated(const Runtime& runtime, Context& context, const ApiRecord& call, uint64_t address) {
  if (sanitize::Sanitizer* sanitizer = context.device().sanitizer()) {
    sanitizer->host_allocated(call.name, number_of_this_call(runtime), address);
  }
}

void check_host_writes(Runtime& runtime, const Rows& rows) {
  for_rows(runtime, rows, [](sanitize::Sanitizer& sanitizer, uint64_t address, uint64_t bytes) {
    sanitizer.host_wrote(address, bytes);
  });
}

void check_host_reads(Runtime& runtime, const ApiRecord& call, const Rows& rows) {
  for_rows(runtime, rows, [&](sanitize::Sanitizer& sanitizer, uint64_t address, uint64_t bytes) {
    sanitizer.host_reads(call.name, address, bytes);
  });
}

void check_free_failed(Runtime& runtime, ApiRecord& call, const void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Context* context = runtime.config.check.any() ? runtime.device(this_thread().device) : nullptr;
  for (int ordinal = 0; context != nullptr && ordinal < runtime.device_count(); ++ordinal) {
    Context* other = runtime.started(ordinal);
    if (other != nullptr && (other->memory().find(address) != nullptr || other->memory().freed(address) != nullptr)) {
      context = other;
    }
  }
  if (context != nullptr && context->device().sanitizer() != nullptr) {
    context->device().sanitizer()->host_free_failed(call.name, address);
    call.error_told = context->device().sanitizer()->tools().has(sanitize::Tool::memcheck);
    say_findings(*context);
  }
}

void check_api_error(Runtime& runtime, const ApiRecord& call) {
  if (!runtime.config.check.any() || call.error_told) {
    return;
  }
  Context* context = runtime.device(this_thread().device);
  // What a fault left behind is answered with it by every call: the fault itself has been told.
  if (context == nullptr || context->faulted() || context->device().sanitizer() == nullptr) {
    return;
  }
  const int code = static_cast<int>(call.result);
  context->device().sanitizer()->api_failed(call.name, number_of_this_call(runtime), error_name(code),
                                            error_string(code));
  say_findings(*context);
}

void check_leaks(Context& context) {
  if (sanitize::Sanitizer* sanitizer = context.device().sanitizer(); sanitizer != nullptr && !context.faulted()) {
    sanitizer->report_leaks();
    say_findings(context);
  }
}

void say_findings(Context& context) {
  if (sanitize::Sanitizer* sanitizer = context.device().sanitizer()) {
    for (const std::string& text : sanitizer->take_text()) {
      say(text);
    }
  }
}

uint64_t check_errors(Runtime& runtime) {
  uint64_t errors = 0;
  for (const sanitize::Findings* findings : all_findings(runtime)) {
    errors += findings->count(sanitize::Severity::error);
  }
  return errors;
}

nlohmann::ordered_json check_json(Runtime& runtime) {
  return sanitize::to_json(runtime.config.check, all_findings(runtime));
}

std::string check_summary(Runtime& runtime) { return sanitize::summary(all_findings(runtime)); }

}  // namespace hpml::sim::cudart
