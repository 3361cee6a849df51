# Thin front door: drives CMake and the grader through tools/, holds no logic. `make help` lists the goals.
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := help

export SUB OUT LAB KEY SOLUTION GPU TARGET CUDA V JOBS TEST FULL FRESH SEED COUNT STUDENTS QUIZ PROG CHECK RANKS COMPILE_ONLY

ACTIONS := test run debug profile submit-check train talk sweep namespaces
chosen  := $(filter lab%,$(MAKECMDGOALS))
LABS    := $(sort lab1 lab2 lab3 lab4 lab5 lab6 $(chosen))
without_charts := bootstrap test run debug submit-check $(LABS)
# `bench` acts on a lab when one is named, on the whole tree otherwise.
action  := $(filter $(ACTIONS) bench,$(MAKECMDGOALS))

# The last line of a lab's goal is the grader's, which says what to do next. With -q make ends with the status 1 of a recipe
# that begins with +, and adds no line "Error 1" of its own; other failures keep theirs. `make -n` still runs nothing.
run := @
ifneq ($(chosen)$(action),)
ifeq (,$(filter-out lab% $(ACTIONS) bench,$(MAKECMDGOALS))$(findstring n,$(filter-out --%,$(firstword $(MAKEFLAGS)))))
MAKEFLAGS += -q
run := +@
endif
endif

.PHONY: help bootstrap setup $(LABS) $(ACTIONS) bench clean

help:
	@echo "HPML labs. Goals:"
	@echo "  make setup                  install missing distribution packages, build the simulator and what the labs give"
	@echo "  make labN                   build lab N (1..6)"
	@echo "  make labN test              grade your files of lab N on a simulated GPU"
	@echo "  make labN run PROG=\"p 1 2\"  run one program of the lab with arguments of your own (CHECK=1: watch every access)"
	@echo "  make labN debug PROG=\"p 1 2\"  step through its kernels, forward and back (docs/debugger.md)"
	@echo "  make labN profile           run lab N and report what its kernels did"
	@echo "  make labN bench             the lab's measurement series and charts"
	@echo "  make lab6 train|talk|sweep  train the chatbot, talk to it, tune it by the sample sweep"
	@echo "  make lab4 namespaces        your all-reduce over real links that the kernel slows down, beside theory"
	@echo "  make labN submit-check      list what would be handed in; build it and check its form"
# BEGIN STAFF
	@echo "  make quizzes                generate the quizzes and their answer keys"
	@echo "  make grade SUB=dir OUT=dir  grade a folder of submissions (LAB=labN, KEY=file, JOBS=n, GPU=, CUDA=)"
	@echo "  make release LAB=labN       cut and verify the student release (OUT=dir)"
	@echo "  make bench                  speed of the simulator itself"
	@echo "  make validate               simulated against published measurements"
	@echo "  make check                  what CI runs (FULL=1: every test there is; STEP=name: one step)"
	@echo "  make docs                   the documentation as one site: build/docs/html/index.html"
	@echo "  make format                 clang-format the tree"
# END STAFF
	@echo "  make clean                  delete build/"
	@echo "Variables: SOLUTION=1 (the reference solution)  GPU=k80|v100|v100_sxm2|t4|rtx8000|a100|a100_80gb|h100|h100_pcie|h200  TARGET=gpu (a real GPU)"
	@echo "           CUDA=nvcc|clang (compiler of the .cu files)  V=1 (show every command)  JOBS=n (parallel compilers)"
# BEGIN STAFF
	@echo "           QUIZ=name SEED=text COUNT=n STUDENTS=roster.csv (make quizzes: which, course key, variants, one per student)"
# END STAFF
	@echo "           TEST=id (one test or exercise alone)  FULL=1 (every size of its tables)"
	@echo "           FRESH=1 (compile and run again what is unchanged of your files since the last test)"

bootstrap:
	$(run)tools/bootstrap $(chosen) $(if $(filter-out $(without_charts),$(MAKECMDGOALS)),charts)

setup: bootstrap
	@tools/build.sh "gpusim_all"
	@PYTHONPATH=autograder /usr/bin/python3 -m hpml_autograder given --cuda "$(or $(CUDA),auto)"

# `make lab3 test`: lab3 chooses, test acts. `make lab3` alone builds.
$(LABS): bootstrap
	$(run)$(if $(action),:,tools/lab.sh $@ build)

each_lab = set -e; for lab in $(chosen); do tools/lab.sh $$lab $@; done

$(ACTIONS): bootstrap
	$(run)$(if $(chosen),$(each_lab),echo "make $@: name the lab as well: make lab3 $@" >&2; exit 2)

bench: bootstrap
	$(run)$(if $(chosen),$(each_lab),tools/bench.sh)

# BEGIN STAFF: a student release leaves these out.
.PHONY: quizzes quiz grade release validate check docs format
quizzes quiz: bootstrap
	@tools/build.sh hpml-model && tools/hpml quiz make

validate: $(if $(filter gpu,$(TARGET)),,bootstrap)  # a machine with a card needs nvcc and Python alone
	@tools/validate.sh

grade: bootstrap
	@tools/hpml grade --from-environment

release: bootstrap
	@tools/hpml release

check:
	@tools/bootstrap tests
	@/usr/bin/python3 tools/check.py $(STEP)

docs:
	@tools/bootstrap docs
	@docs/build_site.py

format: bootstrap
	@tools/format.sh
# END STAFF

clean:
	@rm -rf build
