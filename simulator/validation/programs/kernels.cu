// Kernels of many kinds, one launch each, for comparing what a profiler says of a card with what the simulator says.
//   kernels KIND...  prints the time of one launch of each; KIND as in kKinds
#include <algorithm>
#include <vector>

#include "bench.cuh"
#include "kernels_compute.cuh"
#include "kernels_memory.cuh"

struct Arrays {
  float *a, *b, *c;
  uint32_t* numbers;  // pseudo-random
};

struct Kind {
  const char* name;
  void (*launch)(const Arrays&);
};

template <class T>
static T* as(void* p) {
  return static_cast<T*>(p);
}

constexpr Kind kKinds[] = {
    {"copy_words", [](const Arrays& m) { copy_words<<<kWords / 256, 256>>>(m.a, m.c); }},
    {"copy_quads", [](const Arrays& m) { copy_quads<<<kWords / 1024, 256>>>(as<float4>(m.a), as<float4>(m.c)); }},
    {"copy_few", [](const Arrays& m) { copy_few<<<60, 128>>>(m.a, m.c, kWords); }},
    {"copy_one_block", [](const Arrays& m) { copy_few<<<1, 1024>>>(m.a, m.c, kWords / 16); }},
    {"copy_strided", [](const Arrays& m) { copy_strided<<<2048, 256>>>(m.a, m.c, 8); }},
    {"transpose_direct", [](const Arrays& m) { transpose_direct<<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"transpose_conflicts",
     [](const Arrays& m) { transpose_tiled<false><<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"transpose_padded", [](const Arrays& m) { transpose_tiled<true><<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"sparse_by_thread", [](const Arrays& m) { sparse_by_thread<<<512, 256>>>(m.numbers, m.a, m.b, m.c, 24); }},
    {"sparse_by_warp", [](const Arrays& m) { sparse_by_warp<<<4096, 256>>>(m.numbers, m.a, m.b, m.c, 96); }},
    {"visit", [](const Arrays& m) { visit<<<2048, 256>>>(m.numbers, as<uint32_t>(m.c), 2048 * 256); }},
    {"chase_pointers",
     [](const Arrays& m) { chase_pointers<<<132, 128>>>(m.numbers, as<uint32_t>(m.c), kWords - 1, 100); }},
    {"gather_l2", [](const Arrays& m) { gather_table<<<1024, 256>>>(m.numbers, m.b, m.c, (1 << 20) - 1); }},
    {"gather_l1", [](const Arrays& m) { gather_table<<<1024, 256>>>(m.numbers, m.b, m.c, (1 << 12) - 1); }},
    {"stencil_cube", [](const Arrays& m) { stencil_cube<<<dim3(4, 16), dim3(32, 8)>>>(m.a, m.c, 128); }},
    {"stencil_row", [](const Arrays& m) { stencil_row<<<kWords / 256 - 1, 256>>>(m.a, m.c); }},
    {"wave", [](const Arrays& m) { wave<<<dim3(64, 256), dim3(32, 8)>>>(m.a, m.b, m.c, 2048); }},
    {"scan_block", [](const Arrays& m) { scan_block<<<4096, 256>>>(m.a, m.c); }},
    {"sort_block", [](const Arrays& m) { sort_block<<<1024, 256>>>(m.numbers); }},
    {"transform", [](const Arrays& m) { transform<<<1024, 256>>>(as<float2>(m.a), as<float2>(m.c)); }},
    {"relax_line", [](const Arrays& m) { relax_line<<<132, 1024>>>(m.c, 60); }},
    {"substitute", [](const Arrays& m) { substitute<<<64, 32>>>(m.a, m.c, 192); }},
    {"softmax", [](const Arrays& m) { softmax<<<2048, 256>>>(m.a, m.c, 2048); }},
    {"normalise", [](const Arrays& m) { normalise<<<1024, 256>>>(as<float4>(m.a), as<float4>(m.c), 128); }},
    {"count_bytes", [](const Arrays& m) { count_bytes<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 16); }},
    {"product_registers", [](const Arrays& m) { product_registers<<<dim3(12, 12), 256>>>(m.a, m.b, m.c, 768); }},
    {"product_tensor", [](const Arrays& m) { product_tensor<<<1024, 128>>>(as<half>(m.a), as<half>(m.b), m.c, 1024); }},
    {"bodies", [](const Arrays& m) { bodies<<<64, 128>>>(as<float4>(m.a), as<float3>(m.c), 8192); }},
    {"chance", [](const Arrays& m) { chance<<<1024, 256>>>(m.numbers, m.c, 40); }},
    {"polynomial", [](const Arrays& m) { polynomial<<<1056, 256>>>(m.a, m.c, 256); }},
    {"chain", [](const Arrays& m) { chain<<<132, 64>>>(m.a, m.c, 2000); }},
    {"doubles_divided", [](const Arrays& m) { doubles_divided<<<264, 256>>>(as<double>(m.c), 24); }},
    {"integers_mixed", [](const Arrays& m) { integers_mixed<<<1056, 256>>>(m.numbers, as<uint32_t>(m.c), 128); }},
    {"divided_integers", [](const Arrays& m) { divided_integers<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 24); }},
    {"dots_of_bytes",
     [](const Arrays& m) { dots_of_bytes<<<1024, 256>>>(m.numbers, as<uint32_t>(m.b), as<int>(m.c), 16); }},
    {"halves", [](const Arrays& m) { halves<<<1056, 256>>>(as<half2>(m.a), as<half2>(m.c), 256); }},
    {"reread", [](const Arrays& m) { reread<<<528, 256>>>(as<float4>(m.a), m.c, 128); }},
    {"own_array", [](const Arrays& m) { own_array<<<528, 128>>>(m.numbers, as<uint32_t>(m.c), 64); }},
    {"weigh", [](const Arrays& m) { weigh<<<1056, 256>>>(m.a, m.c, 512); }},
    {"vote_and_shuffle", [](const Arrays& m) { vote_and_shuffle<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 96); }},
};

int main(int argc, char** argv) {
  Arrays arrays = {device_array<float>(kWords), device_array<float>(kWords), device_array<float>(kWords),
                   device_array<uint32_t>(kWords)};
  std::vector<uint32_t> numbers(kWords);
  uint32_t state = 1;
  for (uint32_t& number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = (state ^ state >> 16) * 0x45d9f3bu;
  }
  CHECK(cudaMemcpy(arrays.numbers, numbers.data(), kWords * sizeof(uint32_t), cudaMemcpyHostToDevice));
  for (int i = 1; i < argc; ++i) {
    const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const Kind& one) { return strcmp(one.name, argv[i]) == 0; });
    if (kind == std::end(kKinds)) {
      fprintf(stderr, "kernels: '%s' is no kind\n", argv[i]);
      return 2;
    }
    evict();
    result(kind->name, event_us([&] { kind->launch(arrays); }), "us");
  }
  return 0;
}
