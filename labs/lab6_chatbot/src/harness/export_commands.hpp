#pragma once

namespace lab6 {

int export_command(int argc, char** argv);
int run_command(int argc, char** argv);
int graph_command(int argc, char** argv);
int latency_command(int argc, char** argv);

}  // namespace lab6
