// Damages the sources of Spindle in one place at a time, all places in one build.
//
// `mutate list TREE SEED COUNT` prints what may be damaged, one line each; `mutate apply TREE FROM LIST` takes the
// sources of FROM and writes them into TREE with the places of LIST as switches. Which one is on is
// read from the environment when the tool starts, so one build serves for all.
// It knows no syntax but comments and strings: what does not compile is left out again by who calls it.

import Foundation

/// One place, and what becomes of it.
struct Mutant {
  enum Kind: String, CaseIterable { case comparison, logic, sum, constant, truth, removal, order }
  var file: String
  /// Counted from 0.
  var line: Int
  /// The bytes that change; for a removal or an order those of the statement.
  var range: Range<Int>
  var kind: Kind
  /// What stands there.
  var text: String
  /// What it is known by, whatever is written above it: its line, with a mark around what changes.
  var place = ""
}

/// The lines of a file with what is code in them.
struct CodeLines {
  var lines: [[UInt8]]
  var isCode: [[Bool]]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    isCode = []
    var (comments, isLongText) = (0, false)
    for line in lines {
      var mask = Array(repeating: false, count: line.count)
      var (index, isText, nesting) = (0, false, 0)
      func at(_ offset: Int, _ byte: Character) -> Bool {
        index + offset < line.count && line[index + offset] == byte.asciiValue
      }
      while index < line.count {
        if comments > 0 {
          if at(0, "*") && at(1, "/") { (comments, index) = (comments - 1, index + 1) }
        } else if isLongText {
          if at(0, "\"") && at(1, "\"") && at(2, "\"") { (isLongText, index) = (false, index + 2) }
        } else if isText {
          if at(0, "\\") && at(1, "(") {
            (nesting, index) = (nesting + 1, index + 1)
          } else if nesting > 0 {
            if at(0, "(") { nesting += 1 } else if at(0, ")") { nesting -= 1 }
          } else if at(0, "\\") {
            index += 1
          } else if at(0, "\"") {
            isText = false
          }
        } else if at(0, "/") && at(1, "/") {
          break
        } else if at(0, "/") && at(1, "*") {
          (comments, index) = (comments + 1, index + 1)
        } else if at(0, "\"") && at(1, "\"") && at(2, "\"") {
          (isLongText, index) = (true, index + 2)
        } else if at(0, "\"") {
          isText = true
        } else {
          mask[index] = true
        }
        index += 1
      }
      isCode.append(mask)
    }
  }

  /// A line without comments and strings, as long as it is.
  func code(_ line: Int) -> String {
    String(
      decoding: zip(lines[line], isCode[line]).map { $1 && $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
  }
}

/// A pattern that is known to be one.
func pattern(_ text: String) -> Regex<AnyRegexOutput> {
  do {
    return try Regex(text)
  } catch {
    fatalError("'\(text)': \(error)")
  }
}

/// Finds what may be damaged in a file.
struct Finder {
  let file: String
  let lines: CodeLines
  var found: [Mutant] = []

  /// Lines that check, tell or declare, and do not decide.
  static let passedOver = pattern(
    #"\b(assert|precondition|preconditionFailure|demand|fatalError|import|extension|typealias|protocol|subscript)\b|^\s*check\(|^\s*(@|#|(public |package |private |static )*(func|init|struct|enum|case|indirect)\b)|while true|reserve|apacity|isSound|description|sizeof|MemoryLayout"#
  )
  static let comparison = pattern(#" (<|<=|>|>=|==|!=) "#)
  static let logic = pattern(#" (&&|\|\|) "#)
  static let sum = pattern(#" (\+|-) "#)
  static let constant = pattern(#"[ (\[-][0-9][0-9_]*(?![\w.])"#)
  static let truth = pattern(#"\b(true|false)\b"#)
  static let statement = pattern(
    #"^\s+(_ = )?[a-z][\w.\[\]]*(\([^{}]*\)|\s[+-]=\s[^{}]+)$"#)

  static let goesOn = pattern(#"([-+*/%=<>&|,(?:\[]|\breturn|\bin|\belse|\btry)$"#)
  static let isGoneOn = pattern(#"^([-+*/%=<>&|?:.)\]]|where\b|else\b)"#)

  mutating func find() {
    for line in lines.lines.indices {
      let code = lines.code(line)
      if code.contains(Self.passedOver) || isWithinCheck(line) { continue }
      add(Self.comparison, .comparison, code, line, trimming: (1, 1))
      add(Self.logic, .logic, code, line, trimming: (1, 1))
      add(Self.sum, .sum, code, line, trimming: (1, 1))
      add(Self.constant, .constant, code, line, trimming: (1, 0))
      add(Self.truth, .truth, code, line)
      if isStatement(line) {
        addStatement(.removal, line)
        if line + 1 < lines.lines.count && isStatement(line + 1) { addStatement(.order, line) }
      }
    }
  }

  private mutating func add(
    _ pattern: Regex<AnyRegexOutput>, _ kind: Mutant.Kind, _ code: String, _ line: Int,
    trimming: (before: Int, after: Int) = (0, 0)
  ) {
    for match in code.matches(of: pattern) {
      let start = code.utf8.distance(from: code.startIndex, to: match.range.lowerBound)
      let end = code.utf8.distance(from: code.startIndex, to: match.range.upperBound)
      let range = start + trimming.before..<end - trimming.after
      // An operator at the beginning of a line: its left side may be the whole of what stands above.
      if code.prefix(start).allSatisfy({ $0 == " " }) && kind != .constant && kind != .truth {
        continue
      }
      let text = String(decoding: lines.lines[line][range], as: UTF8.self)
      found.append(Mutant(file: file, line: line, range: range, kind: kind, text: text))
    }
  }

  /// Whether a line goes on with a check that begins above it.
  private func isWithinCheck(_ line: Int) -> Bool {
    for above in lines.lines.indices[..<line].suffix(3).reversed() {
      let code = lines.code(above).trimmingCharacters(in: .whitespaces)
      if ["demand(", "precondition(", "assert("].contains(where: code.hasSuffix) { return true }
      if code.hasSuffix("{") || code.hasSuffix("}") { return false }
    }
    return false
  }

  private mutating func addStatement(_ kind: Mutant.Kind, _ line: Int) {
    let start = lines.lines[line].prefix { $0 == 0x20 }.count
    let range = start..<lines.lines[line].count
    let text = String(decoding: lines.lines[line][range], as: UTF8.self)
    found.append(Mutant(file: file, line: line, range: range, kind: kind, text: text))
  }

  /// Whether a line is a call or a sum that stands alone.
  private func isStatement(_ line: Int) -> Bool {
    let code = lines.code(line)
    guard code.contains(Self.statement), !code.contains(Self.passedOver) else { return false }
    let opened = code.count { $0 == "(" || $0 == "[" }
    guard opened == code.count(where: { $0 == ")" || $0 == "]" }), line > 0 else { return false }
    let before = lines.code(line - 1).trimmingCharacters(in: .whitespaces)
    let after =
      line + 1 < lines.lines.count ? lines.code(line + 1).trimmingCharacters(in: .whitespaces) : ""
    if before.hasPrefix("case ") || before.hasPrefix("default:") {
      return !after.contains(Self.isGoneOn)
    }
    return !before.isEmpty && !before.contains(Self.goesOn) && !after.contains(Self.isGoneOn)
  }
}

/// Writes a line with its place as a switch.
func switched(_ mutant: Mutant, _ id: Int, _ line: [UInt8], next: [UInt8]) -> (String, String?) {
  let before = String(decoding: line[..<mutant.range.lowerBound], as: UTF8.self)
  let after = String(decoding: line[mutant.range.upperBound...], as: UTF8.self)
  switch mutant.kind {
  case .comparison:
    let sign = mutant.text == "==" ? "=~=" : mutant.text == "!=" ? "!~=" : "\(mutant.text)~"
    return ("\(before)\(sign) \(id) \(sign)\(after)", nil)
  case .logic: return ("\(before)\(mutant.text)~ \(id) \(mutant.text)~\(after)", nil)
  case .sum: return ("\(before)\(mutant.text)~ \(id) \(mutant.text)~\(after)", nil)
  case .constant where before.hasSuffix("-") && mutant.text == "1":
    return ("\(before)mutatedNone(1, \(id))\(after)", nil)
  case .constant, .truth: return ("\(before)mutated(\(mutant.text), \(id))\(after)", nil)
  case .removal: return ("\(before)if !mutated(\(id)) { \(mutant.text) }\(after)", nil)
  case .order:
    let other = String(decoding: next, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    return (
      "\(before)if mutated(\(id)) { \(other) } else { \(mutant.text) }",
      "\(before)if mutated(\(id)) { \(mutant.text) } else { \(other) }"
    )
  }
}

/// What a module needs for its switches.
let support = """
  #if canImport(Glibc)
    import Glibc
  #else
    import Darwin
  #endif

  /// Which place is damaged; 0 for none.
  let activeMutant: Int = {
    if getenv("SPINDLE_REACHED") != nil {
      atexit {
        guard let path = getenv("SPINDLE_REACHED"), let file = fopen(path, "a") else { return }
        for id in 0..<100_000 where reachedMutants[id] != 0 { fputs("\\(id)\\n", file) }
        fclose(file)
      }
    }
    return getenv("SPINDLE_MUTANT").map { atol($0) } ?? 0
  }()
  nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8> = {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 100_000)
    bytes.initialize(repeating: 0, count: 100_000)
    return bytes
  }()

  @inline(__always) func mutated(_ id: Int) -> Bool {
    let isActive = activeMutant == id
    reachedMutants[id] = 1
    return isActive
  }
  func mutated<T: AdditiveArithmetic & ExpressibleByIntegerLiteral>(_ value: T, _ id: Int) -> T {
    mutated(id) ? value + 1 : value
  }
  /// The 1 of a -1, which stands for none: the first there is, and not another none.
  func mutatedNone<T: AdditiveArithmetic>(_ value: T, _ id: Int) -> T { mutated(id) ? .zero : value }
  func mutated(_ value: Bool, _ id: Int) -> Bool { mutated(id) ? !value : value }

  /// The left side of an operator with the number of its place.
  struct Side<T> { var value: T; var id: Int }

  precedencegroup SwitchedComparison { higherThan: LogicalConjunctionPrecedence lowerThan: NilCoalescingPrecedence associativity: left }
  precedencegroup SwitchedConjunction { higherThan: LogicalConjunctionPrecedence lowerThan: ComparisonPrecedence associativity: left }
  precedencegroup SwitchedDisjunction { higherThan: LogicalDisjunctionPrecedence lowerThan: LogicalConjunctionPrecedence associativity: left }
  infix operator <~ : SwitchedComparison
  infix operator <=~ : SwitchedComparison
  infix operator >~ : SwitchedComparison
  infix operator >=~ : SwitchedComparison
  infix operator =~= : SwitchedComparison
  infix operator !~= : SwitchedComparison
  infix operator &&~ : SwitchedConjunction
  infix operator ||~ : SwitchedDisjunction
  infix operator +~ : AdditionPrecedence
  infix operator -~ : AdditionPrecedence

  func <~ <T: Comparable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func <=~ <T: Comparable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func >~ <T: Comparable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func >=~ <T: Comparable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func =~= <T: Equatable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func !~= <T: Equatable>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func &&~ (a: Bool, id: Int) -> Side<Bool> { Side(value: a, id: id) }
  func ||~ (a: Bool, id: Int) -> Side<Bool> { Side(value: a, id: id) }
  func +~ <T: AdditiveArithmetic>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }
  func -~ <T: AdditiveArithmetic>(a: T, id: Int) -> Side<T> { Side(value: a, id: id) }

  func <~ <T: Comparable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value <= b : a.value < b }
  func <=~ <T: Comparable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value < b : a.value <= b }
  func >~ <T: Comparable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value >= b : a.value > b }
  func >=~ <T: Comparable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value > b : a.value >= b }
  func =~= <T: Equatable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value != b : a.value == b }
  func !~= <T: Equatable>(a: Side<T>, b: T) -> Bool { mutated(a.id) ? a.value == b : a.value != b }
  func &&~ (a: Side<Bool>, b: @autoclosure () throws -> Bool) rethrows -> Bool {
    try mutated(a.id) ? a.value || b() : a.value && b()
  }
  func ||~ (a: Side<Bool>, b: @autoclosure () throws -> Bool) rethrows -> Bool {
    try mutated(a.id) ? a.value && b() : a.value || b()
  }
  func +~ <T: AdditiveArithmetic>(a: Side<T>, b: T) -> T { mutated(a.id) ? a.value - b : a.value + b }
  func -~ <T: AdditiveArithmetic>(a: Side<T>, b: T) -> T { mutated(a.id) ? a.value + b : a.value - b }

  """

/// What is damaged: a folder below `Sources`, and its share of the places.
let areas: [(folder: String, share: Int)] = [
  ("SpindleSimulator/Kernel", 90), ("SpindleSimulator/Policies", 120),
  ("SpindleSimulator/Runtimes/Application", 12), ("SpindleSimulator/Runtimes/Concurrency", 40),
  ("SpindleSimulator/Runtimes/Dispatch", 50), ("SpindleSimulator/Runtimes/DispatchSources", 25),
  ("SpindleSimulator/Runtimes/Executors", 20), ("SpindleSimulator/Runtimes/Locks", 45),
  ("SpindleSimulator/Runtimes/Operations", 45), ("SpindleSimulator/Runtimes/RunLoops", 50),
  ("SpindleSimulator/Runtimes/Threads", 35), ("SpindleSimulator/Process", 20),
  ("SpindleSimulator/Execution", 40), ("SpindleLanguage/Analysis", 50),
  ("SpindleLanguage/Settings", 25), ("SpindleLanguage/Inference", 25),
  ("SpindleLanguage/Expectations", 25), ("SpindleLanguage/Emission", 30),
]

/// A number that depends on a text and the seed only (FNV-1a).
func rank(_ text: String, _ seed: UInt64) -> UInt64 {
  var hash = 0xCBF2_9CE4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  hash ^= hash >> 33
  return hash &* 0xFF51_AFD7_ED55_8CCD
}

/// A line with a mark around what changes in it, and how.
func marked(_ mutant: Mutant, _ line: [UInt8]) -> String {
  let before = String(decoding: line[..<mutant.range.lowerBound], as: UTF8.self)
  let after = String(decoding: line[mutant.range.upperBound...], as: UTF8.self)
  let whole = "\(before)«\(mutant.text)»\(after)".trimmingCharacters(in: .whitespaces)
  return "\(mutant.kind.rawValue): \(whole)"
}

func sources(below folder: String) -> [String] {
  let found = FileManager.default.enumerator(atPath: folder)
  var names: [String] = []
  while let name = found?.nextObject() as? String {
    if name.hasSuffix(".swift") { names.append(name) }
  }
  return names.sorted()
}

/// About so many places in all, of each folder by its share, at most one in two lines.
func list(_ tree: String, seed: UInt64, count wanted: Int) throws {
  var id = 0
  let shares = areas.reduce(0) { $0 + $1.share }
  for (folder, share) in areas {
    let most = (share * wanted + shares - 1) / shares
    var all: [(rank: UInt64, mutant: Mutant)] = []
    for name in sources(below: "\(tree)/Sources/\(folder)") where !name.contains("Invariants") {
      let file = "\(folder)/\(name)"
      let text = try String(contentsOfFile: "\(tree)/Sources/\(file)", encoding: .utf8)
      var finder = Finder(file: file, lines: CodeLines(text))
      finder.find()
      var timesSeen: [String: Int] = [:]
      for var mutant in finder.found {
        mutant.place = marked(mutant, finder.lines.lines[mutant.line])
        timesSeen[mutant.place, default: 0] += 1
        if let times = timesSeen[mutant.place], times > 1 { mutant.place += " (\(times))" }
        let key = "\(file) \(mutant.place)"
        // Constants and removals are many, comparisons and orders what matters.
        let shift: UInt64 = [.comparison, .logic, .order].contains(mutant.kind) ? 1 : 0
        all.append((rank(key, seed) >> shift, mutant))
      }
    }
    all.sort { $0.rank < $1.rank }
    var taken: Set<String> = []
    var count = 0
    for (_, mutant) in all where count < most {
      let places = [mutant.line - 1, mutant.line, mutant.line + 1].map { "\(mutant.file) \($0)" }
      if places.contains(where: taken.contains) { continue }
      taken.insert(places[1])
      if mutant.kind == .order { taken.insert(places[2]) }
      (count, id) = (count + 1, id + 1)
      print(
        id, mutant.file, mutant.line + 1, mutant.range.lowerBound, mutant.range.upperBound,
        mutant.kind.rawValue, mutant.text, mutant.place, separator: "\t")
    }
  }
}

/// Writes a file, if something else stands there.
func write(_ text: String, to path: String) throws {
  if let old = try? String(contentsOfFile: path, encoding: .utf8), old == text { return }
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

func apply(_ tree: String, from pristine: String, _ list: String) throws {
  var byFile: [String: [(Int, Mutant)]] = [:]
  for line in try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n") {
    let fields = line.split(separator: "\t", maxSplits: 7).map(String.init)
    guard fields.count == 8, let id = Int(fields[0]), let row = Int(fields[2]),
      let low = Int(fields[3]), let high = Int(fields[4]),
      let kind = Mutant.Kind(rawValue: fields[5])
    else { fatalError("no place: \(line)") }
    let mutant = Mutant(
      file: fields[1], line: row - 1, range: low..<high, kind: kind, text: fields[6])
    byFile[mutant.file, default: []].append((id, mutant))
  }
  let files = sources(below: "\(pristine)/Sources")
  for file in files {
    let text = try String(contentsOfFile: "\(pristine)/Sources/\(file)", encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (id, mutant) in byFile[file] ?? [] {
      let next = mutant.line + 1 < lines.count ? Array(lines[mutant.line + 1].utf8) : []
      let made = switched(mutant, id, Array(lines[mutant.line].utf8), next: next)
      lines[mutant.line] = made.0
      if let second = made.1 { lines[mutant.line + 1] = second }
    }
    try write(lines.joined(separator: "\n"), to: "\(tree)/Sources/\(file)")
  }
  let switches = ["SpindleSimulator/Kernel", "SpindleLanguage/Calls"].map { $0 + "/Switches.swift" }
  for file in switches { try write(support, to: "\(tree)/Sources/\(file)") }
  for file in sources(below: "\(tree)/Sources") where !(files + switches).contains(file) {
    try FileManager.default.removeItem(atPath: "\(tree)/Sources/\(file)")
  }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "list":
  try list(arguments[2], seed: UInt64(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
case "apply": try apply(arguments[2], from: arguments[3], arguments[4])
default: fatalError("mutate list TREE SEED COUNT | mutate apply TREE FROM LIST")
}
