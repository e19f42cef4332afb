// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "topologies/input_error.hpp"

namespace linebounce::litmus {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse(text, "t.litmus");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(LitmusParser, ReadsWhatHerdReads) {
  const Program p = parse(R"(X86_64 SB+all
"store buffering"
Cycle=Fre PodWR Fre PodWR
Prefetch=0:x=F,0:y=T
(* a comment (* in a comment *) *)
{ uint64_t x; int y=2; [z]=3; 0:rax=1; 1:%rsi=x; }
 P0                        | P1              ;
 movl $1,(y)               | movq (%rsi),%rdi ;
 lock xaddl %eax,(z)       | xchgq %rdi,[x]  ;
                           | mov $-5,%ebx    ;
 LOCK cmpxchgl (z),%r8d    | MFENCE          ;
locations [z; 0:eax;]
~exists (0:rax=0 /\ (1:rdi=7 \/ not [x]=1))
)",
                          "t.litmus");
  EXPECT_EQ(p.architecture, "X86_64");
  EXPECT_EQ(p.name, "SB+all");
  ASSERT_EQ(p.threads.size(), 2U);
  EXPECT_EQ(p.threads[0].instructions.size(), 3U);
  EXPECT_EQ(p.threads[1].instructions.size(), 4U);
  EXPECT_EQ(p.threads[1].instructions[0].kind, InstructionKind::kLoad);
  EXPECT_EQ(p.threads[1].instructions[0].bytes, 8U);
  EXPECT_EQ(p.threads[1].instructions[2].kind, InstructionKind::kMove);
  EXPECT_EQ(p.threads[1].instructions[2].value, -5);
  EXPECT_EQ(p.variable_bytes, (std::vector<unsigned>{8, 4, 4}));
  EXPECT_EQ(p.variables[1].initial, 2);
  EXPECT_EQ(p.quantifier, Quantifier::kNotExists);
  EXPECT_EQ(to_text(p.condition), "0:eax=0 /\\ (1:rdi=7 \\/ ~(x=1))");
  std::string columns;
  for (const Column& c : p.columns) columns += c.name + " ";
  EXPECT_EQ(columns, "0:eax 1:rdi x z ");
}

TEST(LitmusParser, TakesTheDestinationFirstInX86AndLastInX86_64) {
  const Program intel = parse("X86 t\n{}P0;MOV EAX,[x];locations[x]", "t");
  const Program att = parse("X86_64 t\n{}P0;movl %eax,(x);locations[x]", "t");
  EXPECT_EQ(intel.threads[0].instructions[0].kind, InstructionKind::kLoad);
  EXPECT_EQ(att.threads[0].instructions[0].kind, InstructionKind::kStore);
}

struct Wrong {
  std::string_view text;
  std::string_view error;
};

constexpr Wrong kWrong[] = {
    {"", "t.litmus:1:1: nothing, expected 'X86' or 'X86_64' and the test's name"},
    {"ARM SB\n", "t.litmus:1:1: 'ARM', expected 'X86' or 'X86_64' and the test's name"},
    {"X86\n{}", "t.litmus:1:4: no name, expected the test's name in one word"},
    {"X86 a b\n{}", "t.litmus:1:4: 'a b', expected the test's name in one word"},
    {"X86 SB\n\"text", "t.litmus:2:1: a text without end, expected '\"'"},
    {"X86 SB\n(* (* *)\n{}", "t.litmus:2:1: a comment without end, expected '*)'"},
    {"X86 SB\nMOV EAX\n{}",
     "t.litmus:2:1: 'MOV', expected a text in quotes, a KEY=VALUE line, or '{' and the initial state"},
    {"X86 SB\n", "t.litmus:2:1: the end of the file, expected '{' and the initial state"},
    {"X86 SB\n{ x=y; }", "t.litmus:2:5: 'y', expected a whole number"},
    {"X86 SB\n{ EAX=1; }", "t.litmus:2:3: 'EAX', expected a variable, or THREAD: before the register"},
    {"X86 SB\n{ x=1 y=1; }", "t.litmus:2:7: 'y', expected ';' or '}'"},
    {"X86 SB\n{ 2:EAX=1; }\n P0 ;\n", "t.litmus:2:3: '2', expected a thread from 0 to 0"},
    {"X86 SB\n{ 0:AL=1; }\n P0 ;\n",
     "t.litmus:2:5: 'AL', expected a general register of 4 or 8 bytes, such as eax or rax"},
    {"X86 SB\n{ x=3000000000; }", "t.litmus:2:5: '3000000000', expected a whole number from -2147483648 to 2147483647"},
    {"X86 SB\n{}\n P1 ;", "t.litmus:3:2: 'P1', expected 'P0'"},
    {"X86 SB\n{}\n P0 | P1\n", "t.litmus:4:1: the end of the file, expected '|' or ';'"},
    {"X86 SB\n{}\n P0 ;\n INC [x] ;", "t.litmus:4:2: 'INC', expected mov, mfence, xchg, lock xadd or lock cmpxchg"},
    {"X86 SB\n{}\n P0 ;\n MOVB [x],$1 ;",
     "t.litmus:4:2: 'MOVB', expected mov, mfence, xchg, lock xadd or lock cmpxchg"},
    {"X86 SB\n{}\n P0 ;\n L: MOV [x],$1 ;", "t.litmus:4:2: 'L', expected mov, mfence, xchg, lock xadd or lock cmpxchg"},
    {"X86 SB\n{}\n P0 ;\n XADD [x],EAX ;", "t.litmus:4:2: 'XADD', expected lock before xadd"},
    {"X86 SB\n{}\n P0 ;\n LOCK MOV [x],EAX ;", "t.litmus:4:7: 'MOV', expected xchg, xadd or cmpxchg after lock"},
    {"X86 SB\n{}\n P0 ;\n MOV x,$1 ;", "t.litmus:4:6: 'x', expected a register, $NUMBER, [x] or (x)"},
    {"X86 SB\n{}\n P0 ;\n MOV $1,[x] ;", "t.litmus:4:6: '$1', expected a register or memory as the destination"},
    {"X86 SB\n{}\n P0 ;\n MOV [x],[y] ;", "t.litmus:4:11: 'y', expected a register: mov accesses memory once"},
    {"X86 SB\n{}\n P0 ;\n MOV [x],RAX ;", "t.litmus:4:10: 'RAX', expected a register of 4 bytes in an X86 test"},
    {"X86 SB\n{}\n P0 ;\n XCHG EAX,EBX ;", "t.litmus:4:11: 'EBX', expected memory as the other operand"},
    {"X86_64 SB\n{}\n P0 ;\n movq %eax,(x) ;", "t.litmus:4:7: 'eax', expected a register of 8 bytes"},
    {"X86_64 SB\n{}\n P0 ;\n movl $1,(x) ;\n movq (x),%rax ;",
     "t.litmus:5:8: 'x', expected an access of 4 bytes as before"},
    {"X86_64 SB\n{}\n P0 ;\n movl $1,(%rsi) ;",
     "t.litmus:4:11: 'rsi', expected a variable, or a register that the initial state gives an address"},
    {"X86_64 SB\n{0:rsi=x;}\n P0 ;\n movl $1,%esi ;",
     "t.litmus:4:10: 'esi', expected another register: this one keeps the address of a variable"},
    {"X86 SB\n{}\n P0 | P1 ;\n MFENCE ;", "t.litmus:4:9: ';', expected '|' after the instruction of P0"},
    {"X86 SB\n{}\n P0 ;\n MFENCE | MFENCE ;", "t.litmus:4:9: '|', expected ';' after the instruction of P0"},
    {"X86 SB\n{}\n P0 ;\n MOV [x]! ;", "t.litmus:4:9: '!', expected a word, a number or a sign of the litmus language"},
    {"X86 SB\n{}\n P0 ;\n MFENCE ;\n", "t.litmus:5:1: the end of the file, expected an instruction or the condition"},
    {"X86 SB\n{}\n P0 ;\n MFENCE ;\nexists (x=1)", "t.litmus:5:9: 'x', expected a variable of this test"},
    {"X86 SB\n{x;}\n P0 ;\n MFENCE ;\nexists (0:EBX=1)", "t.litmus:5:11: 'EBX', expected a register that P0 uses"},
    {"X86 SB\n{x;}\n P0 ;\n MFENCE ;\nexists (x=1", "t.litmus:5:12: the end of the file, expected '/\\', '\\/' or ')'"},
    {"X86 SB\n{x;}\n P0 ;\n MFENCE ;\nexists (x=1) filter",
     "t.litmus:5:14: 'filter', expected '/\\', '\\/' or the end of the file"},
    {"X86 SB\n{x;}\n P0 ;\n MFENCE ;\n~forall (x=1)", "t.litmus:5:2: 'forall', expected 'exists'"},
};

TEST(LitmusParser, NamesThePlaceWhatStandsThereAndWhatWasExpected) {
  for (const Wrong& wrong : kWrong) EXPECT_EQ(error_of(wrong.text), wrong.error) << wrong.text;
}

TEST(LitmusParser, EndsOnAnyInput) {
  const std::string text =
      "X86 t\n\"d\"\n{x=1; 0:EAX=1;}\n P0 | P1 ;\n LOCK XADD [x],EAX | MOV EBX,$-1 ;\nexists ~(x=1)";
  ASSERT_EQ(error_of(text), "");
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '(', '*', ';', '|', '$', '~', '\xff', '9', '\n'}) {
      std::string changed = text;
      changed[i] = c;
      error_of(changed);
    }
    error_of(text.substr(0, i));
  }
  EXPECT_NE(error_of("X86 t\n{x;}\nP0;\nMFENCE;\nexists " + std::string(500'000, '(')), "");
  EXPECT_NE(error_of("X86 t\n{x;}\nP0;\nMFENCE;\nexists " + std::string(500'000, '~')), "");
  std::string terms = "X86 t\n{x;}\nP0;\nMFENCE;\nexists x=1";
  for (int i = 0; i < 100'000; ++i) terms += "/\\x=1";
  EXPECT_NE(error_of(terms), "");
}

TEST(LitmusParser, NamesAFileThatCannotBeRead) {
  EXPECT_THROW(load("no-such-file.litmus"), InputError);
  EXPECT_THROW(load("."), InputError);
}

}  // namespace
}  // namespace linebounce::litmus
