import SpindleModel

/// What a search for the best values found.
package struct TuneReport: Sendable {
  /// A point that was evaluated.
  package struct Point: Sendable {
    /// The value on each axis, as a trace writes it.
    package var settings: [String]
    /// The mean over the seeds; nil when a run has no value.
    package var mean: Double?
    /// Half of the confidence interval of the mean; nil of one seed.
    package var halfWidth: Double?
    /// Whether each condition held with every seed.
    package var held: [Bool]
    /// What the compared sides came to; nil where a run has no value.
    package var sides: [Double?]
    /// How its runs ended that did not end by themselves.
    package var ending: String?
    /// By what share of its limit the condition is missed that is missed most; nil where none is, or a limit is no number.
    package var miss: Double?

    /// Whether it ended by itself, has a value and meets what it must.
    package var isAllowed: Bool { ending == nil && mean != nil && held.allSatisfy { $0 } }

    /// Creates a point.
    package init(
      settings: [String], mean: Double?, held: [Bool], sides: [Double?], ending: String?
    ) {
      (self.settings, self.mean, self.held) = (settings, mean, held)
      (self.sides, self.ending) = (sides, ending)
    }
  }

  /// What the axes are called.
  private let names: [String]
  /// The column that is optimized, and in which direction.
  private let column: ComparedColumn
  private let prefersMore: Bool
  /// What must hold, as it was written.
  private let conditions: [String]
  /// What the conditions compare.
  private let sides: [ComparedColumn]
  /// The points, in the order in which they were evaluated.
  private let points: [Point]
  /// The best point's place; nil when none is allowed.
  private let best: Int?
  /// How many points were on the grid.
  private let gridCount: Int
  /// How many seeds each point was run with.
  private let seedCount: Int

  /// How many points are shown beside the best one.
  private static let shownPoints = 5

  /// Creates a report.
  package init(
    names: [String], column: ComparedColumn, prefersMore: Bool, conditions: [String],
    sides: [ComparedColumn], points: [Point], best: Int?, gridCount: Int, seedCount: Int
  ) {
    (self.names, self.column, self.prefersMore) = (names, column, prefersMore)
    (self.conditions, self.sides) = (conditions, sides)
    (self.points, self.best) = (points, best)
    (self.gridCount, self.seedCount) = (gridCount, seedCount)
  }

  /// For people: the best values, the next ones, and what the search can't promise.
  package func text(style: TextStyle) -> String {
    var text = ""
    if let best {
      let of = zip([column] + sides, values(points[best])).map { "\($0.measure) \($1)" }
      let title = "\(place(points[best])): \(of.joined(separator: ", "))"
      text += style.paint(title, .bold) + "\n\n"
      if let others { text += others.rendered(width: style.width) + "\n" }
    } else {
      let hasValue = points.contains { $0.mean != nil && $0.ending == nil }
      text +=
        hasValue
        ? "No point that was looked at meets \(conditions.joined(separator: " and ")).\n\n"
        : "No point that was looked at finishes with a value of \(column.measure).\n\n"
    }
    if let refused { text += refused.rendered(width: style.width) + "\n" }
    if let nearest = nearestMiss {
      let of = zip(sides, values(nearest).dropFirst()).map { "\($0.measure) \($1)" }
      let line = "Nearest miss: \(place(nearest)), \(of.joined(separator: ", "))."
      text += style.wrapped(line, indent: "").joined(separator: "\n") + "\n\n"
    }
    return text + method.flatMap { style.wrapped($0, indent: "") }.joined(separator: "\n") + "\n"
  }

  private func place(_ point: Point) -> String {
    zip(names, point.settings).map { "\($0)=\($1)" }.joined(separator: ", ")
  }

  /// What a point came to: the measure, and each side of a condition.
  private func values(_ point: Point) -> [String] {
    let mean = point.mean.map { column.unit.approximate($0, halfWidth: point.halfWidth) }
    return [mean ?? "-"]
      + zip(sides, point.sides).map { side, value in
        value.map { side.unit.approximate($0) } ?? "-"
      }
  }

  /// Points by their measure, the best first; those without one come last.
  private func ranked(_ isWanted: (Int) -> Bool) -> [Point] {
    points.indices.filter(isWanted).sorted { left, right in
      guard let one = points[left].mean, let other = points[right].mean, one != other else {
        let (hasOne, hasOther) = (points[left].mean != nil, points[right].mean != nil)
        return hasOne == hasOther ? left < right : hasOne
      }
      return prefersMore ? one > other : one < other
    }.map { points[$0] }
  }

  /// The points that come next; nil if there are none.
  private var others: TextTable? {
    table("next", ranked { $0 != best && points[$0].isAllowed })
  }

  /// The points that would come first if they were allowed; nil if there are none.
  ///
  /// Each with its reason where that is not the same for all.
  private var refused: TextTable? {
    let refused = ranked { !points[$0].isAllowed }
    return table("not allowed", refused, tellsReason: Set(refused.map(reason)).count > 1)
  }

  /// The point that is nearest to being allowed.
  private var nearestMiss: Point? {
    points.filter { $0.ending == nil && !$0.isAllowed && $0.miss != nil }
      .min { ($0.miss ?? 0) < ($1.miss ?? 0) }
  }

  private func table(
    _ title: String, _ points: [Point], tellsReason: Bool = false
  ) -> TextTable? {
    guard !points.isEmpty else { return nil }
    let measures = ([column] + sides).map { TextTable.Column($0.measure) }
    var table = TextTable(
      columns: [.init(title, .left)] + measures + (tellsReason ? [.init("because", .left)] : []))
    for point in points.prefix(TuneReport.shownPoints) {
      table.add([place(point)] + values(point) + (tellsReason ? [reason(point)] : []))
    }
    return table
  }

  /// What speaks against a point.
  private func reason(_ point: Point) -> String {
    if let ending = point.ending { return ending }
    let failed = zip(conditions, point.held).filter { !$0.1 }.map(\.0)
    return failed.isEmpty ? "no value" : "not " + failed.joined(separator: ", not ")
  }

  private var method: [String] {
    let runs = Int64(points.count * seedCount)
    let more = Int64(points.count - gridCount)
    var text = "Found in \(runs.counted("run"))"
    if seedCount > 1 { text += ", \(seedCount) seeds at each of \(points.count) points" }
    text += ": a grid of \(Int64(gridCount).counted("point"))"
    text += more > 0 ? ", and \(more.grouped) more around the best of it." : "."
    for (index, condition) in conditions.enumerated() {
      let failed = Int64(points.count { $0.ending == nil && !$0.held[index] })
      if failed > 0 { text += " \(failed.counted("point")) did not meet \(condition)." }
    }
    let ended = Int64(points.count { $0.ending != nil })
    if ended > 0 { text += " \(ended.counted("point")) did not finish." }
    let valueless = Int64(points.count { $0.ending == nil && $0.mean == nil })
    if valueless > 0 { text += " \(valueless.counted("point")) had no \(column.measure)." }
    if seedCount > 1 {
      text += " Means over \(seedCount) seeds; ± is half of their 95% confidence interval."
    }
    if seedCount > 1 && !sides.isEmpty {
      text +=
        " A condition must hold with every seed; its value is that of the seed that is farthest"
      text += " from meeting it."
    }
    return [
      text,
      "A better point may exist: of several valleys the search follows that of the grid's best "
        + "point, and it misses those between two points of the grid.",
    ]
  }

  /// For programs, without a line break at the end.
  package var json: String {
    JSONValue.object([
      ("format", .integer(1)),
      ("measure", JSONText.value(column)),
      ("isMaximized", .boolean(prefersMore)),
      ("conditions", .array(conditions.map { .string($0) })),
      ("best", best.map { value(points[$0]) } ?? .null),
      ("nearestMiss", nearestMiss.map { value($0) } ?? .null),
      ("runs", .integer(Int64(points.count * seedCount))),
      ("gridPoints", .integer(Int64(gridCount))),
      ("points", .array(points.map { value($0) })),
    ]).text
  }

  private func value(_ point: Point) -> JSONValue {
    let settings = zip(names, point.settings).map { name, value in
      (key: name, value: JSONValue.string(value))
    }
    return .object([
      ("settings", .object(settings)),
      ("value", point.mean.map { column.unit.plain($0).json } ?? .null),
      ("halfWidth", point.halfWidth.map { column.unit.plain($0).json } ?? .null),
      ("isAllowed", .boolean(point.isAllowed)),
      (
        "conditions",
        .array(
          zip(conditions, point.held).map {
            .object([("text", .string($0)), ("isMet", .boolean($1))])
          })
      ),
      (
        "compared",
        .array(
          zip(sides, point.sides).map { side, value in
            .object([
              ("measure", JSONText.value(side)),
              ("value", value.map { side.unit.plain($0).json } ?? .null),
            ])
          })
      ),
      ("ending", .string(point.ending ?? Outcome.Kind.finished.name)),
    ])
  }
}
