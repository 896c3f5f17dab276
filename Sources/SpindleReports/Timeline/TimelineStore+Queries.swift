package import SpindleModel

extension TimelineStore {
  /// The states of a thread that touch the time between two moments, in order; logarithmic in the
  /// number of its states, beside what it gives.
  package func states(
    of thread: ThreadIndex, from: Instant, to: Instant
  ) -> ArraySlice<ThreadSlice> {
    guard thread.raw >= 0 && Int(thread.raw) < states.count else { return [] }
    let all = states[Int(thread.raw)]
    let first = all.partition { $0.end <= from }
    let end = all.partition { $0.start < to }
    return first < end ? all[first..<end] : []
  }

  /// What a thread was about between two moments, the outermost only, in order; logarithmic in all that
  /// it was about, beside what it gives.
  func units(of thread: ThreadIndex, from: Instant, to: Instant) -> [SpanSlice] {
    guard thread.raw >= 0 && Int(thread.raw) < units.count else { return [] }
    // One follows the other, so that both their beginnings and their ends are in order.
    let all = units[Int(thread.raw)]
    let first = all.partition { $0.end <= from }
    return all[first...].prefix { $0.start < to }.filter { $0.end > from }
  }

  /// The item with this number; nil when the window does not touch it.
  func item(_ index: ItemIndex) -> ItemSlice? {
    itemPlaces[index.raw].map { items[$0] }
  }

  /// The thread of this origin that is the main one; nil in a run without.
  var mainThread: ThreadIndex? { threads.first { $0.origin == .main }?.thread }

  // MARK: Names

  /// What a thread is called.
  func name(of thread: ThreadIndex) -> String {
    guard let run, thread.raw >= 0 && Int(thread.raw) < threads.count else { return "the world" }
    return threads[Int(thread.raw)].name(in: run.names)
  }

  /// What something with a lane is called.
  func name(of lane: LaneIndex) -> String {
    guard let run, lane.raw >= 0 && Int(lane.raw) < lanes.count else { return "" }
    return lanes[Int(lane.raw)].name(in: run.names)
  }

  /// What an item is called; nil for none.
  func name(of index: ItemIndex) -> String? {
    guard let run, let item = item(index) else { return nil }
    return item.name(in: run.names, run.program)
  }

  /// The text of a name; nil for none.
  func text(_ name: NameID) -> String? {
    guard let run, name.index >= 0 else { return nil }
    return run.names.text(name)
  }

  /// `LINE:COLUMN` of an instruction; nil for none, or one that the trace does not write.
  func position(_ place: Int32) -> String? {
    guard let run, place >= 0 && Int(place) < run.program.places.count else { return nil }
    let range = run.program.places[Int(place)]
    return range.count == 0 ? nil : run.program.source.position(of: range)
  }
}

extension RandomAccessCollection where Index == Int {
  /// How many elements from the first on `belong`, which none behind them does; logarithmic.
  func partition(_ belong: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belong(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
