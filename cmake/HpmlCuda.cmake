# hpml_add_cuda_program(): filled in below by front end (nvcc, or clang against simulator/include).
