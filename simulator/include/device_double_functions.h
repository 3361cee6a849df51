// Old programs include this name for the double intrinsics.
#pragma once

#include "device_functions.h"
