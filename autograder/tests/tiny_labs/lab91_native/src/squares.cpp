// E1: the sum of i * i for i = 1 ... n.
long squares(long n) {
  return 0;
}
