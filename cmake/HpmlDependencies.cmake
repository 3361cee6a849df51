# Distribution packages only; tools/bootstrap installs them. CMake would also look beside every folder of PATH, where a
# conda or Homebrew tree offers other builds of the same libraries: not for us.
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
# BEGIN STAFF: a student release has no tests of the simulator.
find_package(GTest REQUIRED)
# END STAFF
find_package(benchmark REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw)

unset(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH)
