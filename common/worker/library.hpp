#pragma once
#include <memory>
#include <string>

#include "common/base/result.hpp"

namespace hpml::worker {

// A function of a shared object, for a Load to open in the worker: opening runs constructors of student code.
class Library {
 public:
  // declaration: of a function "{}", for the message when there is none: "float {}(long n)".
  static Result<Library> load(const std::string& path, const std::string& symbol, const char* declaration);
  template <class F>
  F* function() const {
    return reinterpret_cast<F*>(function_);
  }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  void* function_ = nullptr;
};

}  // namespace hpml::worker
