# The environment of students, CI and grading: Debian 12 without a GPU and without the CUDA Toolkit.
#   docker build -t hpml . && docker run --rm hpml                                  # make check
#   docker run --rm hpml make lab3 test SOLUTION=1
#   docker run --rm --user student hpml make lab3 test SOLUTION=1                   # as an ordinary user
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates make && rm -rf /var/lib/apt/lists/*
WORKDIR /hpml
# The packages first, in a layer of their own that an edit of the tree does not rebuild.
COPY tools/bootstrap tools/bootstrap
RUN tools/bootstrap tests && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home student && chown student .
COPY --chown=student . .
# What single labs need besides, as their lab.toml says.
RUN tools/bootstrap tests && rm -rf /var/lib/apt/lists/*
CMD ["make", "check"]
