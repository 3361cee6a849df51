// A part of cudnn.h by its own name.
#pragma once
#include "cudnn.h"
