#pragma once
#include "hpml/texture_types.h"
