#include <cstdio>
#include <cstdlib>

long squares(long n);

int main(int, char** argv) {
  std::printf("%ld\n", squares(std::atol(argv[1])));
}
