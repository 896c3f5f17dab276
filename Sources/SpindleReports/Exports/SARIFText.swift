import SpindleModel

/// Failures, diagnostics and findings in the Static Analysis Results Interchange Format.
///
/// Source: OASIS, "SARIF Version 2.1.0", sections 3.13 (log), 3.14 (run), 3.27 (result), 3.29 (location).
package enum SARIFText {
  /// One run of the tool with all results of the traces.
  package static func report(_ cases: [TestCase], version: String) -> String {
    var rules: [String] = []
    var results: [JSONValue] = []
    func add(
      _ rule: String, _ level: String, _ text: String, _ path: String, _ place: TestPlace?,
      _ statement: FindingStatement? = nil
    ) {
      let index = rules.firstIndex(of: rule) ?? rules.count
      if index == rules.count { rules.append(rule) }
      var result: [(key: String, value: JSONValue)] = [
        ("ruleId", .string(rule)), ("ruleIndex", .integer(Int64(index))),
        ("level", .string(level)), ("message", .object([("text", .string(text))])),
        ("locations", .array([location(path, place)])),
      ]
      // A property bag, section 3.8: what the text is made of.
      if let statement { result.append(("properties", JSONText.fields(statement))) }
      results.append(.object(result))
    }
    for test in cases {
      for failure in test.failures {
        add(failure.kind.rawValue, "error", failure.text, test.name, failure.place)
      }
      for notice in test.notices {
        add(
          notice.rule, notice.severity, notice.text, test.name, notice.place, notice.statement)
      }
    }
    let driver: JSONValue = .object([
      ("name", .string("spindle")), ("version", .string(version)),
      ("rules", .array(rules.map(rule))),
    ])
    let run: JSONValue = .object([
      ("tool", .object([("driver", driver)])),
      ("columnKind", .string("unicodeCodePoints")), ("results", .array(results)),
    ])
    let log: JSONValue = .object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")), ("runs", .array([run])),
    ])
    return log.text + "\n"
  }

  private static func rule(_ name: String) -> JSONValue {
    let meaning =
      TestFailure.Kind(rawValue: name)?.meaning
      ?? (Finding.Kind(rawValue: name) == nil
        ? "something in the text of a trace" : "something in a run that a developer should know")
    return .object([
      ("id", .string(name)), ("shortDescription", .object([("text", .string(meaning))])),
    ])
  }

  private static func location(_ path: String, _ place: TestPlace?) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("artifactLocation", .object([("uri", .string(uri(path)))]))
    ]
    if let place {
      members.append(
        (
          "region",
          .object([
            ("startLine", .integer(Int64(place.line))),
            ("startColumn", .integer(Int64(place.column))),
          ])
        ))
    }
    return .object([("physicalLocation", .object(members))])
  }

  /// The path as a relative reference, or as a URI where it is absolute: RFC 3986, 2.3.
  static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    for byte in path.utf8 {
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
