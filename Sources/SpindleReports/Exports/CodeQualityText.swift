/// Failures and notices as GitLab shows them in a merge request.
///
/// Source: docs.gitlab.com, "Code Quality", "Code Quality report format": a list of objects with these
/// members, and fingerprints that tell them apart.
package enum CodeQualityText {
  /// All that is to be said of the traces.
  package static func report(_ cases: [TestCase]) -> String {
    var elements: [JSONValue] = []
    var known: [UInt64: UInt64] = [:]
    func add(_ rule: String, _ severity: String, _ text: String, _ path: String, _ line: Int?) {
      // Without the line, so that it stays the same when the text above changes.
      let digest = LayerHash.text("\(rule)\n\(path)\n\(text)".utf8)
      let count = known[digest, default: 0]
      known[digest] = count + 1
      let fingerprint = LayerHash.hexadecimal(LayerHash.mixed(digest, count), digits: 16)
      elements.append(
        .object([
          ("description", .string(text)), ("check_name", .string(rule)),
          ("fingerprint", .string(fingerprint)), ("severity", .string(severity)),
          (
            "location",
            .object([
              ("path", .string(path)),
              ("lines", .object([("begin", .integer(Int64(line ?? 1)))])),
            ])
          ),
        ]))
    }
    for test in cases {
      for failure in test.failures {
        add(failure.kind.rawValue, "major", failure.text, test.name, failure.place?.line)
      }
      for notice in test.notices {
        let severity = severities[notice.severity] ?? "info"
        add(notice.rule, severity, notice.text, test.name, notice.place?.line)
      }
    }
    return JSONValue.array(elements).text + "\n"
  }

  private static let severities = ["error": "major", "warning": "minor", "note": "info"]
}
