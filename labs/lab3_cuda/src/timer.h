#pragma once
// Given, do not modify: a stop watch on the host's clock. The grader uses its own copy.

void start_timer();
void stop_timer();
double elapsed_seconds();  // between the last start_timer() and the last stop_timer()
