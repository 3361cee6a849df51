#include "common/nn/train/plan.hpp"

namespace hpml::nn {

namespace {

Step& at(std::vector<Step>& steps, int index) { return steps[static_cast<size_t>(index)]; }

std::vector<int> count_readers(const std::vector<Step>& steps) {
  std::vector<int> readers(steps.size(), 0);
  for (const Step& step : steps) {
    for (const int input : step.inputs) {
      readers[static_cast<size_t>(input < 0 ? 0 : input)] += input < 0 ? 0 : 1;
    }
  }
  return readers;
}

// May the step write its output onto its first input? In training that value must not be needed again: neither by the
// step's own backward pass nor by that of the node that made it.
bool may_overwrite_input(std::vector<Step>& steps, const Step& step, const std::vector<int>& readers, bool training) {
  const int first = step.inputs[0];
  if (first < 0 || !step.layer->forward_in_place() || readers[static_cast<size_t>(first)] != 1 ||
      at(steps, first).node->out_shape != step.node->out_shape) {
    return false;
  }
  return !training || (!step.layer->needs_input() && !at(steps, first).layer->needs_output());
}

}  // namespace

void plan_activations(std::vector<Step>& steps, int batch, bool training, Buffers& buffers) {
  const std::vector<int> readers = count_readers(steps);
  std::vector<int> unread = readers;
  for (Step& step : steps) {
    const Shape shape = step.node->out_shape.with_n(batch);
    const bool in_place = may_overwrite_input(steps, step, readers, training);
    step.out = in_place ? at(steps, step.inputs[0]).out : buffers.take(shape);
    if (in_place) {
      at(steps, step.inputs[0]).overwritten = true;
    }
    for (size_t i = in_place ? 1 : 0; i < step.inputs.size() && !training; ++i) {
      const int input = step.inputs[i];
      if (input >= 0 && --unread[static_cast<size_t>(input)] == 0) {
        buffers.release(at(steps, input).node->out_shape.with_n(batch), at(steps, input).out);
      }
    }
  }
}

void plan_gradients(std::vector<Step>& steps, int batch, Buffers& buffers) {
  const auto take = [&](int node) { return buffers.take(at(steps, node).node->out_shape.with_n(batch)); };
  const auto release = [&](int node, float* buffer) {
    buffers.release(at(steps, node).node->out_shape.with_n(batch), buffer);
  };
  steps.back().dout = take(steps.back().index);
  for (int index = static_cast<int>(steps.size()) - 1; index >= 0; --index) {
    Step& step = at(steps, index);
    bool dout_kept = false;  // dout's memory became the gradient of the first input
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      const int input = step.inputs[i];
      step.din.push_back(nullptr);
      step.add_to.push_back(nullptr);
      if (input < 0) {
        continue;
      }
      const bool in_place =
          i == 0 && step.layer->backward_in_place() && at(steps, input).node->out_shape == step.node->out_shape;
      step.din[i] = in_place ? step.dout : take(input);
      if (at(steps, input).dout == nullptr) {
        at(steps, input).dout = step.din[i];
        dout_kept = dout_kept || in_place;
      } else {
        step.add_to[i] = at(steps, input).dout;
      }
    }
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (step.add_to[i] != nullptr && step.din[i] != step.dout) {
        release(step.inputs[i], step.din[i]);
      }
    }
    if (!dout_kept) {
      release(index, step.dout);
    }
  }
}

}  // namespace hpml::nn
