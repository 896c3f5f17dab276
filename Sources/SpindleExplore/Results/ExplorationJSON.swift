package import SpindleModel
import SpindleReports

/// A search as JSON.
package struct ExplorationJSON {
  private let program: Program
  private let exploration: Exploration
  private let words: ExplorationText

  package init(_ program: Program, _ exploration: Exploration, _ words: ExplorationText) {
    (self.program, self.exploration, self.words) = (program, exploration, words)
  }

  /// The text.
  package var text: String {
    let covered: JSONValue = .object([
      ("runs", .integer(Int64(exploration.runs))),
      ("orders", .integer(Int64(exploration.orders))),
      ("isComplete", .boolean(exploration.isComplete)),
      ("notVaried", .array(exploration.textsOfUnvaried.map { .string($0) })),
      ("notKept", .integer(Int64(exploration.unkept))),
      ("tooLate", .integer(Int64(exploration.tooLate))),
      ("tooLong", .integer(Int64(exploration.tired))),
      ("notWritten", .integer(Int64(exploration.unwritten))),
      ("text", .string(words.covered)),
    ])
    return JSONValue.object([
      ("title", .string(program.title)),
      ("explored", covered),
      ("failing", .integer(Int64(exploration.failing))),
      ("failures", .array(exploration.failures.map(value))),
    ]).text
  }

  private func value(_ failure: Exploration.Failure) -> JSONValue {
    let trial = failure.trial
    return .object([
      ("headline", .string(words.headline(failure))),
      ("outcome", .string(trial.outcome.kind.name)),
      ("place", trial.outcome.place.map(place) ?? .null),
      ("firstRun", .integer(Int64(failure.run + 1))),
      ("runs", .integer(Int64(failure.count))),
      ("drawn", failure.drawn.map { .string($0.name) } ?? .null),
      (
        "schedule",
        .array(trial.schedule.lines.map { .string("\($0)") })
      ),
      ("heldFor", .integer(trial.longestHold.rawValue)),
      ("leastDelay", failure.leastDelay.map { .integer($0.rawValue) } ?? .null),
      (
        "unmet",
        .array(
          trial.unmet.filter { !$0.isImplied }.map {
            .object([
              ("text", .string($0.text)), ("seen", .string($0.seen)), ("place", place($0.place)),
            ])
          })
      ),
      (
        "findings",
        .array(
          failure.kind.findings.map {
            .object([
              ("kind", .string($0.kind.rawValue)), ("places", .array($0.places.map(place))),
            ])
          })
      ),
    ])
  }

  private func place(_ range: SourceRange) -> JSONValue {
    .string("\(program.source.position(of: range))")
  }
}
