/// Test results in the XML of JUnit, as continuous integration reads it.
///
/// Source: the schema that Jenkins and GitLab read, github.com/windyroad/JUnit-Schema, and the attributes
/// `file` and `line` that GitLab and pytest's `xunit1` add to it.
package enum JUnitText {
  /// One suite with a case for each trace, in the given order.
  package static func report(_ cases: [TestCase]) -> String {
    let failed = cases.count { !$0.failures.isEmpty }
    let skipped = cases.count(where: \.isSkipped)
    let time = seconds(cases.reduce(0) { $0 + $1.duration })
    let counts =
      "name=\"spindle\" tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"0\" "
      + "skipped=\"\(skipped)\" time=\"\(time)\""
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites \(counts)>\n  <testsuite \(counts)>\n"
    for test in cases { text += element(test) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private static func element(_ test: TestCase) -> String {
    let (group, name) = parts(test.name)
    let line = test.failures.lazy.compactMap(\.place).first?.line ?? 1
    var text =
      "    <testcase classname=\"\(XMLText.escaped(group))\" name=\"\(XMLText.escaped(name))\""
    text +=
      " file=\"\(XMLText.escaped(test.name))\" line=\"\(line)\" time=\"\(seconds(test.duration))\""
    if test.isSkipped {
      return text + ">\n      <skipped message=\"unchanged since it passed\"/>\n    </testcase>\n"
    }
    guard !test.failures.isEmpty else { return text + "/>\n" }
    text += ">\n"
    for failure in test.failures {
      text += "      <failure type=\"\(failure.kind.rawValue)\""
      text +=
        " message=\"\(XMLText.escaped(failure.message))\">\(XMLText.escaped(failure.text))</failure>\n"
    }
    return text + "    </testcase>\n"
  }

  /// Nanoseconds as seconds, to the microsecond.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let fraction = String(nanoseconds % 1_000_000_000 / 1_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(nanoseconds / 1_000_000_000).\(zeros)\(fraction)"
  }

  /// The folder and the file's name.
  private static func parts(_ path: String) -> (folder: String, file: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("spindle", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
