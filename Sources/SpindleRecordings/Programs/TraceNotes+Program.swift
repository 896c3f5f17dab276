import SpindleModel

extension RecordedProgram {
  /// The recording and the program in it, in a sentence.
  package var summary: String {
    "\(TraceNotes.survey(survey)); \(TraceNotes.program(self))"
  }
}

extension TraceNotes {
  /// The comment, with an empty line behind it.
  static func lines(_ program: RecordedProgram, recording: String) -> [String] {
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    var notes = [("imported", "from \(TraceNames.printable(file)), \(program.survey.format.name)")]
    notes.append(("recording", survey(program.survey)))
    notes.append(("program", self.program(program)))
    notes += cores(program)
    notes += queues(program)
    notes += probes(program)
    notes += waits(program)
    notes += repaired(program.survey.counts)
    notes += others(program)
    notes.append(
      (
        "not in it",
        "what the threads compute and why they wait; what switches and wakes cost, which is part "
          + "of the work, so that costs are zero"
      ))
    return text(notes)
  }

  /// A recording in a line.
  static func survey(_ survey: RecordingSurvey) -> String {
    let counts = survey.counts
    let seen = counts.cores.count
    let cores =
      counts.statedCores > seen ? "\(seen) of \(counts.statedCores) cores" : count(seen, "core")
    let threads = survey.threads.count { $0.switches > 0 }
    var text = "\(length(counts.length)), \(cores), \(count(threads, "thread")), "
    text += "\(count(counts.switches, "switch")), \(wakes(counts))"
    return text
  }

  private static func wakes(_ counts: RecordingCounts) -> String {
    let total = counts.wakes > 0 ? counts.wakes : counts.readied
    let text = count(total, "wake")
    guard counts.tellsInterrupts else { return text }
    return "\(text), \(counts.wakesInInterrupts) of them in interrupts"
  }

  static func program(_ program: RecordedProgram) -> String {
    let own = program.threads.filter(\.isProgram)
    let ran = own.reduce(0) { $0 + $1.activity.ran }
    let name = TraceNames.printable(program.choice.name)
    let number = program.choice.process >= 0 ? " (\(program.choice.process))" : ""
    var text =
      "\(name)\(number), \(count(own.count, "thread")) on \(count(program.cores, "core")), "
    text += "\(length(ran)) of work in \(length(program.span.rawValue)), "
    text += "from \(length(program.start.rawValue)) on"
    if program.isCut { text += "; the rest is too much for a trace" }
    return text
  }

  private static func queues(_ program: RecordedProgram) -> [(String, String)] {
    let kinds = program.kinds.kinds
    guard !kinds.isEmpty else { return [] }
    let queues = Set(kinds.map(\.manner.queue)).count
    let items = kinds.reduce(0) { $0 + $1.count }
    var text =
      "\(count(queues, "queue")), \(count(items, "item")) of \(count(kinds.count, "kind")); "
    text += "what workers did between items is at the beginning of the next one"
    let unused = program.unused.rawValue
    if unused > 0 { text += ", \(length(unused)) of workers without an item is left out" }
    return [("queues", text + "; qualities of service and targets of queues were not recorded")]
  }

  private static func probes(_ program: RecordedProgram) -> [(String, String)] {
    guard program.probes > .zero else { return [] }
    let text =
      "\(length(program.probes.rawValue)) that probes in libdispatch took, by the least time from one to the "
      + "next, is not part of the work: '--probes kept' leaves it there"
    return [("probes", text)]
  }

  private static func cores(_ program: RecordedProgram) -> [(String, String)] {
    guard program.survey.format == .instruments else { return [] }
    let slow = program.efficiencyCores
    guard slow > 0 else { return [] }
    let text =
      "\(count(program.cores - slow, "performance core")) and \(count(slow, "efficiency core")), "
      + "all of speed 1: work is as long as it took on the core that it had"
    return [("cores", text)]
  }

  private static func waits(_ program: RecordedProgram) -> [(String, String)] {
    let (own, others) = (program.waits.byProgram, program.waits.byOthers)
    guard own + others > 0 else { return [] }
    var text = "\(own) ended by threads of the program, \(others) by timers, devices and others: io"
    if !program.survey.counts.tellsInterrupts && own > 0 {
      text +=
        "; the recording has no interrupt events, so a timer may be mistaken for a waking thread"
    }
    return [("waits", text)]
  }

  private static func repaired(_ counts: RecordingCounts) -> [(String, String)] {
    var parts: [String] = []
    if counts.inferred > 0 {
      parts.append(
        "\(count(counts.inferred, "switch")) to a thread put in, which was on a core "
          + "without one")
    }
    if counts.wakesMissing > 0 {
      parts.append("\(count(counts.wakesMissing, "wait")) without a recorded end")
    }
    if counts.breaks > 0 {
      parts.append("\(count(counts.breaks, "switch")) of another thread than ran")
    }
    if counts.unordered > 0 { parts.append("\(count(counts.unordered, "event")) out of order") }
    if counts.lost > 0 { parts.append("\(count(counts.lost, "event")) lost when it was recorded") }
    if let first = counts.firstUnread {
      parts.append(
        "\(count(counts.unread, "line")) skipped, the first: \(first.sentence(of: "in it"))")
    }
    return parts.isEmpty ? [] : [("repaired", parts.joined(separator: "; "))]
  }

  private static func others(_ program: RecordedProgram) -> [(String, String)] {
    let own = Set(program.choice.threads)
    let others = program.survey.threads.indices.filter { place in
      !own.contains(place) && program.survey.threads[place].ran > 0
    }
    guard !others.isEmpty else { return [] }
    let ran = others.reduce(0) { $0 + program.survey.threads[$1].ran }
    let text = "\(count(others.count, "other thread")) with \(length(ran)) of work"
    return program.takesOthers
      ? [("beside it", text + ", each at the time at which it was ready, on the program's cores")]
      : [("left out", text + " in all of the recording: '--others threads' takes them in")]
  }
}
