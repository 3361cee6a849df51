#include "simulator/sanitize/findings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>

#include "simulator/sanitize/report.hpp"

namespace hpml::sim::sanitize {
namespace {

Finding finding_of(Kind kind) {
  Finding finding;
  finding.kind = kind;
  finding.message = "something is wrong";
  return finding;
}

TEST(Findings, CountsRepeatsInsteadOfListingThem) {
  Findings findings;
  const int place = 0, other = 0;
  ASSERT_TRUE(findings.is_new(Kind::invalid_global_read, &place));
  findings.add(finding_of(Kind::invalid_global_read));
  EXPECT_FALSE(findings.is_new(Kind::invalid_global_read, &place));
  ASSERT_TRUE(findings.is_new(Kind::invalid_global_read, &other));
  findings.add(finding_of(Kind::invalid_global_read));
  ASSERT_EQ(findings.all().size(), 2u);
  EXPECT_EQ(findings.all()[0]->count, 2u);
  EXPECT_EQ(findings.take_new().size(), 2u);
  EXPECT_TRUE(findings.take_new().empty());
}

TEST(Findings, KeepsToTheLimitOfEachKind) {
  Findings findings;
  std::array<char, Findings::kMostPerKind + 5> places{};
  for (const char& place : places) {
    if (findings.is_new(Kind::use_after_free, &place)) {
      findings.add(finding_of(Kind::use_after_free));
    }
  }
  EXPECT_EQ(findings.all().size(), Findings::kMostPerKind);
  EXPECT_EQ(findings.suppressed(), 5u);
  EXPECT_TRUE(findings.is_new(Kind::double_free, places.data())) << "of another kind";
}

TEST(Report, SaysWhatSomebodyWithoutLineInformationCanDo) {
  Finding finding = finding_of(Kind::invalid_shared_write);
  ThreadPlace place;
  place.thread = {3, 0, 0};
  place.source = {.function = "f", .file = "", .line = 0, .ptx_file = "k.ptx", .ptx_line = 12};
  finding.threads = {place};
  EXPECT_TRUE(lacks_source_line(finding));
  EXPECT_EQ(to_text(finding), "memcheck: something is wrong\n    thread (3,0,0) of block (0,0,0) at k.ptx:12");
  const auto json = to_json(finding);
  EXPECT_EQ(json["tool"], "memcheck");
  EXPECT_EQ(json["kind"], "invalid_shared_write");
  EXPECT_FALSE(json["threads"][0].contains("line"));
  EXPECT_FALSE(json.contains("address"));
}

TEST(Tools, NamesTheToolThatIsMisspelt) {
  EXPECT_TRUE(parse_tools("memcheck,synccheck")->has(Tool::synccheck));
  EXPECT_FALSE(parse_tools("memcheck,synccheck")->has(Tool::racecheck));
  EXPECT_TRUE(parse_tools("all")->has(Tool::initcheck));
  const auto wrong = parse_tools("memcheck,racechek");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().to_string().find("racecheck"), std::string::npos);
  EXPECT_FALSE(parse_tools("").ok());
}

}  // namespace
}  // namespace hpml::sim::sanitize
