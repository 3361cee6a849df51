// Handles, parameters of algorithms, versions.
#include "simulator/cusolver/entry.hpp"

using namespace hpml::sim::cusolver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

int create(const char* name, Handle** made) {
  return libraries::library_call(name, status_name, kNotInitialized, [&](Runtime&, Context&, ApiRecord&) -> int {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new Handle;
    return kSuccess;
  });
}
int destroy(const char* name, Handle* handle) {
  return solver_call(name, handle, [&](Job&) {
    delete handle;
    return kSuccess;
  });
}
int set_stream(const char* name, Handle* handle, void* stream) {
  return solver_call(name, handle, [&](Job&) {
    handle->stream = stream;
    return kSuccess;
  });
}
int get_stream(const char* name, Handle* handle, void** to) {
  return solver_call(name, handle, [&](Job&) {
    if (to == nullptr) {
      return kInvalidValue;
    }
    *to = handle->stream;
    return kSuccess;
  });
}

// Tolerances and limits of Jacobi's method. The results here are those of a tolerance of the machine's precision.
struct JacobiInfo {
  double tolerance = 0;
  int most_sweeps = 100;
  int sorted = 1;
};
struct Params {
  int unused = 0;
};

template <class Object>
int make(const char* name, Object** made) {
  return libraries::host_call(name, status_name, [&]() -> int {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new Object;
    return kSuccess;
  });
}
template <class Object>
int drop(const char* name, const Object* old) {
  return libraries::host_call(name, status_name, [&]() -> int {
    delete old;
    return kSuccess;
  });
}
template <class Object, class Change>
int change(const char* name, Object* object, Change f) {
  return libraries::host_call(name, status_name, [&]() -> int {
    if (object == nullptr) {
      return kInvalidValue;
    }
    f(*object);
    return kSuccess;
  });
}
template <class Value>
int give(const char* name, Value* to, Value value) {
  return change(name, to, [&](Value& place) { place = value; });
}

}  // namespace

#define HPML_HANDLES(Kind)                                                                                             \
  HPML_LIBRARY_API int cusolver##Kind##Create(Handle** made) { return create("cusolver" #Kind "Create", made); }       \
  HPML_LIBRARY_API int cusolver##Kind##Destroy(Handle* handle) { return destroy("cusolver" #Kind "Destroy", handle); } \
  HPML_LIBRARY_API int cusolver##Kind##SetStream(Handle* handle, void* stream) {                                       \
    return set_stream("cusolver" #Kind "SetStream", handle, stream);                                                   \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusolver##Kind##GetStream(Handle* handle, void** stream) {                                      \
    return get_stream("cusolver" #Kind "GetStream", handle, stream);                                                   \
  }
HPML_HANDLES(Dn)
HPML_HANDLES(Sp)
#undef HPML_HANDLES

HPML_LIBRARY_API int cusolverDnCreateParams(Params** made) { return make("cusolverDnCreateParams", made); }
HPML_LIBRARY_API int cusolverDnDestroyParams(const Params* old) { return drop("cusolverDnDestroyParams", old); }
// Algorithms differ in speed on a GPU, and in nothing here.
HPML_LIBRARY_API int cusolverDnSetAdvOptions(Params* params, int, int) {
  return change("cusolverDnSetAdvOptions", params, [](Params&) {});
}
HPML_LIBRARY_API int cusolverDnSetDeterministicMode(Handle* handle, int mode) {
  return change("cusolverDnSetDeterministicMode", handle, [&](Handle& h) { h.deterministic = mode; });
}
HPML_LIBRARY_API int cusolverDnGetDeterministicMode(const Handle* handle, int* mode) {
  return give("cusolverDnGetDeterministicMode", mode, handle != nullptr ? handle->deterministic : 1);
}

#define HPML_JACOBI(Create, Destroy, set)                                                                      \
  HPML_LIBRARY_API int cusolverDn##Create(JacobiInfo** made) { return make("cusolverDn" #Create, made); }      \
  HPML_LIBRARY_API int cusolverDn##Destroy(const JacobiInfo* old) { return drop("cusolverDn" #Destroy, old); } \
  HPML_LIBRARY_API int cusolverDn##set##SetTolerance(JacobiInfo* info, double tolerance) {                     \
    return change("cusolverDn" #set "SetTolerance", info, [&](JacobiInfo& i) { i.tolerance = tolerance; });    \
  }                                                                                                            \
  HPML_LIBRARY_API int cusolverDn##set##SetMaxSweeps(JacobiInfo* info, int sweeps) {                           \
    return change("cusolverDn" #set "SetMaxSweeps", info, [&](JacobiInfo& i) { i.most_sweeps = sweeps; });     \
  }                                                                                                            \
  HPML_LIBRARY_API int cusolverDn##set##GetResidual(Handle*, const JacobiInfo*, double* residual) {            \
    return give("cusolverDn" #set "GetResidual", residual, 0.0);                                               \
  }                                                                                                            \
  HPML_LIBRARY_API int cusolverDn##set##GetSweeps(Handle*, const JacobiInfo*, int* sweeps) {                   \
    return give("cusolverDn" #set "GetSweeps", sweeps, 1);                                                     \
  }
HPML_JACOBI(CreateGesvdjInfo, DestroyGesvdjInfo, Xgesvdj)
HPML_JACOBI(CreateSyevjInfo, DestroySyevjInfo, Xsyevj)
#undef HPML_JACOBI
// Values are always in order here, which is one of the orders that an unsorted result may have.
HPML_LIBRARY_API int cusolverDnXgesvdjSetSortEig(JacobiInfo* info, int sorted) {
  return change("cusolverDnXgesvdjSetSortEig", info, [&](JacobiInfo& i) { i.sorted = sorted; });
}
HPML_LIBRARY_API int cusolverDnXsyevjSetSortEig(JacobiInfo* info, int sorted) {
  return change("cusolverDnXsyevjSetSortEig", info, [&](JacobiInfo& i) { i.sorted = sorted; });
}

HPML_LIBRARY_API int cusolverGetVersion(int* version) {
  return give("cusolverGetVersion", version, libraries::major() * 1000);
}
HPML_LIBRARY_API int cusolverGetProperty(int property, int* value) {
  return give("cusolverGetProperty", value, property == 0 ? libraries::major() : 0);
}
