import Foundation
import TestSupport
import Testing

/// The pages of the documentation: a map lists all of them, and no link leads nowhere.
@Suite struct PageTests {
  static let map = "Sources/SpindleCommand/SpindleCommand.docc/Map.md"
  static let pages = Repository.files(below: "Sources", suffix: ".md")

  @Test func mapListsEveryPage() throws {
    #expect(PageTests.pages.count > 45)
    let targets = Set(try PageTests.links(in: PageTests.map).map(\.target))
    for page in PageTests.pages where page != PageTests.map {
      #expect(targets.contains(page), "\(page) is not on the map")
    }
  }

  /// The code map has a row for each module that is not only the tool's `main`.
  @Test func codeMapListsEveryModule() throws {
    let page = try Repository.lines("Sources/SpindleModel/SpindleModel.docc/CodeMap.md")
    let rows = page.compactMap { line -> String? in
      line.hasPrefix("| `Spindle") ? String(line.split(separator: "`")[1]) : nil
    }
    let folders = Repository.files(below: "Sources", suffix: ".swift")
      .map { String($0.split(separator: "/")[1]) }
    #expect(Set(rows) == Set(folders).subtracting(["spindle"]))
    #expect(Set(rows).count == rows.count)
  }

  @Test func readmeLinksToTheMap() throws {
    let targets = try PageTests.links(in: "README.md").map(\.target)
    #expect(targets.contains(PageTests.map))
  }

  @Test("links lead to files", arguments: ["README.md", "Traces/README.md"] + pages)
  func linksLeadToFiles(page: String) throws {
    for link in try PageTests.links(in: page) {
      let path = "\(Repository.root)/\(link.target)"
      #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(link.text)")
    }
  }

  /// The links of a page that are relative, with the paths from the root that they lead to.
  static func links(in page: String) throws -> [(text: String, target: String)] {
    let folder = (page as NSString).deletingLastPathComponent
    return try Repository.text(page).components(separatedBy: "](").dropFirst().compactMap { rest in
      let text = String(rest.prefix { $0 != ")" })
      if text.contains(":") || text.contains(" ") || text.isEmpty || text.hasPrefix("#") {
        return nil
      }
      let path = text.split(separator: "#").first.map(String.init) ?? ""
      let full = ("/" + folder as NSString).appendingPathComponent(path)
      return (text, String(URL(fileURLWithPath: full).standardized.path.dropFirst()))
    }
  }
}
