// SPDX-License-Identifier: Apache-2.0
// What a file must satisfy before a TOML parser may see it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace linebounce {

/// Reads a whole file of at most kMaxInputBytes. Throws InputError.
std::string read_input(const std::filesystem::path& file);

/// Throws InputError unless `text` is UTF-8 without NUL, with brackets nested at most 32 deep and keys of at most
/// 16 dotted parts. The last two bound the recursion of whoever handles the parsed tree.
void check_input_text(std::string_view text, std::string_view file_name);

/// A user's word, fit for one line of an error message: control characters replaced, not too long.
std::string printable(std::string_view text);

}  // namespace linebounce
