#include "harness/model.hpp"

#include <algorithm>

#include "fast_math.hpp"
#include "harness/dropout.hpp"
#include "harness/weights.hpp"

namespace lab6 {

namespace {

using Floats = hpml::nn::Tensor;

Floats floats(int64_t rows, int columns) { return Floats({1, 1, static_cast<int>(rows), columns}); }

// What the backward pass of a layer uses and nobody reads afterwards: one for all layers, so that it stays in the cache.
struct GruScratch {
  Floats d_input, d_recurrent, d_state;

  GruScratch(int steps, int batch, int hidden)
      : d_input(floats(int64_t{steps} * batch, 3 * hidden)),
        d_recurrent(floats(int64_t{steps} * batch, 3 * hidden)),
        d_state(floats(batch, hidden)) {}
};

// Memory of one GRU layer and direction, with its results.
struct GruPlace {
  Floats previous, gates, recurrent, transposed, y, last, dx, d_start;
  const GruScratch& scratch;

  GruPlace(int steps, int batch, int input, int hidden, const GruScratch& shared) : scratch(shared) {
    const int64_t rows = int64_t{steps} * batch;
    previous = floats(rows, hidden);
    y = floats(rows, hidden);
    gates = floats(rows, 3 * hidden);
    recurrent = floats(rows, 3 * hidden);
    transposed = floats(hidden, 3 * hidden);
    last = floats(batch, hidden);
    d_start = floats(batch, hidden);
    dx = floats(rows, input);
  }
  GruMemory memory() const {
    return {previous.data(), gates.data(), recurrent.data(), scratch.d_input.data(), scratch.d_recurrent.data(),
            scratch.d_state.data(), transposed.data()};
  }
};

}  // namespace

struct Chatbot::Impl {
  ModelShape shape;
  Compute& compute;
  Weights weights;
  Recorder* recorder = nullptr;
  Dropout dropout;

  // Of the batch at work.
  int batch = 0, keys = 0, steps = 0;
  const int32_t* lengths = nullptr;

  Floats questions, joined, d_joined, keys_out, d_keys;          // encoder
  GruScratch scratch;
  GruPlace encoder[4], decoder[2];
  Floats inputs, weights_of_keys, context, concat, hidden, logits;  // decoder
  Floats d_hidden, d_concat, d_output, d_context, d_query, row_losses;
  std::vector<int32_t> all_steps, words, chosen;

  Impl(const ModelShape& shape_, uint64_t seed, Compute& compute_)
      : shape(shape_),
        compute(compute_),
        weights(shape.vocabulary, shape.hidden, seed),
        dropout(shape.dropout, seed),
        scratch(shape.steps, shape.batch, shape.hidden),
        encoder{place(1), place(1), place(2), place(2)},
        decoder{place(1), place(1)} {
    const int64_t rows = int64_t{shape.steps} * shape.batch;
    const int h = shape.hidden;
    for (Floats* one : {&questions, &keys_out, &d_keys, &inputs, &context, &hidden, &d_hidden, &d_output, &d_context, &d_query}) {
      *one = floats(rows, h);
    }
    for (Floats* one : {&joined, &d_joined, &concat, &d_concat}) {
      *one = floats(rows, 2 * h);
    }
    weights_of_keys = floats(rows, shape.steps);
    logits = floats(rows, shape.vocabulary);
    row_losses = floats(rows, 1);
    all_steps.resize(static_cast<size_t>(shape.batch));
    words.resize(static_cast<size_t>(rows));
    chosen.resize(static_cast<size_t>(shape.batch));
  }

  GruPlace place(int inputs_per_hidden) const {
    return {shape.steps, shape.batch, inputs_per_hidden * shape.hidden, shape.hidden, scratch};
  }

  // Calls work(row) for all rows, on all threads.
  template <class Work>
  void each_row(int64_t rows, Work&& work) {
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(rows, task, kTasks);
      for (int64_t row = range.begin; row < range.end; ++row) {
        work(row);
      }
    });
  }

  // `values` begin at row `first` of the place.
  void drop(Dropout::Place place, int64_t rows, int columns, float* values, int64_t first = 0) {
    if (dropout.on()) {
      each_row(rows, [&](int64_t row) { dropout.apply(place, first + row, columns, values + row * columns); });
    }
  }

  void embed(const int32_t* tokens, int64_t rows, float* out) {
    const float* table = weights.embedding.value.data();
    each_row(rows, [&](int64_t row) {
      std::copy_n(table + int64_t{tokens[row]} * shape.hidden, shape.hidden, out + row * shape.hidden);
    });
  }

  void embed_backward(const int32_t* tokens, int64_t rows, const float* d_out) {
    float* gradient = weights.embedding.gradient.data();
    const int h = shape.hidden;
    compute.parallel(kTasks, [&](int task) {  // cut by columns: a word may occur in several rows
      const Range range = piece(h, task, kTasks);
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t i = range.begin; i < range.end; ++i) {
          gradient[int64_t{tokens[row]} * h + i] += d_out[row * h + i];
        }
      }
    });
  }

  // y[row] = x[row] W^T + b
  void linear(int64_t rows, int input, int output, const float* x, const Weight& w, const Weight& b, float* y) {
    compute.multiply({.rows = rows, .columns = output, .depth = input, .transpose_b = true}, x, w.value.data(), y);
    const float* bias = b.value.data();
    each_row(rows, [&](int64_t row) {
      for (int i = 0; i < output; ++i) {
        y[row * output + i] += bias[i];
      }
    });
  }

  void linear_backward(int64_t rows, int input, int output, const float* x, const float* dy, const Weight& w,
                       const Weight& b, float* dx) {
    compute.multiply({.rows = output, .columns = input, .depth = rows, .transpose_a = true, .accumulate = true}, dy, x,
                     w.gradient.data());
    float* bias = b.gradient.data();
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(output, task, kTasks);
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t i = range.begin; i < range.end; ++i) {
          bias[i] += dy[row * output + i];
        }
      }
    });
    compute.multiply({.rows = rows, .columns = input, .depth = output}, dy, w.value.data(), dx);
  }

  // to[row] = (left[row], right[row])
  void join(int64_t rows, const float* left, const float* right, float* to) {
    const int h = shape.hidden;
    each_row(rows, [&](int64_t row) {
      std::copy_n(left + row * h, h, to + 2 * row * h);
      std::copy_n(right + row * h, h, to + (2 * row + 1) * h);
    });
  }
  void part(int64_t rows, const float* from, float* left, float* right) {
    const int h = shape.hidden;
    each_row(rows, [&](int64_t row) {
      std::copy_n(from + 2 * row * h, h, left + row * h);
      std::copy_n(from + (2 * row + 1) * h, h, right + row * h);
    });
  }
  void add(int64_t count, const float* a, const float* b, float* sums) {
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(count, task, kTasks);
      for (int64_t i = range.begin; i < range.end; ++i) {
        sums[i] = a[i] + b[i];
      }
    });
  }

  void gru(const GruLayer& layer, GruPlace& at, GruShape gru_shape, const float* x, const float* start,
           const int32_t* steps_of, bool reversed) {
    gru_forward(gru_shape, layer.values(), x, start, steps_of, reversed, at.memory(), at.y.data(), at.last.data(), compute);
  }

  // tokens [keys][batch]; fills keys_out and the states in encoder[].last.
  void encode(const int32_t* tokens, const int32_t* question_lengths, int question_steps, int size) {
    batch = size;
    keys = question_steps;
    lengths = question_lengths;
    const int64_t rows = int64_t{keys} * batch;
    const GruShape layer0{keys, batch, shape.hidden, shape.hidden}, layer1{keys, batch, 2 * shape.hidden, shape.hidden};
    {
      const Span span(recorder, "embedding", "forward");
      embed(tokens, rows, questions.data());
      drop(Dropout::questions, rows, shape.hidden, questions.data());
    }
    {
      const Span span(recorder, "encoder.gru.l0", "forward");
      gru(weights.encoder[forward0], encoder[forward0], layer0, questions.data(), nullptr, lengths, false);
      gru(weights.encoder[reverse0], encoder[reverse0], layer0, questions.data(), nullptr, lengths, true);
      join(rows, encoder[forward0].y.data(), encoder[reverse0].y.data(), joined.data());
      drop(Dropout::encoder, rows, 2 * shape.hidden, joined.data());
    }
    const Span span(recorder, "encoder.gru.l1", "forward");
    gru(weights.encoder[forward1], encoder[forward1], layer1, joined.data(), nullptr, lengths, false);
    gru(weights.encoder[reverse1], encoder[reverse1], layer1, joined.data(), nullptr, lengths, true);
    add(rows * shape.hidden, encoder[forward1].y.data(), encoder[reverse1].y.data(), keys_out.data());
  }

  // `count` decoder steps with known input words [count][batch], from these states; fills logits. The first of them is
  // step `first` of the answer.
  void decode(const int32_t* tokens, int count, const float* start0, const float* start1, int first = 0) {
    const int64_t rows = int64_t{count} * batch;
    const int h = shape.hidden;
    const GruShape layer{count, batch, h, h};
    steps = count;
    std::fill_n(all_steps.begin(), batch, count);
    {
      const Span span(recorder, "embedding", "forward");
      embed(tokens, rows, inputs.data());
      drop(Dropout::inputs, rows, h, inputs.data(), int64_t{first} * batch);
    }
    {
      const Span span(recorder, "decoder.gru", "forward");
      gru(weights.decoder[0], decoder[0], layer, inputs.data(), start0, all_steps.data(), false);
      drop(Dropout::decoder, rows, h, decoder[0].y.data(), int64_t{first} * batch);
      gru(weights.decoder[1], decoder[1], layer, decoder[0].y.data(), start1, all_steps.data(), false);
    }
    {
      const Span span(recorder, "attention", "forward");
      attention_forward({count, keys, batch, h}, decoder[1].y.data(), keys_out.data(), lengths, nullptr, nullptr,
                        weights_of_keys.data(), context.data(), compute);
    }
    {
      const Span span(recorder, "decoder.concat", "forward");
      join(rows, decoder[1].y.data(), context.data(), concat.data());
      linear(rows, 2 * h, h, concat.data(), weights.concat_w, weights.concat_b, hidden.data());
      each_row(rows, [&](int64_t row) {
        for (int64_t i = row * h; i < (row + 1) * h; ++i) {
          hidden.data()[i] = fast_tanh(hidden.data()[i]);
        }
      });
    }
    const Span span(recorder, "decoder.out", "forward", int64_t{4} * shape.vocabulary * (h + rows));
    linear(rows, h, shape.vocabulary, hidden.data(), weights.out_w, weights.out_b, logits.data());
  }

  // The best word of each sequence after a decode() of one step; ties go to the lowest index.
  void choose() {
    each_row(batch, [&](int64_t b) {
      const float* own = logits.data() + b * shape.vocabulary;
      chosen[static_cast<size_t>(b)] = static_cast<int32_t>(std::max_element(own, own + shape.vocabulary) - own);
    });
  }

  // Calls use(step, chosen words) after each step, until it says false or `most` steps are done. The question is encoded.
  template <class Use>
  void search(int most, Use&& use) {
    std::fill_n(chosen.begin(), batch, kStart);
    for (int step = 0; step < most; ++step) {
      decode(chosen.data(), 1, step == 0 ? encoder[forward0].last.data() : decoder[0].last.data(),
             step == 0 ? encoder[reverse0].last.data() : decoder[1].last.data(), step);
      choose();
      if (!use(step)) {
        return;
      }
    }
  }

  void forward(const Batch& data, bool teacher) {
    encode(data.question.data(), data.lengths.data(), data.question_steps, data.size);
    std::fill_n(words.begin(), batch, kStart);
    if (teacher) {
      std::copy_n(data.answer.begin(), int64_t{data.answer_steps - 1} * batch, words.begin() + batch);
    } else {
      const Span span(recorder, "search", "forward");
      search(data.answer_steps - 1, [&](int step) {
        std::copy_n(chosen.begin(), batch, words.begin() + (step + 1) * int64_t{batch});
        return true;
      });
    }
    decode(words.data(), data.answer_steps, encoder[forward0].last.data(), encoder[reverse0].last.data());
  }

  Loss loss(const Batch& data, bool backward) {
    const Span span(recorder, "loss", "forward", int64_t{backward ? 8 : 4} * steps * batch * shape.vocabulary);
    return masked_loss(data.answer_steps * batch, shape.vocabulary, logits.data(), data.answer.data(), data.mask.data(),
                       row_losses.data(), backward ? logits.data() : nullptr, compute);
  }

  // logits hold their gradient.
  void decode_backward() {
    const int64_t rows = int64_t{steps} * batch;
    const int h = shape.hidden;
    const GruShape layer{steps, batch, h, h};
    {
      const Span span(recorder, "decoder.out", "backward", int64_t{4} * shape.vocabulary * (3 * h + 2 * rows));
      linear_backward(rows, h, shape.vocabulary, hidden.data(), logits.data(), weights.out_w, weights.out_b, d_hidden.data());
    }
    {
      const Span span(recorder, "decoder.concat", "backward");
      each_row(rows, [&](int64_t row) {
        for (int64_t i = row * h; i < (row + 1) * h; ++i) {
          d_hidden.data()[i] *= 1.0F - hidden.data()[i] * hidden.data()[i];
        }
      });
      linear_backward(rows, 2 * h, h, concat.data(), d_hidden.data(), weights.concat_w, weights.concat_b, d_concat.data());
      part(rows, d_concat.data(), d_output.data(), d_context.data());
    }
    {
      const Span span(recorder, "attention", "backward");
      std::fill_n(d_keys.data(), int64_t{keys} * batch * h, 0.0F);
      attention_backward({steps, keys, batch, h}, decoder[1].y.data(), keys_out.data(), lengths, nullptr, nullptr,
                         weights_of_keys.data(), d_context.data(), d_query.data(), d_keys.data(), nullptr, compute);
      add(rows * h, d_output.data(), d_query.data(), d_output.data());
    }
    {
      const Span span(recorder, "decoder.gru", "backward");
      gru_backward(layer, weights.decoder[1].values(), decoder[0].y.data(), all_steps.data(), false, d_output.data(), nullptr,
                   decoder[1].memory(), weights.decoder[1].gradients(), decoder[1].dx.data(), decoder[1].d_start.data(), compute);
      drop(Dropout::decoder, rows, h, decoder[1].dx.data());
      gru_backward(layer, weights.decoder[0].values(), inputs.data(), all_steps.data(), false, decoder[1].dx.data(), nullptr,
                   decoder[0].memory(), weights.decoder[0].gradients(), decoder[0].dx.data(), decoder[0].d_start.data(), compute);
    }
    const Span span(recorder, "embedding", "backward");
    drop(Dropout::inputs, rows, h, decoder[0].dx.data());
    embed_backward(words.data(), rows, decoder[0].dx.data());
  }

  void encoder_layer_backward(Layer layer, const float* x, const float* dy, const float* d_last) {
    const bool upper = layer >= forward1;
    GruPlace& at = encoder[layer];
    gru_backward({keys, batch, (upper ? 2 : 1) * shape.hidden, shape.hidden}, weights.encoder[layer].values(), x, lengths,
                 layer == reverse0 || layer == reverse1, dy, d_last, at.memory(), weights.encoder[layer].gradients(),
                 at.dx.data(), nullptr, compute);
  }

  void encode_backward(const int32_t* tokens) {
    const int64_t rows = int64_t{keys} * batch;
    const int h = shape.hidden;
    {
      const Span span(recorder, "encoder.gru.l1", "backward");
      encoder_layer_backward(forward1, joined.data(), d_keys.data(), nullptr);
      encoder_layer_backward(reverse1, joined.data(), d_keys.data(), nullptr);
      add(rows * 2 * h, encoder[forward1].dx.data(), encoder[reverse1].dx.data(), d_joined.data());
      drop(Dropout::encoder, rows, 2 * h, d_joined.data());
    }
    {
      const Span span(recorder, "encoder.gru.l0", "backward");
      part(rows, d_joined.data(), encoder[forward1].y.data(), encoder[reverse1].y.data());  // no longer needed
      encoder_layer_backward(forward0, questions.data(), encoder[forward1].y.data(), decoder[0].d_start.data());
      encoder_layer_backward(reverse0, questions.data(), encoder[reverse1].y.data(), decoder[1].d_start.data());
    }
    const Span span(recorder, "embedding", "backward");
    add(rows * h, encoder[forward0].dx.data(), encoder[reverse0].dx.data(), questions.data());
    drop(Dropout::questions, rows, h, questions.data());
    embed_backward(tokens, rows, questions.data());
  }

  void clear_gradients() {
    for (const Parameter& parameter : weights.parameters) {
      const auto n = static_cast<int64_t>(parameter.gradient.size());
      compute.parallel(kTasks, [&](int task) {
        const Range range = piece(n, task, kTasks);
        std::fill_n(parameter.gradient.data() + range.begin, range.end - range.begin, 0.0F);
      });
    }
  }
};

Chatbot::Chatbot(const ModelShape& shape, uint64_t seed, Compute& compute)
    : impl_(std::make_unique<Impl>(shape, seed, compute)) {}
Chatbot::~Chatbot() = default;

std::span<const Parameter> Chatbot::parameters() const { return impl_->weights.parameters; }

void Chatbot::record(Recorder* recorder) { impl_->recorder = recorder; }

Loss Chatbot::compute_loss(const Batch& batch, bool teacher) {
  impl_->forward(batch, teacher);
  return impl_->loss(batch, false);
}

Loss Chatbot::compute_gradients(const Batch& batch, bool teacher, int64_t step) {
  impl_->dropout.start(step);
  {
    const Span span(impl_->recorder, "clear gradients", "update");
    impl_->clear_gradients();
  }
  impl_->forward(batch, teacher);
  const Loss loss = impl_->loss(batch, true);
  impl_->decode_backward();
  impl_->encode_backward(batch.question.data());
  impl_->dropout.stop();
  return loss;
}

void Chatbot::encode(const Batch& batch) {
  impl_->encode(batch.question.data(), batch.lengths.data(), batch.question_steps, batch.size);
}

void Chatbot::first_step() {
  impl_->search(1, [](int) { return true; });
}

std::vector<std::vector<int32_t>> Chatbot::answer(std::span<const std::vector<int32_t>> questions) {
  std::vector<std::vector<int32_t>> answers(questions.size());
  const auto most = static_cast<size_t>(impl_->shape.batch);
  for (size_t first = 0; first < questions.size(); first += most) {
    const size_t count = std::min(most, questions.size() - first);
    std::vector<TokenPair> pairs(count);
    std::vector<const TokenPair*> pointers;
    for (size_t i = 0; i < count; ++i) {
      pairs[i].question = questions[first + i];
      pointers.push_back(&pairs[i]);
    }
    const Batch batch = make_batch(pointers);
    encode(batch);
    std::vector<bool> ended(count);
    impl_->search(kMaxTokens, [&](int) {
      for (size_t i = 0; i < count; ++i) {
        ended[i] = ended[i] || impl_->chosen[i] == kEnd;
        if (!ended[i]) {
          answers[first + i].push_back(impl_->chosen[i]);
        }
      }
      return std::find(ended.begin(), ended.end(), false) != ended.end();
    });
  }
  return answers;
}

void Chatbot::load(const std::vector<Tensor>& weights, const std::string& file) {
  const auto parameters = this->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (weights.size() != parameters.size() || weights[i].name != parameters[i].name ||
        weights[i].rows != parameters[i].rows || weights[i].columns != parameters[i].columns) {
      throw BadInput(file + ": its weights are not those of this network (" + parameters[i].name + ")");
    }
    std::ranges::copy(weights[i].values, parameters[i].value.begin());
  }
}

double exact_match(Chatbot& model, const std::vector<TokenPair>& pairs) {
  std::vector<std::vector<int32_t>> questions;
  for (const TokenPair& pair : pairs) {
    questions.push_back(pair.question);
  }
  const auto answers = model.answer(questions);
  size_t right = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    right += answers[i] == pairs[i].answer;
  }
  return pairs.empty() ? 0 : static_cast<double>(right) / static_cast<double>(pairs.size());
}

}  // namespace lab6
