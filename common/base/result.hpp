#pragma once
// Result<T, E>: a value or the reason there is none. Our std::expected until the distributions' compilers have it.
#include <optional>
#include <utility>
#include <variant>

#include "common/base/check.hpp"
#include "common/base/diag.hpp"

namespace hpml {

template <class T, class E = Diag>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return checked_value(); }
  const T& value() const& { return const_cast<Result*>(this)->checked_value(); }
  T&& value() && { return std::move(checked_value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& error() const {
    HPML_CHECK(!ok(), "error() of a successful Result");
    return std::get<1>(state_);
  }

 private:
  T& checked_value() {
    HPML_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(state_);
  }
  std::variant<T, E> state_;
};

// Result<void>: success, or the reason for failure. `return Ok{};`
struct Ok {};
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result(Ok) {}                                  // NOLINT(google-explicit-constructor)
  Result(E error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const E& error() const {
    HPML_CHECK(!ok(), "error() of a successful Result");
    return *error_;
  }

 private:
  std::optional<E> error_;
};

}  // namespace hpml

// HPML_TRY(auto x, f()): x = value of f(), or return its error from the enclosing function.
#define HPML_CONCAT_INNER(a, b) a##b
#define HPML_CONCAT(a, b) HPML_CONCAT_INNER(a, b)
#define HPML_TRY(declaration, expression) HPML_TRY_IMPL(HPML_CONCAT(hpml_try_, __LINE__), declaration, expression)
#define HPML_TRY_IMPL(result, declaration, expression) \
  auto result = (expression);                          \
  if (!result.ok()) {                                  \
    return result.error();                             \
  }                                                    \
  declaration = std::move(result).value()
#define HPML_TRY_VOID(expression)                                     \
  do {                                                                \
    if (auto hpml_try_result = (expression); !hpml_try_result.ok()) { \
      return hpml_try_result.error();                                 \
    }                                                                 \
  } while (false)
