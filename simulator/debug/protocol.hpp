#pragma once
// What a debugger's front (a terminal, an editor) and the program that it debugs say to each other: one JSON object a
// line, each way. The front sends requests, each of which is answered in the order of sending; the program sends events
// besides. Version kProtocol; the program's first event names it.
//
//   {"id": 3, "op": "evaluate", "text": "C[37]"}        {"id": 3, "ok": true, "result": {...}}
//   {"event": "stopped", "position": 1234, ...}         {"id": 4, "ok": false, "error": "..."}
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::debug {

using Json = nlohmann::json;

inline constexpr int kProtocol = 1;
inline constexpr size_t kLongestLine = 16 << 20;

enum class Op : uint8_t {
  breakpoints,  // `breakpoints` replaces all
  resume,       // `step`, `count`, `reverse`: answered at once; an event tells where it stopped
  pause,        // stop as soon as possible, wherever that is
  jump,         // to `position`
  focus,        // `focus`, as far as it is given
  evaluate,     // `text`, in lane of the focus or `lane`
  lanes,        // `text` in every lane of the warp
  variables,    // that are visible, in the frame
  registers,    // of PTX, that the instruction reads and writes; all with `text` "all"
  stack,        // of the focus
  warps,        // of the block, and what each waits for
  blocks,       // that are resident
  shared,       // `text`, an array in shared memory, with banks and the lanes of the access that comes next
  access,       // the sectors of the access that comes next
  stalls,       // of the warp at its instruction, and of its line, in a run of the launch with time
  who,          // `text`, an address or variable or register, or else the place of `scan`: its last writer
  set,          // `text` = `value`
  memory,       // `count` units of `size` bytes from `text`
  code,         // PTX around the place, `count` lines
  lines,        // of `text`, a file: those at which one can stop
  info,         // of the launch
  watch_place,  // `text`: what a watchpoint on it watches
  // Between the program and its explorers only.
  clone,
  scan
};

enum class Step : uint8_t { none, go_on, line, over, out, instruction, barrier };

// Which threads a step moves: the thread in focus, or every thread of its warp or block, each on from its own line.
enum class Party : uint8_t { thread, warp, block };

struct Focus {
  std::optional<uint64_t> block = {};  // linear
  std::optional<int> warp = {}, lane = {};
  int frame = 0;
};

// Bytes that a watchpoint watches.
struct WatchPlace {
  std::string space = {};  // "global", "shared", "local"
  uint64_t block = 0;
  int warp = 0, lane = 0;
  uint64_t address = 0, bytes = 0;  // shared, local: offset in the block's or thread's memory
};

struct Breakpoint {
  int id = 0;
  std::string file;  // and line: as the user wrote it, matched by the end of a path
  int line = 0;
  std::string function;              // a kernel or device function, instead
  std::optional<uint32_t> ptx_line;  // or a line of the kernel's PTX
  std::optional<WatchPlace> watch;   // or bytes of memory
  std::string condition;             // "": none
  bool temporary = false;
};

// What to look for when a stretch of the history is searched.
struct Scan {
  std::string what;  // "stops", "lines", "instructions", "barriers", "memory", "register", "argument", "count"
  uint64_t to = 0;   // the last state that counts is the one before
  WatchPlace memory;
  std::string name;  // of the register, or of the argument that is stored for a call or by a return
  int depth = 0;     // lines: calls deeper than this do not count; -1: all count. register, argument: of the frame
};

// A change that a user made: bytes at a place, when `position` had been reached.
struct Edit {
  uint64_t position = 0;
  WatchPlace memory = {};  // space "register": address is the slot, in the innermost frame but `frame`
  int frame = 0;
  std::vector<uint8_t> bytes = {};
};

struct Request {
  int64_t id = 0;
  Op op{};
  std::vector<Breakpoint> breakpoints;
  Step step = Step::none;
  Party party = Party::thread;
  bool reverse = false;
  bool here_too = false;  // resume: a breakpoint at the instruction where it stands counts, too
  int64_t count = 1;
  int size = 4;
  uint64_t position = 0;
  Focus focus;
  std::optional<int> lane;
  std::string text, value;
  bool stop_at_launch = false;  // breakpoints: also in front of every launch, whatever it is
  int stop_at_end = 0;          // breakpoints: also behind the last instruction of that launch; -1: of every one
  bool verify = false;          // breakpoints, resume, jump: compare what was explored with what the program then does
  Scan scan;
  std::vector<Edit> edits;
};

// Error: no JSON object, an unknown operation, a field of the wrong type or out of its range. Unknown fields are
// errors, too: a misspelt one would silently do nothing.
Result<Request> parse_request(std::string_view line);
std::string to_line(const Request& request);  // without the newline

const char* name(Op op);

Focus parse_focus(const Json& json);  // as stops name it
Json to_json(const WatchPlace& place);
Result<WatchPlace> parse_place(const Json& json);
Json to_json(const Edit& edit);
Result<Edit> parse_edit(const Json& json);

Json answer(int64_t id, Json result);
Json refusal(int64_t id, const std::string& why);

}  // namespace hpml::sim::debug
