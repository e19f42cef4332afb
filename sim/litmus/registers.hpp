// SPDX-License-Identifier: Apache-2.0
// The general registers' names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace linebounce::litmus {

struct RegisterName {
  int number = 0;      ///< RAX is 0
  unsigned bytes = 8;  ///< 4 or 8
};

inline constexpr std::array<std::array<std::string_view, 2>, 16> kRegisterNames = {{{"rax", "eax"},
                                                                                    {"rbx", "ebx"},
                                                                                    {"rcx", "ecx"},
                                                                                    {"rdx", "edx"},
                                                                                    {"rsi", "esi"},
                                                                                    {"rdi", "edi"},
                                                                                    {"rbp", "ebp"},
                                                                                    {"rsp", "esp"},
                                                                                    {"r8", "r8d"},
                                                                                    {"r9", "r9d"},
                                                                                    {"r10", "r10d"},
                                                                                    {"r11", "r11d"},
                                                                                    {"r12", "r12d"},
                                                                                    {"r13", "r13d"},
                                                                                    {"r14", "r14d"},
                                                                                    {"r15", "r15d"}}};

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// The register that goes by this name, in upper or lower case.
inline std::optional<RegisterName> find_register(std::string_view name) {
  const std::string small = lower(name);
  for (std::size_t i = 0; i < kRegisterNames.size(); ++i) {
    for (std::size_t w = 0; w < 2; ++w) {
      if (small == kRegisterNames[i][w]) return RegisterName{static_cast<int>(i), w == 0 ? 8U : 4U};
    }
  }
  return std::nullopt;
}

}  // namespace linebounce::litmus
