#!/bin/bash
# Gradescope runs this once, when it makes the image: packages and the simulator.
set -eu
cd "${AUTOGRADER:-/autograder}/source/hpml"
exec make setup
