import SpindleModel

extension LanePicture {
  /// A lane below the threads that shows when something was marked.
  struct MarkLane {
    var name: String
    var times: [Instant]
  }

  /// With more texts than these all marks are in one lane.
  private static let mostTexts = 6

  /// The marks of the window by their text, in the order in which each text appears first.
  ///
  /// With `threads` only theirs.
  func markLanes(_ threads: Set<ThreadIndex>?) -> [MarkLane] {
    var lanes: [MarkLane] = []
    var places: [NameID: Int] = [:]
    for note in store.notes where note.kind == .mark && note.time >= from && note.time <= to {
      if let threads, !threads.contains(note.thread) { continue }
      if let place = places[note.name] {
        lanes[place].times.append(note.time)
      } else {
        places[note.name] = lanes.count
        lanes.append(MarkLane(name: "'\(store.text(note.name) ?? "")'", times: [note.time]))
      }
    }
    if lanes.count <= LanePicture.mostTexts { return lanes }
    return [MarkLane(name: "marks", times: lanes.flatMap(\.times))]
  }

  /// The lines of marks: `^` in each column that has one.
  func lines(of lanes: [MarkLane]) -> [String] {
    lanes.map { marks in
      var cells = [Character](repeating: " ", count: columns)
      for time in marks.times { cells[column(of: time)] = "^" }
      while cells.last == " " { cells.removeLast() }
      return lane(marks.name, String(cells))
    }
  }
}
