#pragma once

namespace lab6 {

int sweep_command(int argc, char** argv);

}  // namespace lab6
