#pragma once
// Everything below the SMs: address translation, crossbar, L2 slices, DRAM channels. Lives as long as the device: what
// a kernel or a copy leaves in L2 is there for the next one.
#include <algorithm>
#include <memory>
#include <vector>

#include "simulator/timing/cache/l2_slice.hpp"
#include "simulator/timing/cache/tlb.hpp"
#include "simulator/timing/clock/active_set.hpp"
#include "simulator/timing/clock/component.hpp"
#include "simulator/timing/host/apertures.hpp"
#include "simulator/timing/sm_port.hpp"

namespace hpml::sim::timing {

class MemorySystem final : public Component, public WarmingPort {
 public:
  explicit MemorySystem(const GpuSpec& spec);
  ~MemorySystem() override;

  // Null: all memory is the GPU's own. It must outlive this.
  void attach(const Apertures* apertures) { apertures_ = apertures; }

  SmPort& port(int sm) { return ports_[static_cast<size_t>(sm)]; }
  const SmPort& port(int sm) const { return ports_[static_cast<size_t>(sm)]; }

  // SM `sm` has sent something. Its port is looked at until it is empty or waits for a slice.
  void sent(int sm);
  // SMs for which a reply was sent since the call before.
  template <class F>
  void take_receivers(F f) {
    receivers_.for_each(f);
    receivers_.clear();
  }
  // SMs whose port was full and has room since the call before.
  template <class F>
  void take_relieved(F f) {
    relieved_.for_each(f);
    relieved_.clear();
  }

  // In so many cycles slices hear nothing of what SMs send in them, nor SMs of what slices answer: serve() may run
  // beside the SMs, and touches no port. move(), after both, takes what SMs have sent on its way, and the answers.
  uint64_t quantum() const { return std::max<uint64_t>(std::min(request_delay_, reply_delay_), 1); }
  void serve(Cycle begin, Cycle end);
  void move(Cycle begin, Cycle end);
  void tick(Cycle now) override;  // a quantum of one cycle
  Cycle next_event() const override;
  Cycle last_event() const { return last_; }  // in which something was served or moved
  Cycle written() const;                      // when the last write over the host link has left
  void describe(std::string& out) const override;

  void place(uint64_t address, uint64_t bytes);  // a host copy or memset went through L2
  void warm(const MemRequest& unaddressed) override;
  const ModelCounters& warmed() const { return warmed_; }  // DRAM sectors of warm() since the kernel began
  // `sectors` went through L2 unseen: more than it holds leave nothing of what is known to be resident.
  void unseen(double sectors);
  // Counters start again. What is still in the ports, of a launch that was not timed to its end, is dropped.
  void start_kernel(Cycle now);
  const ModelCounters& counters() const { return counters_; }
  int slice_of(uint64_t line) const;

 private:
  static constexpr int kNoSlice = -1;
  void move_requests(Cycle now);
  void serve_slices(Cycle now);
  Cycle next_served() const;
  Cycle next_sent() const;
  bool has_room(size_t slice, Cycle now) const;
  void wait_for(size_t slice, size_t sm, Cycle now);
  void go_on(size_t slice, Cycle now);
  void drain(size_t sm, Cycle now);
  size_t tpc_of(size_t sm) const { return sm / spec_.topology.sms_per_tpc; }
  bool yields(size_t sm, Cycle now) const;
  uint64_t request_cost(const MemRequest& request) const;
  void forget();  // what L2 holds
  MemRequest addressed(MemRequest request, size_t slice) const;
  void reply(Cycle now, const MemRequest& request, uint64_t extra);

  const GpuSpec& spec_;
  // Request and reply of a hit in the near partition take near_latency_cycles - lsu_front_cycles together.
  uint64_t request_delay_, reply_delay_, far_extra_;
  const Apertures* apertures_ = nullptr;
  uint8_t link_epoch_ = 0;  // of this kernel's lines from over the link
  LinkPort link_;
  std::vector<DramChannel> channels_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<SmPort> ports_;
  std::vector<uint64_t> request_free_, reply_free_;  // crossbar links, fine: to the slices per TPC, back per SM
  std::vector<size_t> sent_last_;                    // by TPC: the SM whose request went last
  std::vector<Cycle> slice_wake_, sender_wake_;
  std::vector<Cycle> held_since_;          // the write at the head of an SM's port; kNever: it is not
  std::vector<std::vector<Cycle>> taken_;  // by slice: when it has taken requests from its queue in this quantum
  // The answers of a quantum.
  struct Answer {
    size_t sm = 0;
    Cycle ready;
    MemReply reply;
  };
  std::vector<Answer> answers_;
  Cycle last_;
  ActiveSet senders_, receivers_, relieved_, busy_slices_;
  std::vector<ActiveSet> waiting_;  // by slice: SMs whose next request is for it, while its queue is full
  std::vector<int> waits_for_;      // by SM: that slice, or kNoSlice
  Translation translation_;
  uint64_t packet_cost_;          // of a 32-byte packet on the way back, fine
  uint64_t request_packet_cost_;  // of one on the way of a TPC to the slices
  Cycle start_;                   // of the kernel
  ModelCounters counters_, warmed_;
};

}  // namespace hpml::sim::timing
