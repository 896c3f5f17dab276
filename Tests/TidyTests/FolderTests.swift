import TestSupport
import Testing

/// The order of the simulator's folders, which imports can't fence inside one module.
@Suite struct FolderTests {
  /// Lowest first; a folder uses the ones before it.
  ///
  /// What runs a program is shared out to the rooms of the runtimes, and they and the execution still
  /// know each other.
  static let order = ["Core", "Findings", "Machine", "Policies", "Kernel", "Runtimes"]

  /// Names of a higher folder that a lower one may use, each with its reason.
  static let exceptions: [String: String] = [
    "Machine uses PolicyCatalog": "a machine is described by its policy's name and spelling"
  ]

  struct Declared: Sendable {
    let name: String
    let folder: Int
  }

  @Test func lowerFoldersDoNotKnowHigherOnes() throws {
    let declared = try FolderTests.declaredTypes()
    for (index, folder) in FolderTests.order.enumerated() {
      #expect(declared.contains { $0.folder == index }, "\(folder) declares nothing")
      let higher = declared.filter { $0.folder > index }
      for path in FolderTests.files(in: folder) {
        for (number, line) in try Repository.lines(path).enumerated() {
          let words = Set(
            SourceTests.withoutTexts(line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
              .map(String.init))
          for type in higher where words.contains(type.name) {
            if FolderTests.exceptions["\(folder) uses \(type.name)"] != nil { continue }
            Issue.record(
              "\(path):\(number + 1): \(folder) uses \(type.name) of \(FolderTests.order[type.folder])"
            )
          }
        }
      }
    }
  }

  private static func files(in folder: String) -> [String] {
    let folders = folder == "Runtimes" ? ["Runtimes", "Execution"] : [folder]
    return folders.flatMap {
      Repository.files(below: "Sources/SpindleSimulator/\($0)", suffix: ".swift")
    }
  }

  private static func declaredTypes() throws -> [Declared] {
    var declared: [Declared] = []
    for (index, folder) in order.enumerated() {
      for path in files(in: folder) {
        for line in try Repository.lines(path) where !line.hasPrefix(" ") {
          let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          let kinds: Set<Substring> = ["struct", "class", "enum", "protocol"]
          guard let at = words.firstIndex(where: { kinds.contains($0) }), at + 1 < words.count,
            words[..<at].allSatisfy({ ["public", "final", "private", "fileprivate"].contains($0) }),
            !words[..<at].contains("private")
          else { continue }
          declared.append(Declared(name: String(words[at + 1]), folder: index))
        }
      }
    }
    return declared
  }
}
