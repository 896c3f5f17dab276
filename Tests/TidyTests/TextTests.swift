import TestSupport
import Testing

/// What every text of the repository keeps to.
@Suite struct TextTests {
  static let paths =
    ["README.md", "Package.swift", ".ci/run"]
    + ["Sources", "Tests", "Traces"].flatMap { folder in
      [".swift", ".md", ".trace", ".log"].flatMap {
        Repository.files(below: folder, suffix: $0)
      }
    }

  @Test func textsHaveNoMachinePaths() throws {
    // Put together here, so that this file does not have them either.
    let paths = ["/" + "work/", "/" + "root/", "/" + "Users/"]
    for path in TextTests.paths {
      let text = try Repository.text(path)
      for part in paths { #expect(!text.contains(part), "\(path) has '\(part)'") }
    }
  }

  @Test func linesAreClean() throws {
    // Tests hold expected texts as they are; the formatter looks after the rest of them.
    let exempt = { (path: String) in path.hasSuffix(".md") || path.hasPrefix("Tests/") }
    for path in TextTests.paths where !exempt(path) {
      for (number, line) in try Repository.lines(path).enumerated() {
        #expect(!line.hasSuffix(" ") && !line.hasSuffix("\t"), "\(path):\(number + 1)")
      }
      #expect(try Repository.text(path).hasSuffix("\n"), "\(path) ends without a line's end")
    }
  }

  @Test(
    "a trace says what it claims", arguments: Repository.files(below: "Traces", suffix: ".trace"))
  func traceSaysWhatItClaims(path: String) throws {
    let first = try Repository.lines(path).first ?? ""
    if path.hasSuffix("minimal.trace") { return }
    #expect(first.hasPrefix("//") || first.hasPrefix("/*"), "\(path) begins without a comment")
  }
}
