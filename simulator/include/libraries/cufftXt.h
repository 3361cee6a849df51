// Programs include it for cufft.h and the data types; transforms over several GPUs and callbacks are not here.
#pragma once
#include <library_types.h>

#include "cufft.h"
