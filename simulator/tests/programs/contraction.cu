// Products and sums without a rounding modifier become one fma where ptxas makes one: the last bit shows it.
#include "check.cuh"

// Each line: the PTX between the inputs a, b, c, d and the result r.
#define KERNEL(name, ptx)                                                                                      \
  __global__ void name(const float* in, float* out) {                                                          \
    float r;                                                                                                   \
    asm volatile("{ .reg .f32 p, q, s;\n" ptx "}" : "=f"(r) : "f"(in[0]), "f"(in[1]), "f"(in[2]), "f"(in[3])); \
    out[0] = r;                                                                                                \
  }
KERNEL(sum, "mul.f32 p, %1, %2;\n add.f32 %0, p, %3;\n")
KERNEL(sum_rounded, "mul.rn.f32 p, %1, %2;\n add.f32 %0, p, %3;\n")
KERNEL(difference, "mul.f32 p, %1, %2;\n sub.f32 %0, p, %3;\n")
KERNEL(from, "mul.f32 p, %1, %2;\n sub.f32 %0, %3, p;\n")
KERNEL(two_products, "mul.f32 p, %1, %2;\n mul.f32 q, %3, %4;\n add.f32 %0, q, p;\n")
KERNEL(used_twice, "mul.f32 p, %1, %2;\n add.f32 q, p, %3;\n add.f32 s, p, %4;\n add.f32 %0, q, s;\n")
KERNEL(needed, "mul.f32 p, %1, %2;\n add.f32 q, p, %3;\n mul.f32 %0, p, q;\n")
KERNEL(mixed_ftz, "mul.ftz.f32 p, %1, %2;\n add.f32 %0, p, %3;\n")
KERNEL(doubled, "mul.f32 p, %1, %2;\n add.f32 %0, p, p;\n")

void show(const char* name, void (*kernel)(const float*, float*), const float* in, float* out) {
  kernel<<<1, 1>>>(in, out);
  check_launch();
  printf("%s: %a\n", name, to_host(out, 1)[0]);
}

int main() {
  const float* in = to_device(std::vector<float>{1.1f, 1.3f, -1.43f, 0.7f});
  float* out = device_array<float>(1);
  show("sum", sum, in, out);
  show("sum, product rounded", sum_rounded, in, out);
  show("difference", difference, in, out);
  show("difference from", from, in, out);
  show("two products", two_products, in, out);
  show("used twice", used_twice, in, out);
  show("product needed", needed, in, out);
  show("mixed ftz", mixed_ftz, in, out);
  show("doubled", doubled, in, out);
}
