import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleLanguage

/// Whatever can be added is listed, documented, and used by a trace.
@Suite struct CatalogueTests {
  static let traces = Repository.files(below: "Traces", suffix: ".trace")

  @Test func everyPolicyIsInTheCatalogue() throws {
    let catalogue = try Repository.text("Sources/SpindleSimulator/Policies/PolicyCatalog.swift")
    for path in Repository.files(below: "Sources/SpindleSimulator/Policies", suffix: ".swift") {
      for line in try Repository.lines(path)
      where line.contains("struct ")
        && [": SchedulingPolicy", ": CataloguedPolicy", ": RealtimePolicy"]
          .contains(where: line.contains)
      {
        let name = line.split(separator: " ").drop { $0 != "struct" }.dropFirst().first ?? ""
        let type = name.prefix { $0 != ":" }
        #expect(
          catalogue.contains(" \(type).self,"), "\(path): PolicyCatalog.swift has no line for it")
      }
    }
  }

  @Test func everyPolicyHasATraceAndIsDocumented() throws {
    let page = try ["Scheduling", "TextbookPolicies", "RealtimePolicies"].map {
      try Repository.text("Sources/SpindleSimulator/SpindleSimulator.docc/\($0).md")
    }.joined()
    for policy in MachineCatalog.catalogue.policies {
      let path = "Traces/policies/\(policy.name).trace"
      #expect(CatalogueTests.traces.contains(path), "no \(path)")
      #expect(try Repository.text(path).contains("policy: .\(policy.name)"))
      #expect(page.contains("`.\(policy.name)`"), "no page names \(policy.name)")
      for parameter in policy.parameters {
        #expect(
          page.contains("`\(parameter.label): "),
          "no page names \(parameter.label) of \(policy.name)")
      }
    }
  }

  @Test func everyCostIsDocumentedAndUsed() throws {
    let page = try Repository.text("Sources/SpindleSimulator/SpindleSimulator.docc/Costs.md")
    for profile in MachineCatalog.catalogue.costs {
      #expect(page.contains("`.\(profile.name)`"), "Costs.md does not name \(profile.name)")
      for field in profile.parameters {
        #expect(page.contains("| `\(field.label)` |"), "Costs.md does not name \(field.label)")
      }
      #expect(try CatalogueTests.isUsed("costs: .\(profile.name)"), "no trace uses \(profile.name)")
    }
  }

  /// The kinds that need more steps than a trace is given; a test of their own makes them.
  static let withoutTrace: Set<Finding.Kind> = [.livelock]

  @Test(
    "a finding has a trace that has it, and one that just has not", arguments: Finding.Kind.allCases
  )
  func findingHasTraces(kind: Finding.Kind) throws {
    let page = try Repository.text("Sources/SpindleLanguage/SpindleLanguage.docc/Expectations.md")
    #expect(page.contains("| `\(kind.rawValue)` | \(kind.severity.name) |"))
    if CatalogueTests.withoutTrace.contains(kind) { return }
    let run = TestRun(try Repository.text("Traces/findings/\(kind.rawValue).trace"))
    #expect(run.record?.findings.contains { $0.kind == kind } == true, "\(run.messages)")
    let miss = TestRun(try Repository.text("Traces/findings/\(kind.rawValue)-near-miss.trace"))
    #expect(
      miss.record?.findings.isEmpty == true, "\(miss.record?.findings.first?.explanation ?? "")")
  }

  @Test func everyMemberIsDocumented() throws {
    let pages = try ["Vocabulary", "LanguageReference", "Expectations"].map {
      try Repository.text("Sources/SpindleLanguage/SpindleLanguage.docc/\($0).md")
    }.joined()
    for name in CatalogueTests.members where !pages.contains("\(name)") {
      Issue.record("the reference does not name '\(name)'")
    }
  }

  @Test("a member of the language is used by an accepted trace", arguments: members)
  func memberIsUsed(name: String) throws {
    let used = try Repository.files(below: "Traces/language/accepted", suffix: ".trace").contains {
      CatalogueTests.words(of: try Repository.text($0)).contains(name)
    }
    #expect(used, "no trace in Traces/language/accepted uses '\(name)'")
  }

  @Test("wordings are found by their names", arguments: ["Messages", "SyntaxMessages"])
  func wordingsAreSorted(file: String) throws {
    let lines = try Repository.lines("Sources/SpindleLanguage/Diagnostics/\(file).swift")
    let names = lines.compactMap { line -> String? in
      guard let word = ["  static func ", "  static let "].first(where: line.hasPrefix) else {
        return nil
      }
      return line.dropFirst(word.count).prefix { $0.isLetter }.lowercased()
    }
    #expect(names.count > 50)
    for (name, next) in zip(names, names.dropFirst()) {
      #expect(name <= next, "'\(next)' stands behind '\(name)'")
    }
  }

  /// Every name of the vocabulary, once.
  static let members: [String] = {
    let vocabulary = Vocabulary.standard
    var names = vocabulary.free.names + vocabulary.types.map(\.name)
    names += vocabulary.types.flatMap(\.statics.names) + vocabulary.instances.flatMap(\.names)
    return Set(names).sorted()
  }()

  private static func isUsed(_ text: String) throws -> Bool {
    try traces.contains { try Repository.text($0).contains(text) }
  }

  private static func words(of text: String) -> Set<String> {
    Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }
}
