import Foundation
import SpindleModel
import TestSupport
import Testing

/// What `--json` prints is what its schema says.
@Suite struct JSONSchemaTests {
  /// Every eighth trace that runs: those that have a log.
  static let traces = Repository.files(below: "Traces", suffix: ".log").enumerated()
    .filter { $0.offset % 8 == 0 }.map { String($0.element.dropLast("log".count)) + "trace" }

  private static func schema() throws -> [String: Any] {
    let folder = "Sources/SpindleReports/SpindleReports.docc/Resources"
    let text = try Repository.text("\(folder)/run.schema.json")
    return try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "no schema")
  }

  private static func runs(
    _ paths: [String], _ options: [String] = []
  ) throws -> [[String: Any]] {
    let result = try BuiltTool.run(["simulate", "--json"] + options + paths)
    return try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
  }

  @Test func runsAreAsTheSchemaSays() throws {
    let validator = SchemaValidator(try JSONSchemaTests.schema())
    let runs = try JSONSchemaTests.runs(
      JSONSchemaTests.traces + [
        "Traces/machines/images.trace", "Traces/policies/rateMonotonic.trace",
        "Traces/textbook/dhall-partitioned.trace",
      ])
    #expect(runs.count > 50)
    let metrics = runs.suffix(2).compactMap { $0["metrics"] as? [String: Any] }
    #expect(metrics.count == 2 && metrics.allSatisfy { $0["realtime"] != nil })
    for run in runs {
      let faults = validator.faults(run)
      #expect(faults.isEmpty, "\(run["file"] ?? ""): \(faults.prefix(5))")
    }
  }

  @Test func measuresBehindAWarmUpAreAsTheSchemaSays() throws {
    let validator = SchemaValidator(try JSONSchemaTests.schema())
    let paths = ["Traces/machines/images.trace", "Traces/findings/deadlock.trace"]
    let measures = "utilization, latency(\"image*\").mean, makespan, outcome"
    for warmUp in [[], ["--warm-up", "50ms"], ["--warm-up", "auto"]] {
      let runs = try JSONSchemaTests.runs(paths, ["--measure", measures] + warmUp)
      #expect(runs.count == 2)
      for run in runs { #expect(validator.faults(run).isEmpty, "\(validator.faults(run))") }
      #expect((runs[0]["measures"] as? [Any])?.count == 4)
      #expect((runs[0]["warmUp"] != nil) == (warmUp.last == "50ms"))
    }
  }

  /// The schema lists each role, measure, reason and obstacle that a finding can have, and no other.
  @Test func fieldsOfFindingsAreListed() throws {
    let lists = try #require(try JSONSchemaTests.schema()["$defs"] as? [String: Any])
    func names(_ list: String, _ member: String? = nil) -> [String]? {
      var value = lists[list] as? [String: Any]
      if let member {
        value = (value?["properties"] as? [String: Any])?[member] as? [String: Any]
      }
      return value?["enum"] as? [String]
    }
    #expect(names("findingSubject", "role") == Finding.Role.allCases.map(\.rawValue).sorted())
    #expect(names("findingAmount", "measure") == Finding.Measure.allCases.map(\.rawValue).sorted())
    #expect(names("policyRule") == PolicyFault.Rule.allCases.map(\.rawValue).sorted())
    #expect(names("waitReason") == WaitReason.allCases.map(\.name).sorted())
    #expect(names("waitObstacle") == Finding.Obstacle.allCases.map(\.rawValue).sorted())
  }

  /// The validator sees what is wrong.
  @Test func damageIsSeen() throws {
    let validator = SchemaValidator(try JSONSchemaTests.schema())
    let path = "Traces/machines/images.trace"
    let run = try #require(try JSONSchemaTests.runs([path, path]).first)
    var damaged = run
    damaged["format"] = 1
    #expect(validator.faults(damaged) == ["/format: is not 2"])
    damaged = run
    damaged["more"] = 1
    #expect(validator.faults(damaged) == ["/more: is not known"])
    damaged = run
    damaged["digest"] = nil
    #expect(validator.faults(damaged) == ["/digest: is missing"])
    damaged = run
    damaged["seed"] = 5
    #expect(validator.faults(damaged) == ["/seed: is no string"])
    var metrics = try #require(run["metrics"] as? [String: Any])
    metrics["steps"] = NSNumber(value: -1)
    metrics["outcome"] = "lost"
    damaged = run
    damaged["metrics"] = metrics
    #expect(
      validator.faults(damaged)
        == ["/metrics/outcome: is none of those listed", "/metrics/steps: is less than 0"])
  }
}

/// As much of JSON Schema as the schema of a run uses; a word that it does not know is a fault.
struct SchemaValidator {
  private let root: [String: Any]

  init(_ root: [String: Any]) { self.root = root }

  /// What is wrong with a value, each with its path.
  func faults(_ value: Any) -> [String] { faults(value, root, "") }

  private func faults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    var found: [String] = []
    for word in schema.keys.sorted() {
      guard let rule = schema[word] else { continue }
      switch word {
      case "$schema", "$defs", "title", "description", "properties": break
      case "$ref":
        let name = (rule as? String)?.components(separatedBy: "/").last ?? ""
        let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
        guard let definition else { return ["\(path): no definition '\(name)'"] }
        found += faults(value, definition, path)
      case "type":
        let types = rule as? [String] ?? [rule as? String ?? ""]
        if !types.contains(where: { SchemaValidator.isA(value, $0) }) {
          found.append("\(path): is no \(types.joined(separator: " or "))")
        }
      case "const":
        if value as? Int != rule as? Int { found.append("\(path): is not \(rule)") }
      case "enum":
        let allowed = rule as? [Any] ?? []
        let isNull = value is NSNull && allowed.contains { $0 is NSNull }
        if !isNull && !allowed.contains(where: { $0 as? String == value as? String ?? "" }) {
          found.append("\(path): is none of those listed")
        }
      case "minimum":
        if let number = value as? Double, let bound = rule as? Double, number < bound {
          found.append("\(path): is less than \(rule)")
        }
      case "maximum":
        if let number = value as? Double, let bound = rule as? Double, number > bound {
          found.append("\(path): is more than \(rule)")
        }
      case "required":
        let members = value as? [String: Any] ?? [:]
        for name in rule as? [String] ?? [] where members[name] == nil {
          found.append("\(path)/\(name): is missing")
        }
      case "items":
        for (index, element) in (value as? [Any] ?? []).enumerated() {
          found += faults(element, rule as? [String: Any] ?? [:], "\(path)/\(index)")
        }
      case "additionalProperties": found += members(value, schema, path)
      default: found.append("\(path): the schema's '\(word)' is not known")
      }
    }
    return found
  }

  /// What is wrong with the members of an object.
  private func members(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    let known = schema["properties"] as? [String: Any] ?? [:]
    let others = schema["additionalProperties"] as? [String: Any]
    let members = value as? [String: Any] ?? [:]
    return members.keys.sorted().flatMap { name -> [String] in
      guard let member = members[name] else { return [] }
      if let rule = known[name] as? [String: Any] ?? others {
        return faults(member, rule, "\(path)/\(name)")
      }
      return ["\(path)/\(name): is not known"]
    }
  }

  private static func isA(_ value: Any, _ type: String) -> Bool {
    let isTruth = "\(Swift.type(of: value))".contains("Bool")
    return switch type {
    case "null": value is NSNull
    case "boolean": value is Bool
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "integer": !isTruth && (value as? Double).map { $0 == $0.rounded() } ?? (value is Int)
    case "number": !isTruth && (value is Double || value is Int)
    default: false
    }
  }
}
