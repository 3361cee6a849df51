# Goals of a lab from its src/ folder, whose Makefile includes this file: `make test` there is `make LAB test` in the root of the
# tree, and `make` builds.
MAKEFLAGS += --no-print-directory -q
lab := $(shell basename "$$(dirname "$(CURDIR)")" | cut -d_ -f1)
goals := test run debug profile bench submit-check train talk sweep namespaces

.PHONY: build help $(goals)
build $(goals):
	+@$(MAKE) -C ../../.. $(lab) $(filter-out build,$@)
help:
	+@echo "make, make test, make run PROG=..., make profile, make bench here: as make $(lab) ... in the root; all goals:"
	+@env -u MAKEFLAGS $(MAKE) -C ../../.. help
