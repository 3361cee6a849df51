#include "simulator/isa/modifier_words.hpp"

namespace hpml::sim::isa {

namespace {

struct WordRow {
  Accept category;
  std::string_view word;
  void (*set)(Mods&);
};

// .nc goes with another cache operator (ld.global.ca.nc) and is the one that matters.
void set_cache(Mods& m, Cache cache) {
  if (m.cache != Cache::nc) {
    m.cache = cache;
  }
}

// Column key: category, word without its dot, effect on Mods.
constexpr WordRow kWords[] = {
    {Accept::rnd, "rn", [](Mods& m) { m.rnd = Rnd::rn; }},
    {Accept::rnd, "rz", [](Mods& m) { m.rnd = Rnd::rz; }},
    {Accept::rnd, "rm", [](Mods& m) { m.rnd = Rnd::rm; }},
    {Accept::rnd, "rp", [](Mods& m) { m.rnd = Rnd::rp; }},
    {Accept::rnd_int, "rni", [](Mods& m) { m.rnd = Rnd::rni; }},
    {Accept::rnd_int, "rzi", [](Mods& m) { m.rnd = Rnd::rzi; }},
    {Accept::rnd_int, "rmi", [](Mods& m) { m.rnd = Rnd::rmi; }},
    {Accept::rnd_int, "rpi", [](Mods& m) { m.rnd = Rnd::rpi; }},
    {Accept::ftz, "ftz", [](Mods& m) { m.ftz = true; }},
    {Accept::sat, "sat", [](Mods& m) { m.sat = true; }},
    {Accept::nan, "NaN", [](Mods& m) { m.nan = true; }},
    {Accept::xorsign_abs, "xorsign", [](Mods& m) { m.xorsign_abs = true; }},
    {Accept::xorsign_abs, "abs", [](Mods& m) { m.abs = true; }},
    {Accept::cmp, "eq", [](Mods& m) { m.cmp = Cmp::eq; }},
    {Accept::cmp, "ne", [](Mods& m) { m.cmp = Cmp::ne; }},
    {Accept::cmp, "lt", [](Mods& m) { m.cmp = Cmp::lt; }},
    {Accept::cmp, "le", [](Mods& m) { m.cmp = Cmp::le; }},
    {Accept::cmp, "gt", [](Mods& m) { m.cmp = Cmp::gt; }},
    {Accept::cmp, "ge", [](Mods& m) { m.cmp = Cmp::ge; }},
    {Accept::cmp, "lo", [](Mods& m) { m.cmp = Cmp::lo; }},
    {Accept::cmp, "ls", [](Mods& m) { m.cmp = Cmp::ls; }},
    {Accept::cmp, "hi", [](Mods& m) { m.cmp = Cmp::hi; }},
    {Accept::cmp, "hs", [](Mods& m) { m.cmp = Cmp::hs; }},
    {Accept::cmp, "equ", [](Mods& m) { m.cmp = Cmp::equ; }},
    {Accept::cmp, "neu", [](Mods& m) { m.cmp = Cmp::neu; }},
    {Accept::cmp, "ltu", [](Mods& m) { m.cmp = Cmp::ltu; }},
    {Accept::cmp, "leu", [](Mods& m) { m.cmp = Cmp::leu; }},
    {Accept::cmp, "gtu", [](Mods& m) { m.cmp = Cmp::gtu; }},
    {Accept::cmp, "geu", [](Mods& m) { m.cmp = Cmp::geu; }},
    {Accept::cmp, "num", [](Mods& m) { m.cmp = Cmp::num; }},
    {Accept::cmp, "nan", [](Mods& m) { m.cmp = Cmp::nan; }},
    {Accept::boolop, "and", [](Mods& m) { m.boolop = BoolOp::and_; }},
    {Accept::boolop, "or", [](Mods& m) { m.boolop = BoolOp::or_; }},
    {Accept::boolop, "xor", [](Mods& m) { m.boolop = BoolOp::xor_; }},
    {Accept::space, "global", [](Mods& m) { m.space = Space::global; }},
    {Accept::space, "shared", [](Mods& m) { m.space = Space::shared; }},
    {Accept::space, "shared::cta", [](Mods& m) { m.space = Space::shared; }},
    {Accept::space, "shared::cluster", [](Mods& m) { m.space = Space::shared, m.of_cluster = true; }},
    {Accept::space, "local", [](Mods& m) { m.space = Space::local; }},
    {Accept::space, "const", [](Mods& m) { m.space = Space::constant; }},
    {Accept::space, "param", [](Mods& m) { m.space = Space::param; }},
    {Accept::space, "param::entry", [](Mods& m) { m.space = Space::param; }},
    {Accept::space, "param::func", [](Mods& m) { m.space = Space::param; }},
    {Accept::cache, "ca", [](Mods& m) { set_cache(m, Cache::ca); }},
    {Accept::cache, "cg", [](Mods& m) { set_cache(m, Cache::cg); }},
    {Accept::cache, "cs", [](Mods& m) { set_cache(m, Cache::cs); }},
    {Accept::cache, "lu", [](Mods& m) { set_cache(m, Cache::lu); }},
    {Accept::cache, "cv", [](Mods& m) { set_cache(m, Cache::cv); }},
    {Accept::cache, "wb", [](Mods& m) { set_cache(m, Cache::wb); }},
    {Accept::cache, "wt", [](Mods& m) { set_cache(m, Cache::wt); }},
    {Accept::cache, "nc", [](Mods& m) { m.cache = Cache::nc; }},
    {Accept::sem, "volatile", [](Mods& m) { m.sem = Sem::volatile_; }},
    {Accept::sem, "weak", [](Mods& m) { m.sem = Sem::weak; }},
    {Accept::sem, "relaxed", [](Mods& m) { m.sem = Sem::relaxed; }},
    {Accept::sem, "acquire", [](Mods& m) { m.sem = Sem::acquire; }},
    {Accept::sem, "release", [](Mods& m) { m.sem = Sem::release; }},
    {Accept::sem, "acq_rel", [](Mods& m) { m.sem = Sem::acq_rel; }},
    {Accept::sem, "mmio", [](Mods& m) { m.sem = Sem::mmio; }},
    {Accept::sem, "sc", [](Mods& m) { m.sem = Sem::sc; }},
    {Accept::scope, "cta", [](Mods& m) { m.scope = Scope::cta; }},
    {Accept::scope, "cluster", [](Mods& m) { m.scope = Scope::cluster; }},
    {Accept::scope, "gpu", [](Mods& m) { m.scope = Scope::gpu; }},
    {Accept::scope, "sys", [](Mods& m) { m.scope = Scope::sys; }},
    {Accept::vec, "v2", [](Mods& m) { m.vec = 2; }},
    {Accept::vec, "v4", [](Mods& m) { m.vec = 4; }},
    {Accept::vec, "v8", [](Mods& m) { m.vec = 8; }},
    {Accept::uni, "uni", [](Mods&) {}},
    {Accept::rna, "rna", [](Mods& m) { m.rnd = Rnd::rna; }},
    {Accept::rs, "rs", [](Mods& m) { m.rnd = Rnd::rs; }},
    {Accept::relu, "relu", [](Mods& m) { m.relu = true; }},
    {Accept::satfinite, "satfinite", [](Mods& m) { m.satfinite = true; }},
    {Accept::abs, "abs", [](Mods& m) { m.abs = true; }},
};

// L1::evict_last, L2::128B, L2::cache_hint...: priorities without a meaning here.
bool is_cache_hint(std::string_view word) { return word.starts_with("L1::") || word.starts_with("L2::"); }

// Words that stand beside another word of their category.
bool may_accompany(std::string_view word) { return word == "nc" || word == "mmio" || word == "abs"; }

}  // namespace

std::optional<Accept> apply_modifier(std::string_view word, Accept set, Mods& mods) {
  if (accepts(set, Accept::cache) && is_cache_hint(word)) {
    return Accept::nothing;  // any number of hints
  }
  for (const WordRow& row : kWords) {
    if (row.word == word && accepts(set, row.category)) {
      row.set(mods);
      return may_accompany(word) ? Accept::nothing : row.category;
    }
  }
  return std::nullopt;
}

std::vector<std::string> modifier_words(Accept set) {
  std::vector<std::string> out;
  for (const WordRow& row : kWords) {
    if (accepts(set, row.category)) {
      out.emplace_back(row.word);
    }
  }
  return out;
}

std::string words_of(Accept category) {
  std::string out;
  for (const std::string& word : modifier_words(category)) {
    out += (out.empty() ? "." : " .") + word;
  }
  return out;
}

}  // namespace hpml::sim::isa
