// SPDX-License-Identifier: Apache-2.0
#include "coherence/protocol_tables.hpp"

namespace linebounce {

namespace {

template <Protocol kProtocol, SnoopMode kMode>
constexpr ProtocolTables kTables = {
    private_cache::kTable,
    slice::kTable<kProtocol, kMode>,
    home::kTable<kProtocol, kMode>,
};

}  // namespace

const ProtocolTables& tables_of(Protocol protocol, SnoopMode snoop) {
  static constexpr const ProtocolTables* kAll[2][3] = {
      {&kTables<Protocol::kMesi, SnoopMode::kSource>, &kTables<Protocol::kMesi, SnoopMode::kHome>,
       &kTables<Protocol::kMesi, SnoopMode::kDirectory>},
      {&kTables<Protocol::kMesif, SnoopMode::kSource>, &kTables<Protocol::kMesif, SnoopMode::kHome>,
       &kTables<Protocol::kMesif, SnoopMode::kDirectory>}};
  return *kAll[static_cast<std::size_t>(protocol)][static_cast<std::size_t>(snoop)];
}

}  // namespace linebounce
