import SpindleModel
import SpindleReports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What `spindle validate` prints: predicted beside measured, which design is better, and where that changes.
struct ValidationReport {
  private let plan: ValidationPlan
  private let results: [String: ValidatedCall]

  /// Two designs differ really when one takes so much longer.
  private static let difference = 1.1

  /// Takes what came of all calls of a plan.
  init(_ plan: ValidationPlan, _ results: [String: ValidatedCall]) {
    (self.plan, self.results) = (plan, results)
  }

  private func result(_ call: String) -> ValidatedCall { results[call] ?? ValidatedCall() }

  /// The whole report.
  func text(width: Int) -> String {
    var text = programs.rendered(width: width) + remarks + "\n" + classes.rendered(width: width)
    for question in plan.questions {
      text += "\n\(question.text)\n" + table(of: question).rendered(width: width)
      text += crossovers(of: question).map { $0 + "\n" }.joined()
    }
    let (right, all) = rankings
    return text
      + "\nThe better of two designs was predicted in \(right) of \(all) settings in which "
      + "they differ by 10% or more.\n"
  }

  // MARK: Programs

  private var programs: TextTable {
    var table = TextTable(columns: [
      .init("program", .left), .init("predicted"), .init("measured"), .init("least"), .init("most"),
      .init("error"), .init("runs"),
    ])
    for entry in plan.cases {
      let result = result(entry.call)
      table.add([
        entry.call, result.predicted.approximate, result.median.approximate,
        result.least.approximate, result.most.approximate, ReplayTable.percent(result.error),
        "\(result.isQuiet ? result.quietCount : result.runs.count)" + (result.isQuiet ? "" : "*"),
      ])
    }
    return table
  }

  /// What the marks in the table mean, and in how many pools there were as many threads as predicted: their
  /// workers still live when all is done, where other threads may have ended or not.
  private var remarks: String {
    var text = ""
    if plan.cases.contains(where: { !result($0.call).isQuiet }) {
      text += "*: other processes disturbed nearly all of these runs\n"
    }
    let pools = plan.cases.filter { $0.kind == "pools" && result($0.call).threads != nil }
    if pools.isEmpty { return text }
    let wrong = pools.filter { result($0.call).threads != result($0.call).predictedThreads }
    text += "threads at the end, of pools: as predicted in \(pools.count - wrong.count) of "
    return text + "\(pools.count)" + wrong.map { other($0.call) }.joined() + "\n"
  }

  private func other(_ call: String) -> String {
    let result = result(call)
    return "; \(call): \(result.predictedThreads) predicted, \(result.threads ?? 0) measured"
  }

  private var classes: TextTable {
    var table = TextTable(columns: [
      .init("class", .left), .init("programs"), .init("middle error"), .init("worst"),
    ])
    var kinds: [String] = []
    for entry in plan.cases where !kinds.contains(entry.kind) { kinds.append(entry.kind) }
    for kind in kinds {
      let errors = plan.cases.filter { $0.kind == kind }.map { abs(result($0.call).error) }.sorted()
      table.add([
        kind, "\(errors.count)", Self.share(errors[errors.count / 2]), Self.share(errors.last ?? 0),
      ])
    }
    return table
  }

  private static func share(_ value: Double) -> String {
    String(ReplayTable.percent(value).dropFirst())
  }

  // MARK: Questions

  private func table(of question: ValidationPlan.Question) -> TextTable {
    var columns: [TextTable.Column] = [.init("at")]
    for design in question.designs { columns += [.init(design.name), .init("measured")] }
    columns += [.init("better", .left), .init("measured", .left)]
    var table = TextTable(columns: columns)
    for value in question.values {
      let all = question.designs.map { result($0.call(at: value)) }
      var row = [value]
      for result in all { row += [result.predicted.approximate, result.median.approximate] }
      row.append(Self.best(question, all.map(\.predicted)))
      row.append(Self.best(question, all.map(\.median)))
      table.add(row)
    }
    return table
  }

  /// The design that takes least, with those that take hardly more.
  private static func best(_ question: ValidationPlan.Question, _ times: [Nanoseconds]) -> String {
    let least = Double(times.min()?.rawValue ?? 0)
    let near = times.indices.filter { Double(times[$0].rawValue) <= least * 1.03 }
    return near.map { question.designs[$0].name }.joined(separator: " = ")
  }

  /// In how many pairs of designs that differ the better one is named right, and how many there are.
  var rankings: (right: Int, all: Int) {
    var (right, all) = (0, 0)
    for question in plan.questions {
      for value in question.values {
        let results = question.designs.map { result($0.call(at: value)) }
        for (first, second) in Self.pairs(results.count) {
          let measured = Self.ratio(results[first].median, results[second].median)
          if max(measured, 1 / measured) < Self.difference { continue }
          let predicted = Self.ratio(results[first].predicted, results[second].predicted)
          all += 1
          if (measured < 1) == (predicted < 1) { right += 1 }
        }
      }
    }
    return (right, all)
  }

  private static func pairs(_ count: Int) -> [(Int, Int)] {
    (0..<count).flatMap { first in ((first + 1)..<max(count, first + 1)).map { (first, $0) } }
  }

  private static func ratio(_ first: Nanoseconds, _ second: Nanoseconds) -> Double {
    Double(max(1, first.rawValue)) / Double(max(1, second.rawValue))
  }

  // MARK: Crossovers

  private func crossovers(of question: ValidationPlan.Question) -> [String] {
    let places = question.values.map(Self.number)
    if places.contains(nil) { return [] }
    let columns = question.designs.map { design in
      question.values.map { result(design.call(at: $0)) }
    }
    return Self.pairs(columns.count).map { first, second in
      let predicted = zip(columns[first], columns[second]).map {
        Self.ratio($0.predicted, $1.predicted)
      }
      let measured = zip(columns[first], columns[second]).map { Self.ratio($0.median, $1.median) }
      let isTime = question.values[0].last == "s"
      let (one, other) = (
        Self.list(Self.crossings(places.compactMap { $0 }, predicted), isTime),
        Self.list(Self.crossings(places.compactMap { $0 }, measured), isTime)
      )
      let names = "\(question.designs[first].name) and \(question.designs[second].name)"
      return "  \(names) are equal at \(one), measured at \(other)"
    }
  }

  /// Where a ratio passes 1, between neighbouring places, by logarithms.
  static func crossings(_ places: [Double], _ ratios: [Double]) -> [Double] {
    var found: [Double] = []
    for index in ratios.indices.dropLast() {
      let (here, next) = (log(ratios[index]), log(ratios[index + 1]))
      if here == 0 || here * next >= 0 { continue }
      let share = here / (here - next)
      found.append(places[index] * exp(share * log(places[index + 1] / places[index])))
    }
    return found
  }

  private static func list(_ places: [Double], _ isTime: Bool) -> String {
    if places.isEmpty { return "no value" }
    return places.map { place in
      isTime ? Nanoseconds(Int64(place)).approximate : "\(Int64(place.rounded()))"
    }.joined(separator: " and ")
  }

  /// A value as a number: nanoseconds, or itself.
  private static func number(_ text: String) -> Double? {
    let units: [(String, Double)] = [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
    for (unit, scale) in units where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * scale }
    }
    return Double(text)
  }
}
