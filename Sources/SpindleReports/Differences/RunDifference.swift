package import SpindleModel

/// Where two runs part, why, and what that cost each item.
package struct RunDifference {
  /// One of the two runs.
  package struct Side {
    let label: String
    let decisions: RunDecisions

    /// The run called `label`.
    package init(_ label: String, _ decisions: RunDecisions) {
      (self.label, self.decisions) = (label, decisions)
    }

    var store: TimelineStore { decisions.store }

    func position(_ index: Int) -> String {
      index < decisions.places.count
        ? store.position(decisions.places[index]).map { " (\($0))" } ?? "" : ""
    }

    func words(_ index: Int) -> String {
      guard index < decisions.decisions.count else { return "the run is over" }
      let decision = decisions.decisions[index]
      return "\(decision.time): '\(decision.who)' \(decision.what)\(position(index))"
    }

    /// By what the policy kept a core from a thread at a moment, and whom it preferred; nil where it did not.
    func policy(against name: String, at time: Instant) -> (text: String, preferred: String)? {
      guard let thread = store.threads.last(where: { store.name(of: $0.thread) == name }),
        let decision = store.decision(against: thread.thread, at: time)
      else { return nil }
      return ("\(label): '\(name)' has no core: \(decision.words)", decision.preferred)
    }
  }

  private let left: Side
  private let right: Side
  private let style: TextStyle
  /// Where the steps differ first; nil when they are the same to the end.
  private let parting: Int?

  /// The difference of two runs.
  package init(_ left: Side, _ right: Side, style: TextStyle) {
    (self.left, self.right, self.style) = (left, right, style)
    let (first, second) = (left.decisions.decisions, right.decisions.decisions)
    let common = zip(first, second).prefix { $0 == $1 }.count
    parting = common == first.count && common == second.count ? nil : common
  }

  /// Whether the runs take the same steps at the same moments.
  package var isEmpty: Bool { parting == nil }

  /// The difference as lines.
  package func lines() -> [String] {
    var lines = inputs()
    guard let parting else {
      return lines + ["The runs are the same: \(left.decisions.decisions.count) steps."]
    }
    lines += [style.bold("They part at step \(Int64(parting + 1).grouped)")]
    if parting > 0 { lines += style.item("before: \(left.words(parting - 1))") }
    lines += style.item("\(left.label): \(left.words(parting))")
    lines += style.item("\(right.label): \(right.words(parting))")
    lines += reason(parting).flatMap { style.item($0) }
    return lines + picture(parting) + items()
  }

  // MARK: What differs

  /// The parameters, the machine, and the lines of the trace that differ.
  private func inputs() -> [String] {
    let found = inputTexts()
    if found.isEmpty { return [] }
    return [style.bold("What differs")] + found.flatMap { style.item($0) }
  }

  private func inputTexts() -> [String] {
    guard let one = left.store.run, let other = right.store.run else { return [] }
    var found: [String] = []
    for (parameter, second) in zip(one.program.parameters, other.program.parameters)
    where parameter != second {
      found.append("\(parameter.name) = \(parameter.value), and \(second.value)")
    }
    let (a, b) = (one.machine, other.machine)
    if a.platform != b.platform {
      found.append("platform \(a.platform.rawValue), and \(b.platform.rawValue)")
    }
    if a.policy != b.policy { found.append("policy \(a.policy), and \(b.policy)") }
    if a.costs != b.costs { found.append("costs \(a.costs), and \(b.costs)") }
    if a.memory != b.memory { found.append("memory \(a.memory), and \(b.memory)") }
    if a.cores != b.cores {
      found.append("\(Int64(a.cores.count).counted("core")), and \(b.cores.count)")
    }
    if one.program.seed != other.program.seed {
      found.append("seed \(one.program.seed), and \(other.program.seed)")
    }
    return found + texts(one.program.source, other.program.source)
  }

  /// The lines of two texts that differ, the first few.
  private func texts(_ one: SourceText, _ other: SourceText) -> [String] {
    // A log that was read has no text of a trace.
    if one.utf8 == other.utf8 || one.utf8.isEmpty || other.utf8.isEmpty { return [] }
    let (first, second) = (lines(one), lines(other))
    var found: [String] = []
    for change in second.difference(from: first).sorted(by: { place($0) < place($1) }) {
      switch change {
      case .remove(let index, let text, _):
        found.append("\(left.label):\(index + 1): \(RunDifference.trimmed(text))")
      case .insert(let index, let text, _):
        found.append("\(right.label):\(index + 1): \(RunDifference.trimmed(text))")
      }
    }
    let limit = 8
    if found.count <= limit { return found }
    return found.prefix(limit) + ["and \(found.count - limit) more lines"]
  }

  private func lines(_ text: SourceText) -> [String] {
    (1...text.lineStarts.count).map { text.line($0) }
  }

  private func place(_ change: CollectionDifference<String>.Change) -> Int {
    switch change {
    case .remove(let offset, _, _): 2 * offset
    case .insert(let offset, _, _): 2 * offset + 1
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " || $0 == "\t" })
  }

  // MARK: Why they part

  /// The cause of the first different step.
  private func reason(_ index: Int) -> [String] {
    let (first, second) = (left.decisions.decisions, right.decisions.decisions)
    guard index < first.count && index < second.count else {
      let longer = index < first.count ? left.label : right.label
      return ["only \(longer) continues"]
    }
    let (a, b) = (first[index], second[index])
    let policies = policies(a, b)
    if a.time == b.time {
      if a.kind == .runs && b.kind == .runs { return [cores(a, b)] + policies }
      return policies.isEmpty ? ["at the same moment something else is done"] : policies
    }
    // What comes first in the one run comes later in the other, or never.
    let (early, late, label) = a.time < b.time ? (a, second, right.label) : (b, first, left.label)
    guard
      let same = late[index...].first(where: {
        $0.who == early.who && $0.what == early.what && $0.kind == early.kind
      })
    else { return ["in \(label) this step never comes"] + policies }
    let later = Nanoseconds(same.time.nanoseconds - early.time.nanoseconds)
    return [
      "in \(label) '\(early.who)' \(early.what) at \(same.time), \(later) later: what came before takes longer"
    ] + policies
  }

  /// Which thread gets which core, in each of the runs.
  private func cores(_ a: Decision, _ b: Decision) -> String {
    func given(_ one: Decision, in side: Side) -> String {
      "'\(one.who)' \(one.what) in \(side.label)"
    }
    return given(a, in: left) + ", and " + given(b, in: right)
  }

  /// By what the policies kept cores from the threads of two different steps, and from those that the other one
  /// preferred.
  private func policies(_ a: Decision, _ b: Decision) -> [String] {
    let time = min(a.time, b.time)
    var names = a.who == b.who ? [a.who] : [a.who, b.who]
    for side in [left, right] {
      for name in names {
        guard let preferred = side.policy(against: name, at: time)?.preferred else { continue }
        if !names.contains(preferred) { names.append(preferred) }
      }
    }
    return [left, right].compactMap { side in
      names.lazy.compactMap { side.policy(against: $0, at: time)?.text }.first
    }
  }

  /// Two lanes over each other where the runs part.
  private func picture(_ index: Int) -> [String] {
    let (first, second) = (left.decisions.decisions, right.decisions.decisions)
    let times = [first, second].compactMap { index < $0.count ? $0[index].time : nil }
    guard let time = times.min() else { return [] }
    let ends = [left, right].compactMap { $0.store.record?.end.nanoseconds }
    let end = max(time.nanoseconds + 1, ends.max() ?? 0)
    let reach = max(1, min(end / 10, 50_000_000))
    let from = Instant(max(0, time.nanoseconds - reach))
    let to = Instant(min(end, time.nanoseconds + 2 * reach))
    var lines: [String] = []
    for side in [left, right] {
      var picture = LanePicture(side.store, from: from, to: to, style: style)
      picture.laneLimit = 6
      lines += ["", style.bold(side.label)] + picture.lines(by: .thread)
    }
    return lines
  }

  // MARK: What it cost

  /// How long an item took in both runs.
  package struct ItemChange: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// From submission to the end in the first run, in nanoseconds.
    package var before: Int64
    /// The same in the second.
    package var after: Int64
  }

  /// The difference as data, for other formats than lines.
  package struct Told: Sendable {
    /// Which one the second run is, among those that are compared.
    package var run: Int
    /// When they part; the end of both where they never do.
    package var time: Instant
    /// The parameters, machine parts and lines that differ.
    package var inputs: [String]
    /// Where they part: what came before, what each does, and why.
    package var sentences: [String]
    /// Items that are in both and took another time, those first that got slowest.
    package var items: [ItemChange]
  }

  /// The difference as data, nil when the runs are the same; `run` is the second one's number.
  package func told(run: Int) -> Told? {
    guard let parting else { return nil }
    let both = [left.decisions.decisions, right.decisions.decisions]
    let times = both.compactMap { parting < $0.count ? $0[parting].time : nil }
    let before = parting > 0 ? ["before: \(left.words(parting - 1))"] : []
    return Told(
      run: run, time: times.min() ?? .start, inputs: inputTexts(),
      sentences: before
        + [
          "\(left.label): \(left.words(parting))", "\(right.label): \(right.words(parting))",
        ] + reason(parting), items: changes())
  }

  /// The items of both runs that took another time, the one first that got slowest.
  private func changes() -> [ItemChange] {
    let (before, after) = (latencies(left.store), latencies(right.store))
    let rows = before.names.compactMap { name -> ItemChange? in
      guard let one = before.lengths[name], let two = after.lengths[name], one != two else {
        return nil
      }
      return ItemChange(name: name, before: one, after: two)
    }
    let order = rows.indices.sorted {
      let (a, b) = (rows[$0].after - rows[$0].before, rows[$1].after - rows[$1].before)
      return a == b ? $0 < $1 : a > b
    }
    return order.map { rows[$0] }
  }

  /// Items of both runs by name, the one that got slowest first.
  private func items() -> [String] {
    let before = latencies(left.store)
    let after = latencies(right.store)
    let rows = changes()
    let missing = before.names.count { after.lengths[$0] == nil }
    let added = after.names.count { before.lengths[$0] == nil }
    var notes: [String] = []
    if missing > 0 { notes.append("\(Int64(missing).counted("item")) in \(left.label) only") }
    if added > 0 { notes.append("\(Int64(added).counted("item")) in \(right.label) only") }
    if rows.isEmpty {
      let text = "No item that is in both took another time."
      return ["", ([text] + notes).joined(separator: "; ")]
    }
    var table = TextTable(columns: [
      .init("item", .left), .init(left.label), .init(right.label), .init("difference"),
    ])
    let limit = 10
    for row in rows.prefix(limit) {
      let change = row.after - row.before
      table.add([
        row.name, TimelineStore.short(row.before), TimelineStore.short(row.after),
        (change > 0 ? "+" : "") + TimelineStore.short(change),
      ])
    }
    var lines = [""] + table.rendered(width: style.width).split(separator: "\n").map(String.init)
    if rows.count > limit { notes.insert("and \(rows.count - limit) more items", at: 0) }
    let total = rows.reduce(Int128(0)) { $0 + Int128($1.after) - Int128($1.before) }
    notes.append("all together \(TimelineStore.short(Int64(clamping: total)))")
    lines += style.paragraph(notes.joined(separator: "; "))
    return lines
  }

  private func latencies(_ store: TimelineStore) -> (names: [String], lengths: [String: Int64]) {
    var names: [String] = []
    var lengths: [String: Int64] = [:]
    for item in store.items where item.outcome == .ran {
      guard let name = store.name(of: item.item), lengths[name] == nil else { continue }
      names.append(name)
      lengths[name] = item.ended.nanoseconds - item.submitted.nanoseconds
    }
    return (names, lengths)
  }
}
