#pragma once
// Programs that include the older name mean the same functions.
#include <cublas_v2.h>
