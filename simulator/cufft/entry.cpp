// cuFFT's functions: plans by number, and their executions.
#include <map>

#include "simulator/cufft/plan.hpp"
#include "simulator/libraries/frame.hpp"

using namespace hpml::sim::cufft;      // NOLINT(google-build-using-namespace): entry points have no namespace
using namespace hpml::sim::libraries;  // NOLINT(google-build-using-namespace)

namespace {

enum Status : int {  // cufftResult
  kSuccess = 0,
  kInvalidPlan = 1,
  kInvalidType = 3,
  kInvalidValue = 4,
  kInternalError = 5,
  kExecFailed = 6,
  kInvalidSize = 8
};

const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CUFFT_SUCCESS";
    case kInvalidPlan: return "CUFFT_INVALID_PLAN";
    case kInvalidType: return "CUFFT_INVALID_TYPE";
    case kInvalidValue: return "CUFFT_INVALID_VALUE";
    case kExecFailed: return "CUFFT_EXEC_FAILED";
    case kInvalidSize: return "CUFFT_INVALID_SIZE";
    default: return "CUFFT_INTERNAL_ERROR";
  }
}

constexpr int64_t kMostElements = int64_t{1} << 28U;  // of a transform: memory of the machine, not of the GPU

struct Handle {
  std::shared_ptr<const Plan> plan;  // none until it is made; kept by work that is on its way
  void* stream = nullptr;
};

// Calls are made one at a time: the frame holds the runtime's lock.
std::map<int, Handle>& handles() {
  static auto* const all = new std::map<int, Handle>;
  return *all;
}

template <class Body>
int call(const char* name, Body body) {
  return library_call(name, status_name, kInternalError, [&](Runtime&, Context&, ApiRecord&) -> int { return body(); });
}

template <class Body>
int on(const char* name, int number, Body body) {
  return call(name, [&]() -> int {
    const auto found = handles().find(number);
    return found == handles().end() ? static_cast<int>(kInvalidPlan) : body(found->second);
  });
}

int create(int* number) {
  static int next = 1;
  if (number == nullptr) {
    return kInvalidValue;
  }
  *number = next++;
  handles()[*number];
  return kSuccess;
}

template <class Size>
std::optional<Side> side(int rank, const Size* embed, int64_t stride, int64_t distance) {
  Side found{.embed = {1, 1, 1}, .stride = stride, .distance = distance};
  for (int i = 0; i < rank; ++i) {
    found.embed[static_cast<size_t>(3 - rank + i)] = embed[i];
    if (embed[i] < 1) {
      return std::nullopt;
    }
  }
  return stride >= 1 && distance >= 0 ? std::optional(found) : std::nullopt;
}

int make(Handle& handle, const std::vector<int64_t>& lengths, int type, int64_t batch,
         const std::optional<std::array<Side, 2>>& sides, size_t* work) {
  if (handle.plan != nullptr) {
    return kInvalidPlan;
  }
  if (!known(type)) {
    return kInvalidType;
  }
  int64_t elements = 1;
  for (const int64_t length : lengths) {
    if (length < 1 || length > kMostElements / elements) {
      return kInvalidSize;
    }
    elements *= length;
  }
  if (batch < 1) {
    return kInvalidSize;
  }
  handle.plan = std::make_shared<Plan>(type, lengths, batch, sides);
  if (work != nullptr) {
    *work = 0;
  }
  return kSuccess;
}

template <class Size>
int make_many(Handle& handle, int rank, const Size* lengths, const Size* inembed, Size istride, Size idist,
              const Size* onembed, Size ostride, Size odist, int type, Size batch, size_t* work) {
  if (rank < 1 || rank > 3 || lengths == nullptr) {
    return rank < 1 || rank > 3 ? kInvalidValue : kInvalidSize;
  }
  std::optional<std::array<Side, 2>> sides;
  if (inembed != nullptr && onembed != nullptr) {
    const auto from = side(rank, inembed, istride, idist), to = side(rank, onembed, ostride, odist);
    if (!from || !to) {
      return kInvalidValue;
    }
    sides = {*from, *to};
  }
  return make(handle, std::vector<int64_t>(lengths, lengths + rank), type, batch, sides, work);
}

// cufftPlan...: a new handle with a plan, or none.
template <class Make>
int plan(const char* name, int* number, Make make_it) {
  return call(name, [&]() -> int {
    if (const int status = create(number); status != kSuccess) {
      return status;
    }
    const int status = make_it(handles()[*number]);
    if (status != kSuccess) {
      handles().erase(*number);
    }
    return status;
  });
}

LibraryKernel kernel_of(const char* name, const Plan& plan, uint64_t read, uint64_t written) {
  constexpr int64_t kThreads = 256, kPerThread = 8, kMostBlocks = int64_t{1} << 20U;
  // Between its barriers a block waits: half of the arithmetic rate, where memory does not bind anyway. An assumption.
  constexpr double kEfficiency = 0.5;
  LibraryKernel kernel;
  kernel.name = name;
  kernel.grid = {static_cast<uint32_t>(std::clamp<int64_t>(plan.elements() / (kThreads * kPerThread), 1, kMostBlocks)),
                 1, 1};
  kernel.block = {kThreads, 1, 1};
  kernel.registers = 64;
  kernel.math = plan.is_double() ? hpml::sim::device::Math::fp64 : hpml::sim::device::Math::fp32;
  kernel.flops = plan.flops();
  kernel.efficiency = kEfficiency;
  const auto passes = static_cast<uint64_t>(plan.passes());
  kernel.dram_read = passes * read;
  kernel.dram_write = passes * written;
  kernel.l2 = passes * (read + written);
  return kernel;
}

int execute(const char* name, int number, int type, void* input, void* output, bool inverse) {
  return library_call(
      name, status_name, kExecFailed, [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
        const auto found = handles().find(number);
        if (found == handles().end() || found->second.plan == nullptr) {
          return kInvalidPlan;
        }
        const auto& made = found->second.plan;
        if (made->type() != type) {
          return kInvalidValue;
        }
        const bool in_place = input == output;
        const uint64_t read = made->input_bytes(in_place), written = made->output_bytes(in_place);
        const void* from = device_data(runtime, record, "the input", input, read);
        void* to = device_data(runtime, record, "the output", output, written);
        if (from == nullptr || to == nullptr) {
          return kExecFailed;
        }
        const auto body = [plan = made, from, to, inverse] { plan->execute(from, to, inverse); };
        const Error error = launch(
            runtime, context, found->second.stream,
            {.kernel = kernel_of(name, *made, read, written), .body = body, .output = output, .output_bytes = written});
        return error == Error::success ? kSuccess : kExecFailed;
      });
}

constexpr int kForward = -1, kInverse = 1;

// The type of a transform between these cudaDataTypes (0 float, 1 double, 4 and 5 complex). None: of another precision.
std::optional<int> type_of(int input, int output) {
  switch (input * 8 + output) {
    case 0 * 8 + 4: return kR2c;
    case 4 * 8 + 0: return kC2r;
    case 4 * 8 + 4: return kC2c;
    case 1 * 8 + 5: return kD2z;
    case 5 * 8 + 1: return kZ2d;
    case 5 * 8 + 5: return kZ2z;
    default: return std::nullopt;
  }
}

int execute_directed(const char* name, int number, int type, void* input, void* output, int direction) {
  if (direction != kForward && direction != kInverse) {
    return call(name, [] { return kInvalidValue; });
  }
  return execute(name, number, type, input, output, direction == kInverse);
}

}  // namespace

HPML_LIBRARY_API int cufftCreate(int* number) {
  return call("cufftCreate", [&] { return create(number); });
}
HPML_LIBRARY_API int cufftDestroy(int number) {
  return call("cufftDestroy", [&] { return handles().erase(number) == 1 ? kSuccess : kInvalidPlan; });
}
HPML_LIBRARY_API int cufftSetStream(int number, void* stream) {
  return on("cufftSetStream", number, [&](Handle& handle) {
    handle.stream = stream;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cufftPlan1d(int* number, int n, int type, int batch) {
  return plan("cufftPlan1d", number, [&](Handle& to) { return make(to, {n}, type, batch, std::nullopt, nullptr); });
}
HPML_LIBRARY_API int cufftPlan2d(int* number, int n0, int n1, int type) {
  return plan("cufftPlan2d", number, [&](Handle& to) { return make(to, {n0, n1}, type, 1, std::nullopt, nullptr); });
}
HPML_LIBRARY_API int cufftPlan3d(int* number, int n0, int n1, int n2, int type) {
  return plan("cufftPlan3d", number, [&](Handle& to) {
    return make(to, {n0, n1, n2}, type, 1, std::nullopt, nullptr);
  });
}
HPML_LIBRARY_API int cufftPlanMany(int* number, int rank, int* lengths, int* inembed, int istride, int idist,
                                   int* onembed, int ostride, int odist, int type, int batch) {
  return plan("cufftPlanMany", number, [&](Handle& to) {
    return make_many(to, rank, lengths, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
  });
}
HPML_LIBRARY_API int cufftMakePlan1d(int number, int n, int type, int batch, size_t* work) {
  return on("cufftMakePlan1d", number, [&](Handle& to) { return make(to, {n}, type, batch, std::nullopt, work); });
}
HPML_LIBRARY_API int cufftMakePlan2d(int number, int n0, int n1, int type, size_t* work) {
  return on("cufftMakePlan2d", number, [&](Handle& to) { return make(to, {n0, n1}, type, 1, std::nullopt, work); });
}
HPML_LIBRARY_API int cufftMakePlan3d(int number, int n0, int n1, int n2, int type, size_t* work) {
  return on("cufftMakePlan3d", number, [&](Handle& to) { return make(to, {n0, n1, n2}, type, 1, std::nullopt, work); });
}
HPML_LIBRARY_API int cufftMakePlanMany(int number, int rank, int* lengths, int* inembed, int istride, int idist,
                                       int* onembed, int ostride, int odist, int type, int batch, size_t* work) {
  return on("cufftMakePlanMany", number, [&](Handle& to) {
    return make_many(to, rank, lengths, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
  });
}
HPML_LIBRARY_API int cufftGetSize(int number, size_t* work) {
  return on("cufftGetSize", number, [&](Handle& of) {
    if (work != nullptr) {
      *work = 0;
    }
    return of.plan != nullptr && work != nullptr ? kSuccess : kInvalidPlan;
  });
}
HPML_LIBRARY_API int cufftSetAutoAllocation(int number, int) {
  return on("cufftSetAutoAllocation", number, [](Handle&) { return kSuccess; });
}
HPML_LIBRARY_API int cufftSetWorkArea(int number, void*) {
  return on("cufftSetWorkArea", number, [](Handle&) { return kSuccess; });
}
HPML_LIBRARY_API int cufftGetVersion(int* version) {
  if (version == nullptr) {
    return kInvalidValue;
  }
  *version = major() * 1000;
  return kSuccess;
}
HPML_LIBRARY_API int cufftExecC2C(int number, void* input, void* output, int direction) {
  return execute_directed("cufftExecC2C", number, kC2c, input, output, direction);
}
HPML_LIBRARY_API int cufftExecZ2Z(int number, void* input, void* output, int direction) {
  return execute_directed("cufftExecZ2Z", number, kZ2z, input, output, direction);
}
HPML_LIBRARY_API int cufftExecR2C(int number, void* input, void* output) {
  return execute("cufftExecR2C", number, kR2c, input, output, false);
}
HPML_LIBRARY_API int cufftExecD2Z(int number, void* input, void* output) {
  return execute("cufftExecD2Z", number, kD2z, input, output, false);
}
HPML_LIBRARY_API int cufftExecC2R(int number, void* input, void* output) {
  return execute("cufftExecC2R", number, kC2r, input, output, true);
}
HPML_LIBRARY_API int cufftExecZ2D(int number, void* input, void* output) {
  return execute("cufftExecZ2D", number, kZ2d, input, output, true);
}

HPML_LIBRARY_API int cufftMakePlanMany64(int number, int rank, long long* lengths, long long* inembed,
                                         long long istride, long long idist, long long* onembed, long long ostride,
                                         long long odist, int type, long long batch, size_t* work) {
  return on("cufftMakePlanMany64", number, [&](Handle& to) {
    return make_many(to, rank, lengths, inembed, istride, idist, onembed, ostride, odist, type, batch, work);
  });
}
HPML_LIBRARY_API int cufftXtMakePlanMany(int number, int rank, long long* lengths, long long* inembed,
                                         long long istride, long long idist, int input, long long* onembed,
                                         long long ostride, long long odist, int output, long long batch, size_t* work,
                                         int) {
  return on("cufftXtMakePlanMany", number, [&](Handle& to) -> int {
    const auto type = type_of(input, output);
    if (!type) {
      say_not_supported("cufftXtMakePlanMany between cudaDataType " + std::to_string(input) + " and " +
                        std::to_string(output));
      return kInvalidType;
    }
    return make_many(to, rank, lengths, inembed, istride, idist, onembed, ostride, odist, *type, batch, work);
  });
}
HPML_LIBRARY_API int cufftXtExec(int number, void* input, void* output, int direction) {
  const auto found = handles().find(number);
  const int type = found != handles().end() && found->second.plan != nullptr ? found->second.plan->type() : kC2c;
  const bool real = type != kC2c && type != kZ2z;
  return real ? execute("cufftXtExec", number, type, input, output, type == kC2r || type == kZ2d)
              : execute_directed("cufftXtExec", number, type, input, output, direction);
}
HPML_LIBRARY_API int cufftGetProperty(int property, int* value) {
  return call("cufftGetProperty", [&] {
    if (value == nullptr) {
      return kInvalidValue;
    }
    *value = property == 0 ? major() : 0;
    return kSuccess;
  });
}
