// Old programs include this name for the types of the runtime API.
#pragma once

#include "driver_types.h"
