import SpindleModel

/// What a search for the best values found.
package struct TuneReport: Sendable {
  /// A point that was looked at.
  package struct Point: Sendable {
    /// The value on each axis, as a trace writes it.
    package var settings: [String]
    /// The mean over the seeds; nil when a run has no value.
    package var mean: Double?
    /// Whether it ended by itself and meets what it must.
    package var isAllowed: Bool
    /// How its runs ended that did not end by themselves.
    package var ending: String?

    /// Creates a point.
    package init(settings: [String], mean: Double?, isAllowed: Bool, ending: String?) {
      (self.settings, self.mean) = (settings, mean)
      (self.isAllowed, self.ending) = (isAllowed, ending)
    }
  }

  /// What the axes are called.
  private let names: [String]
  /// What is made best, and in which way.
  private let column: ComparedColumn
  private let prefersMore: Bool
  /// What must hold, as it was written.
  private let conditions: [String]
  /// The points, in the order in which they were looked at.
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
    points: [Point], best: Int?, gridCount: Int, seedCount: Int
  ) {
    (self.names, self.column, self.prefersMore) = (names, column, prefersMore)
    (self.conditions, self.points, self.best) = (conditions, points, best)
    (self.gridCount, self.seedCount) = (gridCount, seedCount)
  }

  /// For people: the best values, the next ones, and what the search can't promise.
  package func text(style: TextStyle) -> String {
    var text = ""
    if let best {
      let title = "\(place(points[best])): \(column.measure) \(value(points[best]))"
      text += style.paint(title, .bold) + "\n\n"
      let others = table
      if let others { text += others.rendered(width: style.width) + "\n" }
    } else {
      let hasValue = points.contains { $0.mean != nil && $0.ending == nil }
      text +=
        hasValue
        ? "No point that was looked at meets \(conditions.joined(separator: " and ")).\n\n"
        : "No point that was looked at finishes with a value of \(column.measure).\n\n"
    }
    return text + method.flatMap { style.wrapped($0, indent: "") }.joined(separator: "\n") + "\n"
  }

  private func place(_ point: Point) -> String {
    zip(names, point.settings).map { "\($0)=\($1)" }.joined(separator: ", ")
  }

  private func value(_ point: Point) -> String {
    point.mean.map { column.unit.approximate($0) } ?? "-"
  }

  /// The points that come next; nil where there are none.
  private var table: TextTable? {
    var ranked: [(index: Int, mean: Double)] = []
    for (index, point) in points.enumerated() where index != best && point.isAllowed {
      if let mean = point.mean { ranked.append((index, mean)) }
    }
    guard !ranked.isEmpty else { return nil }
    ranked.sort { left, right in
      if left.mean == right.mean { return left.index < right.index }
      return prefersMore ? left.mean > right.mean : left.mean < right.mean
    }
    var table = TextTable(columns: [.init("next", .left), .init(column.measure)])
    for (index, _) in ranked.prefix(TuneReport.shownPoints) {
      table.add([place(points[index]), value(points[index])])
    }
    return table
  }

  private var method: [String] {
    let runs = Int64(points.count * seedCount)
    let more = Int64(points.count - gridCount)
    var text = "Found in \(runs.counted("run"))"
    if seedCount > 1 { text += ", \(seedCount) seeds at each of \(points.count) points" }
    text += ": a grid of \(Int64(gridCount).counted("point"))"
    text += more > 0 ? ", and \(more.grouped) more around the best of it." : "."
    let refused = Int64(points.count { !$0.isAllowed })
    if refused > 0 {
      text += " \(refused.counted("point")) did not meet what must hold, or did not finish."
    }
    return [
      text,
      "What was not looked at may be better: of several valleys the search follows that of the "
        + "grid's best point, and sees none between two points of the grid.",
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
      ("isAllowed", .boolean(point.isAllowed)),
      ("ending", .string(point.ending ?? Outcome.Kind.finished.name)),
    ])
  }
}
