# The environment of students and of grading: Debian 12 without a GPU and without the CUDA Toolkit. What the labs compile of this tree
# is compiled already, so that a grading needs neither a network nor more rights than a container has.
#   docker build -t hpml . && docker run --rm --network none hpml
#   docker run --rm --network none --user student hpml make lab1 test SOLUTION=1      # as an ordinary user
#   docker build -t hpml-check --target check . && docker run --rm hpml-check         # make check, which compiles the tree itself
FROM debian:12-slim AS packages
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates make && rm -rf /var/lib/apt/lists/*
WORKDIR /hpml
# The packages first, in a layer of their own that an edit of the tree does not rebuild.
COPY tools/bootstrap tools/bootstrap
RUN tools/bootstrap && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home student && chown student .

FROM packages AS check
RUN tools/bootstrap tests && rm -rf /var/lib/apt/lists/*
COPY --chown=student . .
# What single labs need besides, as their lab.toml says.
RUN tools/bootstrap tests && rm -rf /var/lib/apt/lists/*
CMD ["make", "check"]

FROM packages AS build
COPY . .
RUN tools/bootstrap 'lab*' && export PYTHONPATH=autograder && tools/build.sh $(/usr/bin/python3 -m hpml_autograder needs) && \
    /usr/bin/python3 -m hpml_autograder pack /usr/lib/hpml-labs

FROM debian:12-slim
# No lab reads these parts of the packages. They are 350 MB: Boost's headers (SimGrid's C++ interface), static
# BLAS and sanitizer libraries, libclang for editors, compilers of Fortran and of link-time optimization.
RUN printf 'path-exclude=%s\n' '/usr/include/boost/*' '/usr/lib/*/libopenblas*.a' '/usr/lib/*/openblas-*/*.a' '/usr/lib/*/blis-*/*.a' \
      '/usr/lib/gcc/*/lib*san.a' '/usr/lib/*/libclang-[0-9]*' '/usr/lib/gcc/*/f951' '/usr/lib/gcc/*/lto1' \
      '/usr/bin/*-lto-dump-*' '/usr/bin/*-ld.gold' '/usr/bin/*-dwp' '/usr/lib/*/libgprofng*' '/usr/lib/gcc/*/libgfortran.a' '/usr/lib/gcc/*/libquadmath.a' '/usr/lib/*/libtsan.so*' \
      '/usr/lib/llvm-*/lib/clang/*/include/riscv*' '/usr/share/javascript/*' '/usr/share/doc/*' '/usr/share/man/*' >/etc/dpkg/dpkg.cfg.d/hpml
COPY --from=build /usr/lib/hpml-labs /usr/lib/hpml-labs
WORKDIR /hpml
RUN useradd --create-home student && chown student .
COPY --chown=student . .
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates make && tools/bootstrap 'lab*' && rm -rf /var/lib/apt/lists/*
CMD ["make", "lab3", "test", "SOLUTION=1"]
