/// One test for a report: a trace, and what went wrong with it.
package struct TestCase: Hashable, Sendable {
  /// The trace's path.
  package var name: String
  /// What went wrong, each in one or more lines; empty when it passed.
  package var failures: [String]

  /// Creates a case.
  package init(name: String, failures: [String]) {
    (self.name, self.failures) = (name, failures)
  }
}

/// Test results in the XML of JUnit, as continuous integration reads it.
package enum JUnitText {
  /// One suite with a case for each trace, in the given order.
  package static func report(_ cases: [TestCase]) -> String {
    let failed = cases.count { !$0.failures.isEmpty }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"spindle\" tests=\"\(cases.count)\" failures=\"\(failed)\">\n"
    text += "  <testsuite name=\"spindle\" tests=\"\(cases.count)\" failures=\"\(failed)\">\n"
    for test in cases { text += element(test) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func element(_ test: TestCase) -> String {
    let (group, name) = parts(test.name)
    var text = "    <testcase classname=\"\(escaped(group))\" name=\"\(escaped(name))\""
    guard !test.failures.isEmpty else { return text + "/>\n" }
    text += ">\n"
    for failure in test.failures {
      let message = failure.split(separator: "\n").first.map(String.init) ?? ""
      text += "      <failure message=\"\(escaped(message))\">\(escaped(failure))</failure>\n"
    }
    return text + "    </testcase>\n"
  }

  /// The folder and the file's name.
  private static func parts(_ path: String) -> (folder: String, file: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("spindle", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// The text with what XML reserves written otherwise, and what XML forbids replaced.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
