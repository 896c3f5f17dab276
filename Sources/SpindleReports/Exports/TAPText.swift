/// Test results in the Test Anything Protocol, version 14.
///
/// Source: testanything.org, "TAP 14 specification": the plan, test points, directives, YAML blocks, and
/// the two marks that a description escapes.
package enum TAPText {
  /// One point for each trace, in the given order.
  package static func report(_ cases: [TestCase]) -> String {
    var text = "TAP version 14\n1..\(cases.count)\n"
    for (index, test) in cases.enumerated() {
      let word = test.failures.isEmpty ? "ok" : "not ok"
      text += "\(word) \(index + 1) - \(escaped(test.name))"
      text += test.isSkipped ? " # SKIP unchanged since it passed\n" : "\n"
      if !test.failures.isEmpty { text += block(test.failures) }
    }
    return text
  }

  private static func block(_ failures: [TestFailure]) -> String {
    var text = "  ---\n  failures:\n"
    for failure in failures {
      text += "    - type: \(failure.kind.rawValue)\n"
      if let place = failure.place {
        text += "      line: \(place.line)\n      column: \(place.column)\n"
      }
      // The number says how far the text is in, since it may begin with spaces itself.
      text += "      message: |2-\n"
      for line in failure.text.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "        \(printable(line))\n"
      }
    }
    return text + "  ...\n"
  }

  /// A description, in which a backslash and a number sign would mean something.
  private static func escaped(_ text: String) -> String {
    printable(text[...]).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// The text without what YAML forbids in a block.
  private static func printable(_ text: Substring) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? "\u{FFFD}" : $0
        }))
  }
}
