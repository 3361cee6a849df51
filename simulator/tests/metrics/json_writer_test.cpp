// Is the text of JsonWriter the one that a JSON library gives for the same values?
#include "simulator/metrics/json_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace hpml::sim::metrics {
namespace {

using Json = nlohmann::ordered_json;

std::string library_text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

template <class T>
std::string text_of(const T& value) {
  JsonWriter out;
  out.value(value);
  return out.take();
}

TEST(JsonWriter, WritesNumbersAsTheLibraryDoes) {
  std::mt19937_64 random(7);
  std::vector<double> numbers = {0.0,  -0.0, 1.0,    -3.0,   0.1,   1e14, 999999999999999.0, 1e15,     1e16,
                                 1e22, 1e-5, 1e-300, 5e-324, 2.5e9, NAN,  INFINITY,          -INFINITY};
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 120) - 60);
    numbers.push_back(static_cast<double>(random() % 1'000'000) * scale);
  }
  for (const double number : numbers) {
    EXPECT_EQ(text_of(number), library_text(Json(number)));
  }
  EXPECT_EQ(text_of(std::numeric_limits<uint64_t>::max()), library_text(Json(std::numeric_limits<uint64_t>::max())));
  EXPECT_EQ(text_of(std::numeric_limits<int64_t>::min()), library_text(Json(std::numeric_limits<int64_t>::min())));
  EXPECT_EQ(text_of(true), "true");
}

TEST(JsonWriter, EscapesTextAsTheLibraryDoes) {
  for (const std::string text :
       {"", "plain", "a \"quoted\" \\ word", "line\nbreak\ttab", "\x01", "caf\xc3\xa9", "\xff bad"}) {
    EXPECT_EQ(text_of(std::string_view(text)), library_text(Json(text)));
  }
}

TEST(JsonWriter, NestsAndIndentsAsTheLibraryDoes) {
  const Json inner = {{"list", {1, 2, {{"deep", nullptr}}}}, {"none", Json::array()}};
  const Json whole = {{"empty", Json::object()}, {"inner", inner}, {"grid", {4, 5, 6}}, {"last", "x"}};
  JsonWriter out;
  out.object([&] {
    out.key("empty");
    out.object([] {});
    out.key("inner");
    out.raw(library_text(inner));
    out.member("grid", std::array<uint32_t, 3>{4, 5, 6});
    out.known_member("left_out", std::optional<int>());
    out.member("last", "x");
  });
  EXPECT_EQ(out.take(), library_text(whole));
}

}  // namespace
}  // namespace hpml::sim::metrics
