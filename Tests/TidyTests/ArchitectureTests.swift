import Foundation
import TestSupport
import Testing

/// What decides, and what is written of it, is the same on every processor with 64 bits.
///
/// The toolchain has a standard library for the machine that it runs on only, so the traces can't be built for
/// arm64 and run by an emulator here. What could differ there is not in the sources instead: types whose
/// size or sign depends on the processor, functions of the C library whose last digit depends on the
/// library, products and sums that a processor may round once or twice, and branches over processors.
@Suite struct ArchitectureTests {
  /// The modules of which a run's results are made.
  private static let modules = [
    "SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports", "SpindleExplore",
    "SpindleRecordings",
  ]
  static let sources = modules.flatMap {
    Repository.files(below: "Sources/\($0)", suffix: ".swift")
  }

  /// Types and conditions, by what is wrong with them.
  private static let words = [
    "arch": "a branch over processors", "_pointerBitWidth": "a branch over processors",
    "Float80": "x86 only", "Float16": "not on every x86", "CChar": "signed on x86, not on arm64",
    "CLong": "of the platform's size", "CUnsignedLong": "of the platform's size",
    "CLongDouble": "of the platform's size", "CWideChar": "of the platform's size",
  ]

  /// Functions of the C library that IEEE 754 does not define to the last bit, and fused ones.
  private static let functions: Set = [
    "pow", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "cbrt", "hypot", "tgamma", "lgamma", "erf",
    "fma", "addProduct", "addingProduct",
  ]

  @Test("nothing depends on the processor", arguments: sources)
  func nothingDependsOnTheProcessor(path: String) throws {
    for (number, line) in try Repository.lines(path).enumerated() {
      for complaint in ArchitectureTests.complaints(SourceTests.withoutTexts(line)) {
        Issue.record("\(path):\(number + 1): \(complaint)")
      }
    }
  }

  /// What is wrong with a line of code.
  static func complaints(_ code: String) -> [String] {
    var (found, word, before): ([String], String, Character) = ([], "", " ")
    let isDeclared = code.contains("func ") || code.contains("case ")
    for character in code + " " {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      if let reason = words[word], word != "arch" || code.contains("#if") {
        found.append("'\(word)' is \(reason)")
      }
      // A case of the name is written with a point, and these two are methods.
      let isCalled = before != "." || word.lowercased().hasSuffix("product")
      if character == "(" && functions.contains(word) && isCalled && !isDeclared {
        found.append("'\(word)' is rounded as the C library does")
      }
      (word, before) = ("", character)
    }
    return found
  }

  /// Each of these would be found.
  @Test(arguments: [
    ("#if arch(x86_64)", 1), ("let root = pow(x, 0.5)", 1), ("var a: [CChar] = []", 1),
    ("total.addProduct(a, b)", 1), ("let x = Float80(1) + log(2)", 2), ("case log([UInt8])", 0),
    ("return .log(bytes)", 0),
    ("let logarithm = exponent", 0), ("let search = research(arch)", 0),
  ])
  func rulesFind(row: (line: String, count: Int)) {
    #expect(ArchitectureTests.complaints(row.line).count == row.count)
  }
}
