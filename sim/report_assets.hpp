// SPDX-License-Identifier: Apache-2.0
// What every report page brings along: report.css and report.js, put into the program when it is built.
#pragma once

#include <string_view>

namespace linebounce {

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
/// SHA-256 of the script's bytes, 64 hexadecimal digits.
extern const std::string_view kReportScriptSha256;

}  // namespace linebounce
