import Foundation
import TestSupport
import Testing

/// What a user reads is in the standard terms of the field: a list of marks of other ways to put it, each with
/// the standard wording.
@Suite struct PlainEnglishTests {
  /// A phrase that is refused, and what is written instead.
  struct Mark: Sendable {
    let phrase: String
    let instead: String

    init(_ phrase: String, _ instead: String) {
      (self.phrase, self.instead) = (phrase, instead)
    }
  }

  static let marks = [
    Mark("gets ready", "becomes runnable"), Mark("get ready", "become runnable"),
    Mark("got ready", "became runnable"),
    Mark("gives way", "is preempted, yields"), Mark("give way", "be preempted, yield"),
    Mark("gave way", "was preempted, yielded"),
    Mark("goes on", "continues"), Mark("go on", "continue"), Mark("went on", "continued"),
    Mark("hands over", "submits, enqueues"), Mark("hand over", "submit, enqueue"),
    Mark("handed over", "submitted, enqueued"),
    Mark("stand in line", "be queued"), Mark("stands in line", "is queued"),
    Mark("in line for", "queued for"), Mark("stood", "was"),
    Mark("stands in", "is in"), Mark("stands at", "is at, belongs at"),
    Mark("stands behind", "follows"), Mark("stands before", "precedes"),
    Mark("who waits", "a waiter"), Mark("who has", "the owner"), Mark("who takes", "the acquirer"),
    Mark("who wakes", "the waker"), Mark("who comes", "a thread that arrives"),
    Mark("who asks", "the caller"), Mark("who makes", "the creator"),
    Mark("who runs", "the thread that runs"), Mark("who wants", "the waiter"),
    Mark("who reads", "the reader"), Mark("who conforms", "a type that conforms"),
    Mark("whoever", "the thread that, any code that"), Mark("nobody", "no thread, nothing"),
    Mark("is told", "is reported, is notified"), Mark("are told", "are reported, are notified"),
    Mark("says so", "reports it"), Mark("says of", "reports about"),
    Mark("tells of", "reports"), Mark("is none", "is not a …, is not one"),
    Mark("are none", "are not …, are missing"), Mark("is no such", "is not such a …"),
    Mark("lends", "donates"), Mark("lent", "donated, passed by reference"),
    Mark("let go of", "released"), Mark("lets go of", "releases"),
    Mark("comes about", "happens"), Mark("so many", "that many, N"),
    Mark("again and again", "repeatedly"), Mark("without a word", "silently"),
    Mark("for ever", "forever"), Mark("unless said", "by default"),
  ]

  static let pages =
    Repository.files(below: "Sources", suffix: ".md") + ["README.md", "Traces/README.md"]

  /// The folders of the sources whose texts users read.
  static let folders = [
    "SpindleCommand", "SpindleReports", "SpindleRecordings", "SpindleLanguage", "SpindleTesting",
    "SpindleSimulator/Findings", "SpindleSimulator/Policies",
  ]

  /// Where the forms of the log's lines are, which are its format.
  static let exempt = ["LogWriter+", "LogAssembly+"]

  @Test("pages are in plain English", arguments: pages)
  func pagesArePlain(page: String) throws {
    var isCode = false
    for (number, line) in try Repository.lines(page).enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { continue }
      // What is between backticks is code, too.
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      let text = parts.indices.filter { $0 % 2 == 0 }.map { String(parts[$0]) }
      PlainEnglishTests.check(text.joined(separator: " "), "\(page):\(number + 1)")
    }
  }

  @Test("texts of the sources are in plain English", arguments: folders)
  func textsArePlain(folder: String) throws {
    let files = Repository.files(below: "Sources/\(folder)", suffix: ".swift")
    #expect(!files.isEmpty)
    for path in files where !PlainEnglishTests.exempt.contains(where: path.contains) {
      var isInText = false
      for (number, line) in try Repository.lines(path).enumerated() {
        let wasInText = isInText
        if line.contains("\"\"\"") { isInText.toggle() }
        if !wasInText && line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
        let text = wasInText && isInText ? String(line) : PlainEnglishTests.literals(of: line)
        PlainEnglishTests.check(text, "\(path):\(number + 1)")
      }
    }
  }

  /// The modules whose comments are in plain English, too.
  @Test("comments are in plain English", arguments: ["SpindleReports", "SpindleRecordings"])
  func commentsArePlain(module: String) throws {
    // 'Where there is none' is standard English; as a predicate of a name it would be refused.
    let exempt: Set = ["is none", "are none"]
    let files = Repository.files(below: "Sources/\(module)", suffix: ".swift")
    #expect(!files.isEmpty)
    for path in files {
      for (number, line) in try Repository.lines(path).enumerated() {
        let comment = line.drop { $0 == " " }
        guard comment.hasPrefix("//") else { continue }
        for mark in PlainEnglishTests.found(String(comment)) where !exempt.contains(mark.phrase) {
          Issue.record("\(path):\(number + 1): '\(mark.phrase)'; write: \(mark.instead)")
        }
      }
    }
  }

  /// The test sees what it looks for, and nothing within other words.
  @Test func marksAreFound() {
    let found = PlainEnglishTests.found
    #expect(found("Whoever takes the lock").map(\.phrase) == ["whoever"])
    #expect(found("the thread goes on, and is told of it").count == 2)
    #expect(found(#"\(who) waits, and \(nobody) does"#).isEmpty)
    #expect(found("an understood cargo ongoing in-line format").isEmpty)
    #expect(PlainEnglishTests.literals(of: #"say("a" + b, "c \"d\"")"#) == #"a c \"d\""#)
  }

  private static func check(_ text: String, _ place: String) {
    for mark in found(text) {
      Issue.record("\(place): '\(mark.phrase)'; the standard wording is: \(mark.instead)")
    }
  }

  private static func found(_ text: String) -> [Mark] {
    // Names of values within a text are code.
    let plain = text.lowercased().replacing(/\\\([^)]*\)/, with: "…")
    let words = plain.map { $0.isLetter ? String($0) : " " }.joined()
    let spaced = words.split(separator: " ").joined(separator: " ")
    return marks.filter { (" " + spaced + " ").contains(" \($0.phrase) ") }
  }

  /// The texts in quotes of a line.
  private static func literals(of line: Substring) -> String {
    var (texts, text, isEscaped): ([String], String?, Bool) = ([], nil, false)
    for character in line {
      if var open = text {
        if character == "\"" && !isEscaped {
          texts.append(open)
          text = nil
        } else {
          open.append(character)
          text = open
        }
        isEscaped = character == "\\" && !isEscaped
      } else if character == "\"" {
        text = ""
      }
    }
    return texts.joined(separator: " ")
  }
}
