// Where NVTX was before its version 3.
#pragma once

#include "nvtx3/nvToolsExt.h"
