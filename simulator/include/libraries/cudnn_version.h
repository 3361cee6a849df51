// The version macros of cudnn.h.
#pragma once
#include "cudnn.h"
