// NCCL's functions.
#include <fmt/format.h>

#include <cstring>

#include "simulator/libraries/element.hpp"
#include "simulator/nccl/group.hpp"

using namespace hpml::sim::nccl;       // NOLINT(google-build-using-namespace): entry points have no namespace
using namespace hpml::sim::libraries;  // NOLINT(google-build-using-namespace)
namespace cudart = hpml::sim::cudart;

extern "C" int cudaMalloc(void** pointer, size_t bytes);
extern "C" int cudaFree(void* pointer);

namespace {

constexpr int kVersion = 22809;  // NCCL_VERSION(2, 28, 9)
constexpr int kFirstMadeOp = static_cast<int>(Op::scaled_sum);

const char* status_name(int status) {
  switch (status) {
    case kUnhandledCudaError: return "ncclUnhandledCudaError";
    case kSystemError: return "ncclSystemError";
    case kInternalError: return "ncclInternalError";
    case kInvalidArgument: return "ncclInvalidArgument";
    case kInvalidUsage: return "ncclInvalidUsage";
    case kRemoteError: return "ncclRemoteError";
    case kInProgress: return "ncclInProgress";
    default: return "ncclSuccess";
  }
}

int refuse(const ApiRecord& call, const std::string& why, Status status = kInvalidArgument) {
  cudart::say(fmt::format("{}: {}", call.name, why));
  return status;
}

// What `body(Runtime&, const ApiRecord&) -> int` has added to the thread's group begins after it, if no group is open.
template <class Body>
int call(const char* name, Body body) {
  cudart::ThreadState& thread = cudart::this_thread();
  const char* const before = std::exchange(thread.asked_as, name);
  int status = kSuccess;
  cudart::api_call(name, [&](Runtime& runtime, ApiRecord& record) {
    status = body(runtime, record);
    Group::of_this_thread().call_ends(runtime);
    record.status = status != kSuccess ? status_name(status) : nullptr;
    return status != kSuccess ? Error::unknown : Error::success;
  });
  thread.asked_as = before;
  return status;
}

template <class Body>
int with(const char* name, const void* handle, Body body) {
  return call(name, [&](Runtime& runtime, const ApiRecord& record) -> int {
    Communicator* const communicator = Communicators::get().find(handle);
    return communicator != nullptr ? body(runtime, record, *communicator) : refuse(record, "no communicator");
  });
}

template <class T>
int give(T* to, T value) {
  return to != nullptr ? (*to = value, kSuccess) : kInvalidArgument;
}

// ---- Communicators ----

int join(const ApiRecord& record, std::shared_ptr<Clique> clique, int rank, Context& context, void** out) {
  if (const char* const why = clique->join(rank, context); why != nullptr) {
    return refuse(record, fmt::format("rank {} on GPU {}: {}", rank, context.ordinal(), why), kInvalidUsage);
  }
  *out = Communicators::get().add(clique, rank, context);
  Group::of_this_thread().add([clique] { return clique->complete(); });
  return kSuccess;
}

int init_rank(const char* name, void** out, int ranks, const UniqueId& id, int rank) {
  return call(name, [&](Runtime& runtime, const ApiRecord& record) -> int {
    if (out == nullptr || ranks < 1 || rank < 0 || rank >= ranks) {
      return refuse(record, fmt::format("rank {} of {}", rank, ranks));
    }
    Error error = Error::success;
    Context* const context = runtime.context(error);
    if (context == nullptr) {
      return kUnhandledCudaError;
    }
    std::shared_ptr<Clique> clique = Communicators::get().clique(id, ranks);
    return clique != nullptr ? join(record, std::move(clique), rank, *context, out) : static_cast<int>(kSystemError);
  });
}

// ---- Operations ----

// The stream, as if the communicator's GPU were the thread's: null is its default stream.
StreamRef stream_of(Runtime& runtime, const Communicator& communicator, const void* stream) {
  cudart::ThreadState& thread = cudart::this_thread();
  const int before = std::exchange(thread.device, communicator.context->ordinal());
  const StreamRef at = runtime.stream(stream);
  thread.device = before;
  return at;
}

int check_stream(const ApiRecord& record, const Communicator& communicator, StreamRef at) {
  if (at.stream == nullptr || at.context != communicator.context) {
    return refuse(record,
                  fmt::format("the stream is not one of GPU {}, the communicator's", communicator.context->ordinal()));
  }
  return at.stream->capture != nullptr ? refuse(record, "in a stream that is captured is not supported", kInvalidUsage)
                                       : static_cast<int>(kSuccess);
}

bool known_type(int type) { return type >= 0 && type < kTypes; }

std::byte* buffer(Runtime& runtime, const ApiRecord& record, const char* what, const void* pointer, uint64_t bytes) {
  return static_cast<std::byte*>(device_data(runtime, record, what, pointer, bytes));
}

struct Asked {
  const void* in = nullptr;
  void* out = nullptr;
  size_t count = 0;
  int type = 0, op = 0, root = 0;
};

int collective(const char* name, Kind kind, const Asked& asked, void* handle, void* stream) {
  return with(name, handle, [&](Runtime& runtime, const ApiRecord& record, Communicator& communicator) -> int {
    const int ranks = communicator.clique->size();
    if (!known_type(asked.type)) {
      return refuse(record, fmt::format("data type {} is not supported", asked.type));
    }
    const auto factor = communicator.factors.find(asked.op);
    const bool made = factor != communicator.factors.end();
    if (asked.op < 0 || (asked.op >= kFirstMadeOp && !made)) {
      return refuse(record, fmt::format("there is no operation {}", asked.op));
    }
    if (asked.root < 0 || asked.root >= ranks) {
      return refuse(record, fmt::format("root {} of {} ranks", asked.root, ranks));
    }
    const StreamRef at = stream_of(runtime, communicator, stream);
    if (const int status = check_stream(record, communicator, at); status != kSuccess) {
      return status;
    }
    Call one{.operation = {.kind = kind,
                           .count = asked.count,
                           .type = static_cast<Type>(asked.type),
                           .op = made ? Op::scaled_sum : static_cast<Op>(asked.op),
                           .root = asked.root},
             .out_address = asked.out,
             .factor = made ? factor->second : 1};
    const uint64_t in = bytes_in(one.operation, ranks, communicator.rank);
    const uint64_t out = bytes_out(one.operation, ranks, communicator.rank);
    one.in = in > 0 ? buffer(runtime, record, "sendbuff", asked.in, in) : nullptr;
    one.out = out > 0 ? buffer(runtime, record, "recvbuff", asked.out, out) : nullptr;
    if ((in > 0 && one.in == nullptr) || (out > 0 && one.out == nullptr)) {
      return kInvalidArgument;
    }
    Group::of_this_thread().add(communicator, at, one);
    return kSuccess;
  });
}

int message(const char* name, bool sends, const void* pointer, size_t count, int type, int peer, void* handle,
            void* stream) {
  return with(name, handle, [&](Runtime& runtime, const ApiRecord& record, Communicator& communicator) -> int {
    if (!known_type(type)) {
      return refuse(record, fmt::format("data type {} is not supported", type));
    }
    if (peer < 0 || peer >= communicator.clique->size()) {
      return refuse(record, fmt::format("peer {} of {} ranks", peer, communicator.clique->size()));
    }
    const StreamRef at = stream_of(runtime, communicator, stream);
    if (const int status = check_stream(record, communicator, at); status != kSuccess) {
      return status;
    }
    Message one{.sends = sends, .peer = peer, .address = pointer, .bytes = count * size_of(static_cast<Type>(type))};
    one.data = one.bytes > 0 ? buffer(runtime, record, sends ? "sendbuff" : "recvbuff", pointer, one.bytes) : nullptr;
    if (one.bytes > 0 && one.data == nullptr) {
      return kInvalidArgument;
    }
    Group::of_this_thread().add(communicator, at, one);
    return kSuccess;
  });
}

double scalar(const void* place, Type type) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case Type::i8: return as(int8_t{});
    case Type::u8: return as(uint8_t{});
    case Type::i32: return as(int32_t{});
    case Type::u32: return as(uint32_t{});
    case Type::i64: return as(int64_t{});
    case Type::u64: return as(uint64_t{});
    case Type::f16: return from_half(static_cast<uint16_t>(as(uint16_t{})));
    case Type::f32: return as(float{});
    case Type::f64: return as(double{});
    case Type::bf16: break;
  }
  return from_bfloat(static_cast<uint16_t>(as(uint16_t{})));
}

}  // namespace

HPML_LIBRARY_API int ncclGetVersion(int* version) {
  return call("ncclGetVersion", [&](Runtime&, const ApiRecord&) { return give(version, kVersion); });
}

HPML_LIBRARY_API const char* ncclGetErrorString(int status) {
  switch (status) {
    case kSuccess: return "no error";
    case kUnhandledCudaError: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case kSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case kInternalError: return "internal error - please report this issue to the NCCL developers";
    case kInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case kInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case kRemoteError: return "remote process exited or there was a network error";
    case kInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}

HPML_LIBRARY_API const char* ncclGetLastError(void*) { return ""; }

HPML_LIBRARY_API int ncclGetUniqueId(UniqueId* id) {
  return call("ncclGetUniqueId", [&](Runtime&, const ApiRecord&) { return give(id, Communicators::get().new_id()); });
}

HPML_LIBRARY_API int ncclCommInitRank(void** out, int ranks, UniqueId id, int rank) {
  return init_rank("ncclCommInitRank", out, ranks, id, rank);
}

HPML_LIBRARY_API int ncclCommInitRankConfig(void** out, int ranks, UniqueId id, int rank, const void*) {
  return init_rank("ncclCommInitRankConfig", out, ranks, id, rank);
}

HPML_LIBRARY_API int ncclCommInitRankScalable(void** out, int ranks, int rank, int ids, const UniqueId* id,
                                              const void*) {
  return ids > 0 && id != nullptr ? init_rank("ncclCommInitRankScalable", out, ranks, *id, rank)
                                  : static_cast<int>(kInvalidArgument);
}

HPML_LIBRARY_API int ncclCommInitAll(void** out, int gpus, const int* list) {
  return call("ncclCommInitAll", [&](Runtime& runtime, const ApiRecord& record) -> int {
    if (out == nullptr || gpus < 1) {
      return kInvalidArgument;
    }
    const auto clique = std::make_shared<Clique>(gpus);
    for (int rank = 0; rank < gpus; ++rank) {
      const int gpu = list != nullptr ? list[rank] : rank;
      Context* const context = gpu >= 0 && gpu < runtime.device_count() ? runtime.device(gpu) : nullptr;
      if (context == nullptr) {
        return refuse(record, fmt::format("there is no GPU {}: `gpusim run --gpus N` simulates N of them", gpu),
                      kUnhandledCudaError);
      }
      if (const int status = join(record, clique, rank, *context, &out[rank]); status != kSuccess) {
        return status;
      }
    }
    return kSuccess;
  });
}

HPML_LIBRARY_API int ncclCommSplit(void* handle, int color, int key, void** out, const void*) {
  return with("ncclCommSplit", handle, [&](Runtime&, const ApiRecord&, Communicator& communicator) -> int {
    if (out == nullptr || color < -1) {
      return kInvalidArgument;
    }
    const uint64_t number = communicator.splits++;
    communicator.clique->ask_split(communicator.rank, number, color, key);
    Group::of_this_thread().add(
        [=, clique = communicator.clique, rank = communicator.rank, context = communicator.context] {
          const std::optional<Clique::Place> place = clique->split(rank, number);
          if (place) {
            *out = place->clique != nullptr ? Communicators::get().add(place->clique, place->rank, *context) : nullptr;
          }
          return place.has_value();
        });
    return kSuccess;
  });
}

// What is on its way keeps what it needs.
HPML_LIBRARY_API int ncclCommDestroy(void* handle) {
  if (handle == nullptr) {
    return kSuccess;
  }
  return with("ncclCommDestroy", handle, [](Runtime&, const ApiRecord&, const Communicator& communicator) {
    Communicators::get().remove(&communicator);
    return kSuccess;
  });
}
HPML_LIBRARY_API int ncclCommAbort(void* handle) { return ncclCommDestroy(handle); }
HPML_LIBRARY_API int ncclCommFinalize(void* handle) {
  return with("ncclCommFinalize", handle, [](Runtime&, const ApiRecord&, const Communicator&) { return kSuccess; });
}

HPML_LIBRARY_API int ncclCommGetAsyncError(void* handle, int* error) {
  return with("ncclCommGetAsyncError", handle, [&](Runtime&, const ApiRecord&, const Communicator& communicator) {
    return give(error, static_cast<int>(communicator.clique->broken() ? kInvalidUsage : kSuccess));
  });
}
HPML_LIBRARY_API int ncclCommCount(void* handle, int* count) {
  return with("ncclCommCount", handle, [&](Runtime&, const ApiRecord&, const Communicator& communicator) {
    return give(count, communicator.clique->size());
  });
}
HPML_LIBRARY_API int ncclCommCuDevice(void* handle, int* device) {
  return with("ncclCommCuDevice", handle, [&](Runtime&, const ApiRecord&, const Communicator& communicator) {
    return give(device, communicator.context->ordinal());
  });
}
HPML_LIBRARY_API int ncclCommUserRank(void* handle, int* rank) {
  return with("ncclCommUserRank", handle, [&](Runtime&, const ApiRecord&, const Communicator& communicator) {
    return give(rank, communicator.rank);
  });
}

// Registered buffers are faster on a real machine; here they are all alike.
HPML_LIBRARY_API int ncclCommRegister(void* handle, void* buffer, size_t, void** registration) {
  return with("ncclCommRegister", handle,
              [&](Runtime&, const ApiRecord&, const Communicator&) { return give(registration, buffer); });
}
HPML_LIBRARY_API int ncclCommDeregister(void* handle, void*) {
  return with("ncclCommDeregister", handle, [](Runtime&, const ApiRecord&, const Communicator&) { return kSuccess; });
}

HPML_LIBRARY_API int ncclMemAlloc(void** pointer, size_t bytes) {
  return cudaMalloc(pointer, bytes) == 0 ? kSuccess : kUnhandledCudaError;
}
HPML_LIBRARY_API int ncclMemFree(void* pointer) { return cudaFree(pointer) == 0 ? kSuccess : kUnhandledCudaError; }

HPML_LIBRARY_API int ncclRedOpCreatePreMulSum(int* op, void* value, int type, int, void* handle) {
  return with("ncclRedOpCreatePreMulSum", handle,
              [&](Runtime& runtime, const ApiRecord& record, Communicator& communicator) -> int {
                const void* const place =
                    known_type(type) ? any_data(runtime, value, size_of(static_cast<Type>(type))) : nullptr;
                if (op == nullptr || place == nullptr) {
                  return refuse(record, "the scalar cannot be read, or its type is not supported");
                }
                *op = communicator.factors.empty() ? kFirstMadeOp : communicator.factors.rbegin()->first + 1;
                communicator.factors[*op] = scalar(place, static_cast<Type>(type));
                return kSuccess;
              });
}
HPML_LIBRARY_API int ncclRedOpDestroy(int op, void* handle) {
  return with("ncclRedOpDestroy", handle, [&](Runtime&, const ApiRecord&, Communicator& communicator) {
    return communicator.factors.erase(op) > 0 ? kSuccess : kInvalidArgument;
  });
}

HPML_LIBRARY_API int ncclAllReduce(const void* in, void* out, size_t count, int type, int op, void* handle,
                                   void* stream) {
  return collective("ncclAllReduce", Kind::all_reduce, {in, out, count, type, op, 0}, handle, stream);
}
HPML_LIBRARY_API int ncclReduce(const void* in, void* out, size_t count, int type, int op, int root, void* handle,
                                void* stream) {
  return collective("ncclReduce", Kind::reduce, {in, out, count, type, op, root}, handle, stream);
}
HPML_LIBRARY_API int ncclBroadcast(const void* in, void* out, size_t count, int type, int root, void* handle,
                                   void* stream) {
  return collective("ncclBroadcast", Kind::broadcast, {in, out, count, type, 0, root}, handle, stream);
}
HPML_LIBRARY_API int ncclBcast(void* buffer, size_t count, int type, int root, void* handle, void* stream) {
  return collective("ncclBcast", Kind::broadcast, {buffer, buffer, count, type, 0, root}, handle, stream);
}
HPML_LIBRARY_API int ncclAllGather(const void* in, void* out, size_t count, int type, void* handle, void* stream) {
  return collective("ncclAllGather", Kind::all_gather, {in, out, count, type, 0, 0}, handle, stream);
}
HPML_LIBRARY_API int ncclReduceScatter(const void* in, void* out, size_t count, int type, int op, void* handle,
                                       void* stream) {
  return collective("ncclReduceScatter", Kind::reduce_scatter, {in, out, count, type, op, 0}, handle, stream);
}
HPML_LIBRARY_API int ncclAlltoAll(const void* in, void* out, size_t count, int type, void* handle, void* stream) {
  return collective("ncclAlltoAll", Kind::all_to_all, {in, out, count, type, 0, 0}, handle, stream);
}
HPML_LIBRARY_API int ncclGather(const void* in, void* out, size_t count, int type, int root, void* handle,
                                void* stream) {
  return collective("ncclGather", Kind::gather, {in, out, count, type, 0, root}, handle, stream);
}
HPML_LIBRARY_API int ncclScatter(const void* in, void* out, size_t count, int type, int root, void* handle,
                                 void* stream) {
  return collective("ncclScatter", Kind::scatter, {in, out, count, type, 0, root}, handle, stream);
}

HPML_LIBRARY_API int ncclSend(const void* buffer, size_t count, int type, int peer, void* handle, void* stream) {
  return message("ncclSend", true, buffer, count, type, peer, handle, stream);
}
HPML_LIBRARY_API int ncclRecv(void* buffer, size_t count, int type, int peer, void* handle, void* stream) {
  return message("ncclRecv", false, buffer, count, type, peer, handle, stream);
}

HPML_LIBRARY_API int ncclGroupStart() {
  return call("ncclGroupStart", [](Runtime&, const ApiRecord&) {
    Group::of_this_thread().start();
    return kSuccess;
  });
}
HPML_LIBRARY_API int ncclGroupEnd() {
  return call("ncclGroupEnd", [](Runtime& runtime, const ApiRecord& record) -> int {
    return Group::of_this_thread().end(runtime)
               ? static_cast<int>(kSuccess)
               : refuse(record, "not in a group call: ncclGroupStart is missing", kInvalidUsage);
  });
}
