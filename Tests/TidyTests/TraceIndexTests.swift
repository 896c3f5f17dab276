import Foundation
import TestSupport
import Testing

/// The index of the traces names what is there, and all folders that are.
@Suite struct TraceIndexTests {
  static let page = "Traces/README.md"

  /// A name in the index, as a path below `Traces` without an ending; `*` stands for any letters.
  struct Name: Hashable, Sendable {
    let text: String

    /// Whether the name is that of `path`.
    func fits(_ path: String) -> Bool {
      let parts = text.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count > 1, let first = parts.first, let last = parts.last else {
        return path == text
      }
      guard path.hasPrefix(first), path.hasSuffix(last) else { return false }
      var rest = path.dropFirst(first.count).dropLast(last.count)
      for part in parts.dropFirst().dropLast() {
        guard let place = rest.range(of: part) else { return false }
        rest = rest[place.upperBound...]
      }
      // A folder is named by itself: a name ends in the folder that it begins in.
      return path.count { $0 == "/" } == text.count { $0 == "/" }
        && path.count >= text.count - (parts.count - 1)
    }
  }

  /// What stands in the page's code spans.
  static func spans(_ text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
      $0.offset % 2 == 1 ? String($0.element) : nil
    }
  }

  static let traces = Repository.files(below: "Traces", suffix: ".trace").map {
    String($0.dropFirst("Traces/".count).dropLast(".trace".count))
  }

  /// The folders below `Traces`, those that only have folders in them too.
  static let folders: Set<String> = {
    var folders: Set<String> = []
    for trace in traces {
      var path = trace
      while let slash = path.lastIndex(of: "/") {
        path = String(path[..<slash])
        folders.insert(path)
      }
    }
    return folders
  }()

  @Test func everyFolderHasALine() throws {
    let rows = try Repository.lines(Self.page).filter { $0.hasPrefix("| `") }
    let named = Set(rows.compactMap { Self.spans(String($0)).first })
    for folder in Self.folders.sorted() {
      #expect(named.contains(folder), "\(Self.page) has no line for \(folder)")
    }
  }

  @Test func everyNameIsThere() throws {
    let names = Self.spans(try Repository.text(Self.page)).filter { $0.contains("/") }
    #expect(names.count >= 100, "the index is read")
    for text in names where !Self.folders.contains(text) {
      let name = Name(text: text)
      #expect(Self.traces.contains(where: name.fits), "\(Self.page): no trace is called \(text)")
    }
  }

  /// Every folder is reached by the index of subjects, not only by the list of folders.
  @Test func everyFolderHasASubject() throws {
    let page = try Repository.text(Self.page)
    let index = page.components(separatedBy: "## By subject").last ?? ""
    let names = Self.spans(index).map { Name(text: $0) }
    let untold: Set = ["language", "language/rejected", "language/warnings"]
    for folder in Self.folders.subtracting(untold).sorted() {
      let isNamed = Self.traces.contains { trace in
        trace.hasPrefix(folder + "/") && names.contains { $0.fits(trace) }
      }
      #expect(isNamed, "no subject leads to \(folder)")
    }
  }

  @Test func theLettersAreExplained() throws {
    let page = try Repository.text(Self.page)
    for letter in Set(ClaimTests.claims.compactMap(\.first)).sorted() {
      #expect(page.contains("- **\(letter)** "), "\(Self.page) does not say what \(letter) is")
    }
  }

  @Test func aStarStandsForLettersOfOneName() {
    #expect(Name(text: "a/b*").fits("a/bc") && Name(text: "a/b*").fits("a/b"))
    #expect(Name(text: "a/*b*").fits("a/cbd") && !Name(text: "a/*b*").fits("a/cd"))
    #expect(!Name(text: "a/b").fits("a/bc") && !Name(text: "a/*").fits("a/b/c"))
  }
}
