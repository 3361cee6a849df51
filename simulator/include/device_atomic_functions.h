// Old programs include this name for the atomics.
#pragma once

#include "device_functions.h"
