// Exact counts of the networks. Sources: He et al. 2015, Simonyan and Zisserman 2014, Krizhevsky et al. 2012, Szegedy
// et al. 2014, and the parameter counts that torchvision prints; MAC counts by an independent script from the papers'
// tables.
#include <gtest/gtest.h>

#include "common/models/networks.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/profile/tables.hpp"

namespace hpml::nn {
namespace {

struct Row {
  const char* name;
  int64_t macs, conv_macs, parameters;
  int convolutions;
  int64_t conv_outputs;
};
const Row kRows[] = {
    {"resnet18", 555422720, 555417600, 11173962, 20, 614400},
    {"resnet8", 12501632, 12500992, 78042, 9, 86016},
    {"resnet50", 1297829888, 1297809408, 23520842, 53, 3432448},
    {"vgg19", 19632062464, 19508428800, 143667240, 16, 14852096},
    {"vgg16", 15470264320, 15346630656, 138357544, 13, 13547520},
    {"alexnet", 724406816, 665784864, 60965224, 5, 650080},
    {"alexnet-one-tower", 714188480, 655566528, 61100840, 5, 484992},
    {"googlenet", 1582671872, 1581647872, 6998552, 57, 3226160},
    {"googlenet-torchvision", 1498376192, 1497352192, 6624904, 57, 3226160},
    {"resnet18-224", 1814073344, 1813561344, 11689512, 20, 2483712},
    {"resnet50-v1", 3857973248, 3855925248, 25557032, 53, 10587136},
    {"resnet50-v1.5", 4089184256, 4087136256, 25557032, 53, 11113984},
    {"vgg19-32", 398136320, 398131200, 20029514, 16, 303104},
};

TEST(CostTable, CountsTheNetworksToTheLastDigit) {
  EXPECT_EQ(network_names().size(), std::size(kRows));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const CostTable table = cost_table(*network_by_name(row.name), cost_of);
    EXPECT_EQ(table.total.macs, row.macs);
    EXPECT_EQ(table.conv_macs, row.conv_macs);
    EXPECT_EQ(table.total.parameters, row.parameters);
    EXPECT_EQ(table.convolutions, row.convolutions);
    EXPECT_EQ(table.conv_outputs, row.conv_outputs);
  }
}

TEST(CostTable, AgreesWithTheModelsOfCommonModels) {
  const auto summary = models::summary(models::Network::resnet18_cifar10);
  const CostTable table = cost_table(resnet18_cifar(), cost_of);
  EXPECT_EQ(table.total.macs, summary.macs);
  EXPECT_EQ(table.total.parameters, summary.parameters);
}

TEST(CostTable, KeepsBuffersOtherWorkAndPaddingApart) {
  const CostTable table = cost_table(resnet18_cifar(), cost_of);
  EXPECT_EQ(table.total.buffers, 9600);
  EXPECT_EQ(table.total.executed_macs, 481854208 + 5120);
  EXPECT_EQ(table.total.other_flop, 1228800 + 557056 + 245760 + 8192);
  EXPECT_EQ(table.training_macs, 1664498688);
  EXPECT_EQ(cost_table(resnet8_cifar(), cost_of).training_macs, 37062528);
  EXPECT_EQ(resnet18_cifar(false).parameters(), 11164362);
}

}  // namespace
}  // namespace hpml::nn
