// utilisation WINDOW END BYTES_PER_US START:DURATION:BYTES:OCCUPANCY...: gpu, memory, occupancy, one line per window.
#include "harness/check.hpp"

int main(int argc, char** argv) {
  if (argc < 4) {
    check::fail("usage: utilisation WINDOW END BYTES_PER_US START:DURATION:BYTES:OCCUPANCY...");
  }
  std::vector<lab2::Span> spans;
  for (int i = 4; i < argc; ++i) {
    lab2::Span span;
    if (std::sscanf(argv[i], "%lf:%lf:%lf:%lf", &span.start_us, &span.duration_us, &span.bytes, &span.occupancy) != 4) {
      check::fail("a kernel is START:DURATION:BYTES:OCCUPANCY");
    }
    spans.push_back(span);
  }
  for (const lab2::Window& w : lab2::utilisation(spans, std::atof(argv[1]), std::atof(argv[2]), std::atof(argv[3]))) {
    std::printf("%.17g %.17g %.17g\n", w.gpu, w.memory, w.occupancy);
  }
  return 0;
}
