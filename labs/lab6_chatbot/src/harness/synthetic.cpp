#include "harness/synthetic.hpp"

#include <ostream>
#include <set>

namespace lab6 {

namespace {

constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
constexpr int kSyllables = 3;
constexpr int kObjects = 60, kPersons = 60, kFoods = 40, kPlaces = 12, kColours = 10, kJobs = 12, kNumbers = 10;

// Replaces each {} of `form` by the next word.
std::string fill(std::string_view form, const std::vector<std::string>& words) {
  std::string text;
  size_t next = 0;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form.substr(i, 2) == "{}") {
      text += words[next++];
      ++i;
    } else {
      text += form[i];
    }
  }
  return text;
}

bool is_invented(std::string_view word) {
  bool fits = word.size() == size_t{2} * kSyllables;
  for (size_t i = 0; i < word.size() && fits; ++i) {
    fits = (i % 2 == 0 ? kConsonants : kVowels).find(word[i]) != std::string_view::npos;
  }
  return fits;
}

class Maker {
 public:
  explicit Maker(uint64_t seed) : seed_(seed) {
    objects_ = words(kObjects);
    persons_ = words(kPersons);
    foods_ = words(kFoods);
    places_ = words(kPlaces);
    colours_ = words(kColours);
    jobs_ = words(kJobs);
    numbers_ = words(kNumbers);
  }

  std::vector<Pair> pairs() {
    about_objects();
    about_persons();
    about_foods();
    return std::move(pairs_);
  }

 private:
  // kSyllables of a consonant and a vowel; every word once.
  std::vector<std::string> words(int count) {
    std::vector<std::string> found;
    while (static_cast<int>(found.size()) < count) {
      std::string word;
      for (int syllable = 0; syllable < kSyllables; ++syllable) {
        word += kConsonants[draw("words", next_letter_++, static_cast<int>(kConsonants.size()))];
        word += kVowels[draw("words", next_letter_++, static_cast<int>(kVowels.size()))];
      }
      if (used_.insert(word).second) {
        found.push_back(word);
      }
    }
    return found;
  }

  size_t draw(std::string_view stream, uint64_t index, int n) const {
    return static_cast<size_t>(uniform(seed_, stream, index) * n);
  }

  void add(std::string_view question, const std::vector<std::string>& words, std::string answer) {
    pairs_.push_back({fill(question, words), std::move(answer)});
  }

  void about_objects() {
    for (size_t i = 0; i < objects_.size(); ++i) {
      const std::string& thing = objects_[i];
      const std::string& place = places_[draw("place", i, kPlaces)];
      const std::string& colour = colours_[draw("colour", i, kColours)];
      for (const char* question : {"where is the {} ?", "where can i find the {} ?", "do you know where the {} is ?",
                                   "i am looking for the {} ."}) {
        add(question, {thing}, fill("it is in the {} .", {place}));
      }
      for (const char* question : {"what colour is the {} ?", "what is the colour of the {} ?",
                                   "which colour does the {} have ?", "tell me the colour of the {} ."}) {
        add(question, {thing}, fill("the {} is {} .", {thing, colour}));
      }
      for (const std::string& asked : places_) {
        add("is the {} in the {} ?", {thing, asked},
            asked == place ? "yes it is ." : fill("no the {} is in the {} .", {thing, place}));
      }
      for (const std::string& asked : colours_) {
        add("is the {} {} ?", {thing, asked},
            asked == colour ? "yes that is right ." : fill("no the {} is {} .", {thing, colour}));
      }
    }
  }

  void about_persons() {
    for (size_t i = 0; i < persons_.size(); ++i) {
      const std::string& person = persons_[i];
      const std::string& job = jobs_[draw("job", i, kJobs)];
      for (const char* question :
           {"who is {} ?", "what does {} do ?", "what is the job of {} ?", "tell me about {} ."}) {
        add(question, {person}, fill("{} is a {} .", {person, job}));
      }
      add("hello i am {} .", {person}, fill("hello {} nice to meet you .", {person}));
      add("good morning my name is {} .", {person}, fill("good morning {} how are you ?", {person}));
      for (const std::string& asked : jobs_) {
        add("is {} a {} ?", {person, asked},
            asked == job ? "yes that is right ." : fill("no {} is a {} .", {person, job}));
      }
    }
  }

  void about_foods() {
    for (size_t i = 0; i < foods_.size(); ++i) {
      const std::string& food = foods_[i];
      const bool liked = draw("liked", i, 2) == 1;
      add("do you like {} ?", {food}, fill(liked ? "yes i love {} ." : "no i hate {} .", {food}));
      add("would you eat {} ?", {food}, liked ? "yes please ." : "no thank you .");
      for (const std::string& number : numbers_) {
        add("give me {} {} please .", {number, food}, fill("here are {} {} for you .", {number, food}));
      }
    }
  }

  uint64_t seed_, next_letter_ = 0;
  std::set<std::string> used_;
  std::vector<std::string> objects_, persons_, foods_, places_, colours_, jobs_, numbers_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<Pair> synthetic_pairs(uint64_t seed) { return Maker(seed).pairs(); }

void write_corpus(const std::vector<Pair>& pairs, std::ostream& out) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::string number = std::to_string(i), conversation = "\"conversation_id\": \"c" + number + "\"";
    out << "{\"id\": \"q" << number << "\", " << conversation << ", \"text\": \"" << pairs[i].question
        << "\", \"speaker\": \"user\", \"meta\": {}, \"reply-to\": null, \"timestamp\": " << 2 * i << "}\n";
    out << "{\"id\": \"a" << number << "\", " << conversation << ", \"text\": \"" << pairs[i].answer
        << "\", \"speaker\": \"chatbot\", \"meta\": {}, \"reply-to\": \"q" << number << "\", \"timestamp\": " << 2 * i + 1
        << "}\n";
  }
}

bool held_out(std::string_view question) {
  uint64_t hash = 0xCBF29CE484222325;  // FNV-1a (Fowler, Noll, Vo), 64 bits
  for (const char letter : question) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
  }
  return (hash >> 32) % 103 < 11;  // the high bits are mixed best
}

std::string kind_of(std::span<const int32_t> question, const std::vector<std::string>& words) {
  std::string kind;
  for (const int32_t token : question) {
    const std::string& word = words[static_cast<size_t>(token)];
    kind += (kind.empty() ? "" : " ") + (is_invented(word) ? "*" : word);
  }
  return kind;
}

}  // namespace lab6
