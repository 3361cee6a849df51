// All-reduces of the test suite, for the relay, Open MPI and SMPI alike: allreduce NAME ELEMENTS [REPETITIONS].
// Every rank prints one line: rank, seconds from MPI_Pcontrol(1) to (0), and, where the profiling interface counts what
// it sends, "peer:messages:empty:bytes" of each peer. Ends with status 1 when the sum is wrong.
#include <unistd.h>

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace {

int P, r;

std::size_t at(std::size_t n, int parts, int i) {
  return n * static_cast<std::size_t>(i) / static_cast<std::size_t>(parts);
}

std::span<float> chunk(std::span<float> x, int parts, int i) {
  i = (i % parts + parts) % parts;
  return x.subspan(at(x.size(), parts, i), at(x.size(), parts, i + 1) - at(x.size(), parts, i));
}

void send(std::span<const float> x, int to) {
  MPI_Send(x.data(), static_cast<int>(x.size()), MPI_FLOAT, to, 1, MPI_COMM_WORLD);
}

void receive(std::span<float> x, int from) {
  MPI_Recv(x.data(), static_cast<int>(x.size()), MPI_FLOAT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void add(std::span<float> x, std::span<const float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += y[i];
  }
}

void receive_add(std::span<float> x, int from) {
  std::vector<float> other(x.size());
  receive(other, from);
  add(x, other);
}

void exchange(std::span<const float> out, int to, std::span<float> in, int from) {
  MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_FLOAT, to, 1, in.data(), static_cast<int>(in.size()),
               MPI_FLOAT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void ring_steps(std::span<float> x, int parts, int own, int next, int previous, bool reduce) {
  std::vector<float> buffer(x.size() / static_cast<std::size_t>(parts) + 1);
  for (int s = 0; s < parts - 1; ++s) {
    const std::span<float> in = chunk(x, parts, reduce ? own - s - 1 : own - s);
    const std::span<float> place = std::span(buffer).first(in.size());
    exchange(chunk(x, parts, reduce ? own - s : own + 1 - s), next, reduce ? place : in, previous);
    if (reduce) {
      add(in, place);
    }
  }
}

void ring(std::span<float> x) {
  ring_steps(x, P, r, (r + 1) % P, (r + P - 1) % P, true);
  ring_steps(x, P, r, (r + 1) % P, (r + P - 1) % P, false);
}

// The same with requests, as a student may write it.
void ring_requests(std::span<float> x) {
  std::vector<float> buffer(x.size() / static_cast<std::size_t>(P) + 1);
  for (int step = 0; step < 2 * (P - 1); ++step) {
    const bool reduce = step < P - 1;
    const int s = reduce ? step : step - (P - 1);
    const std::span<float> in = chunk(x, P, reduce ? r - s - 1 : r - s);
    const std::span<float> out = chunk(x, P, reduce ? r - s : r + 1 - s);
    MPI_Request both[2];
    MPI_Irecv(reduce ? buffer.data() : in.data(), static_cast<int>(in.size()), MPI_FLOAT, (r + P - 1) % P, 1,
              MPI_COMM_WORLD, &both[0]);
    MPI_Isend(out.data(), static_cast<int>(out.size()), MPI_FLOAT, (r + 1) % P, 1, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (reduce) {
      add(in, std::span(buffer).first(in.size()));
    }
  }
}

void ps(std::span<float> x) {
  for (int worker = 1; worker < P && r == 0; ++worker) {
    receive_add(x, worker);
  }
  if (r != 0) {
    send(x, 0);
    receive(x, 0);
  }
  for (int worker = 1; worker < P && r == 0; ++worker) {
    send(x, worker);
  }
}

// All messages at once: they share the server's link.
void ps_at_once(std::span<float> x) {
  if (r != 0) {
    send(x, 0);
    receive(x, 0);
    return;
  }
  const auto others = static_cast<std::size_t>(P - 1);
  std::vector<std::vector<float>> parts(others, std::vector<float>(x.size()));
  std::vector<MPI_Request> requests(others);
  for (std::size_t i = 0; i < others; ++i) {
    MPI_Irecv(parts[i].data(), static_cast<int>(x.size()), MPI_FLOAT, static_cast<int>(i) + 1, 1, MPI_COMM_WORLD,
              &requests[i]);
  }
  for (std::size_t i = 0; i < others; ++i) {
    int index = 0;
    MPI_Waitany(P - 1, requests.data(), &index, MPI_STATUS_IGNORE);
  }
  for (const auto& part : parts) {
    add(x, part);
  }
  for (std::size_t i = 0; i < others; ++i) {
    MPI_Isend(x.data(), static_cast<int>(x.size()), MPI_FLOAT, static_cast<int>(i) + 1, 1, MPI_COMM_WORLD,
              &requests[i]);
  }
  MPI_Waitall(P - 1, requests.data(), MPI_STATUSES_IGNORE);
}

// First come, first served.
void ps_any(std::span<float> x) {
  if (r != 0) {
    usleep(static_cast<unsigned>(r * 7 % 5) * 3);
    send(x, 0);
    receive(x, 0);
    return;
  }
  std::vector<float> other(x.size());
  for (int i = 1; i < P; ++i) {
    MPI_Recv(other.data(), static_cast<int>(x.size()), MPI_FLOAT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    add(x, other);
  }
  for (int i = 1; i < P; ++i) {
    send(x, i);
  }
}

void tree(std::span<float> x) {
  int m = 1;
  for (; (r == 0 || m < (r & -r)) && m < P; m *= 2) {
    if (r + m < P) {
      receive_add(x, r + m);
    }
  }
  if (r != 0) {
    send(x, r - (r & -r));
    receive(x, r - (r & -r));
  }
  for (m /= 2; m >= 1; m /= 2) {
    if (r + m < P) {
      send(x, r + m);
    }
  }
}

// Pairs up the surplus over a power of two; `core` gets the virtual rank and the power.
void fold(std::span<float> x, const std::function<void(int, int, const std::function<int(int)>&)>& core) {
  int p2 = 1;
  while (2 * p2 <= P) {
    p2 *= 2;
  }
  const int rem = P - p2;
  if (r < 2 * rem && r % 2 == 0) {
    send(x, r + 1);
    receive(x, r + 1);
    return;
  }
  if (r < 2 * rem) {
    receive_add(x, r - 1);
  }
  core(r < 2 * rem ? r / 2 : r - rem, p2, [&](int v) { return v < rem ? 2 * v + 1 : v + rem; });
  if (r < 2 * rem) {
    send(x, r - 1);
  }
}

void rd(std::span<float> x) {
  fold(x, [&](int v, int p2, const std::function<int(int)>& real) {
    std::vector<float> other(x.size());
    for (int mask = 1; mask < p2; mask *= 2) {
      exchange(x, real(v ^ mask), other, real(v ^ mask));
      add(x, other);
    }
  });
}

void rabenseifner(std::span<float> x, bool near_first) {
  fold(x, [&](int v, int p2, const std::function<int(int)>& real) {
    struct Step {
      int partner;
      std::span<float> keep, give;
    };
    std::vector<Step> steps;
    int lo = 0, hi = p2;
    const auto range = [&](int a, int b) {
      return x.subspan(at(x.size(), p2, a), at(x.size(), p2, b) - at(x.size(), p2, a));
    };
    for (int mask = near_first ? 1 : p2 / 2; near_first ? mask < p2 : mask > 0;
         mask = near_first ? mask * 2 : mask / 2) {
      const int middle = (lo + hi) / 2;
      const bool lower = (v & mask) == 0;
      steps.push_back({real(v ^ mask), lower ? range(lo, middle) : range(middle, hi),
                       lower ? range(middle, hi) : range(lo, middle)});
      (lower ? hi : lo) = middle;
      std::vector<float> other(steps.back().keep.size());
      exchange(steps.back().give, steps.back().partner, other, steps.back().partner);
      add(steps.back().keep, other);
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      exchange(step->keep, step->partner, step->give, step->partner);
    }
  });
}

void hier(std::span<float> x, int g) {
  const int l = r % g, d = r / g, m = P / g;
  ring_steps(x, g, l, d * g + (l + 1) % g, d * g + (l + g - 1) % g, true);
  const std::span<float> own = chunk(x, g, l + 1);
  const int next = (d + 1) % m * g + l, previous = (d + m - 1) % m * g + l;
  ring_steps(own, m, d, next, previous, true);
  ring_steps(own, m, d, next, previous, false);
  ring_steps(x, g, l, d * g + (l + 1) % g, d * g + (l + g - 1) % g, false);
}

// Computes in slices, and tests in between.
void overlap(std::span<float> x) {
  std::vector<float> in(x.size());
  MPI_Request both[2];
  MPI_Irecv(in.data(), static_cast<int>(x.size()), MPI_FLOAT, (r + P - 1) % P, 1, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(x.data(), static_cast<int>(x.size()), MPI_FLOAT, (r + 1) % P, 1, MPI_COMM_WORLD, &both[1]);
  for (int done = 0; done == 0;) {
    usleep(static_cast<unsigned>(20 + r));
    MPI_Testall(2, both, &done, MPI_STATUSES_IGNORE);
  }
  ps(x);
}

struct Count {
  unsigned long long messages = 0, empty = 0, bytes = 0;
};
std::map<int, Count> counts;
bool counting = false;

[[maybe_unused]] void count(int n, int to) {
  if (counting) {
    Count& here = counts[to];
    ++here.messages;
    here.empty += n == 0;
    here.bytes += 4ull * static_cast<unsigned>(n);
  }
}

void run(const std::string& name, std::span<float> x) {
  if (name == "ring")
    ring(x);
  else if (name == "ring_requests")
    ring_requests(x);
  else if (name == "ps")
    ps(x);
  else if (name == "ps_at_once")
    ps_at_once(x);
  else if (name == "ps_any")
    ps_any(x);
  else if (name == "tree")
    tree(x);
  else if (name == "rd")
    rd(x);
  else if (name == "rab")
    rabenseifner(x, true);
  else if (name == "rab_far")
    rabenseifner(x, false);
  else if (name == "overlap")
    overlap(x);
  else if (name.starts_with("hier"))
    hier(x, atoi(name.c_str() + 4));
  else
    exit(2);
}

}  // namespace

#ifndef HPML_MPI_RELAY
extern "C" {
int MPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }  // SMPI has none
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count(n, to);
  return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  count(n, to);
  return PMPI_Isend(data, n, type, to, tag, comm, request);
}
int MPI_Sendrecv(const void* data, int n, MPI_Datatype type, int to, int tag, void* in, int in_n, MPI_Datatype in_type,
                 int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  count(n, to);
  return PMPI_Sendrecv(data, n, type, to, tag, in, in_n, in_type, from, in_tag, comm, status);
}
}
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &P);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  const std::string name = argv[1];
  const auto n = static_cast<std::size_t>(atoll(argv[2]));
  std::vector<float> x(n);
  const int repetitions = argc > 3 ? atoi(argv[3]) : 1;
  double begin = 0, end = 0;
  bool right = true;
  std::vector<float> expected(50);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int rank = 0; rank < P; ++rank) {
      expected[i] += static_cast<float>((i * 7 + static_cast<std::size_t>(rank) * 13) % 50);
    }
  }
  for (int each = 0; each < repetitions; ++each) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(r) * 13) % 50);
    }
#ifndef HPML_MPI_RELAY
    if (argc > 4) {  // SMPI: all begin at one time
      usleep(static_cast<useconds_t>((1.0 - MPI_Wtime()) * 1e6));
    }
#endif
    begin = MPI_Wtime();
    counting = true;
    MPI_Pcontrol(1);
    run(name, x);
    MPI_Pcontrol(0);
    counting = false;
    end = MPI_Wtime();
    for (std::size_t i = 0; i < n; ++i) {
      right = right && x[i] == expected[i % expected.size()];
    }
  }
  std::string line = std::to_string(r);
  char text[200];
  snprintf(text, sizeof text, " %.12g %.12g", begin, end);
  line += text;
  for (const auto& [peer, count] : counts) {
    snprintf(text, sizeof text, " %d:%llu:%llu:%llu", peer, count.messages, count.empty, count.bytes);
    line += text;
  }
  puts(line.c_str());
  MPI_Finalize();
  return right ? 0 : 1;
}
