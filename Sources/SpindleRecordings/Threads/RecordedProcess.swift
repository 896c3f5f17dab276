/// The threads of a recording that belong together.
package struct RecordedProcess: Hashable, Sendable {
  /// Its number; that of its first thread where the recording has no other.
  package var number: Int32
  /// What it is called.
  package var name: String
  /// Its threads, as places in the list of all.
  package var threads: [Int]
  /// How long they had cores.
  package var ran: Int64
  /// Whether it became another program in the recording.
  package var isProgram: Bool
  /// Whether it belongs to the kernel.
  package var isKernel: Bool

  /// The processes of a recording, by the first of their threads.
  ///
  /// Where the recording does not name the process of a thread, it is that of the thread that created it,
  /// unless it became another program.
  static func all(_ threads: [RecordedThread], names: [Int32: String]) -> [RecordedProcess] {
    var places: [Int32: Int] = [:]
    var processes: [RecordedProcess] = []
    var keys: [Int32] = []
    for (index, thread) in threads.enumerated() {
      let parent = Int(thread.parent)
      let key =
        thread.process >= 0
        ? thread.process
        : thread.isProgram || parent < 0 || parent >= index ? thread.number : keys[parent]
      keys.append(key)
      if let place = places[key] {
        processes[place].threads.append(index)
      } else {
        places[key] = processes.count
        processes.append(
          RecordedProcess(
            number: key, name: "", threads: [index], ran: 0, isProgram: false, isKernel: false))
      }
      guard let place = places[key] else { continue }
      processes[place].ran += thread.ran
      if thread.isProgram { processes[place].isProgram = true }
    }
    for index in processes.indices { processes[index].describe(threads, names) }
    return processes
  }

  private mutating func describe(_ all: [RecordedThread], _ names: [Int32: String]) {
    let main = threads.first { all[$0].number == number } ?? threads[0]
    isKernel = threads.allSatisfy { all[$0].isKernel }
    name = names[number] ?? all[main].name
    if name.isEmpty { name = "\(number)" }
  }
}

/// Which threads of a recording are the program.
package struct ProgramChoice: Hashable, Sendable {
  /// What it is called, with its number where it is one process.
  package var name: String
  /// The number of its process; -1 where it is all threads.
  package var process: Int32
  /// Its threads, as places in the list of all.
  package var threads: [Int]

  /// The process that `name` names, by its number, by its name, or by a thread's name; `all` is every
  /// thread that is not the kernel's.
  ///
  /// Without a name it is the one that computed most of those that became another program in the
  /// recording, or of all; and every thread where the recording knows nothing of processes.
  static func make(
    _ name: String?, _ threads: [RecordedThread], _ processes: [RecordedProcess]
  ) throws -> ProgramChoice {
    let candidates = processes.filter { !$0.isKernel && $0.number > 0 && $0.ran > 0 }
    guard !candidates.isEmpty else {
      throw RecordingMistake(.whole, "no thread of a program runs in it")
    }
    guard let name else { return standard(threads, candidates) }
    if name == "all" { return all(candidates) }
    let named = processes.filter { process in
      process.name == name || "\(process.number)" == name
    }
    let found =
      named.isEmpty
      ? processes.filter { $0.threads.contains { threads[$0].name == name } } : named
    guard let best = found.max(by: { $0.ran < $1.ran }) else {
      let known = candidates.sorted { ($0.ran, $1.number) > ($1.ran, $0.number) }.prefix(5)
        .map { "\($0.name) (\($0.number))" }.joined(separator: ", ")
      throw RecordingMistake(
        .whole, "no process is called '\(name)'; those that computed most are \(known)")
    }
    return ProgramChoice(best)
  }

  private init(_ process: RecordedProcess) {
    (name, self.process, threads) = (process.name, process.number, process.threads)
  }

  private init(name: String, threads: [Int]) {
    (self.name, process, self.threads) = (name, -1, threads)
  }

  private static func standard(
    _ threads: [RecordedThread], _ candidates: [RecordedProcess]
  ) -> ProgramChoice {
    let programs = candidates.filter(\.isProgram)
    let best = (programs.isEmpty ? candidates : programs).max { $0.ran < $1.ran }
    let knowsProcesses = threads.contains { $0.process >= 0 || $0.parent >= 0 }
    guard let best, knowsProcesses else { return all(candidates) }
    return ProgramChoice(best)
  }

  private static func all(_ candidates: [RecordedProcess]) -> ProgramChoice {
    ProgramChoice(name: "all threads", threads: candidates.flatMap(\.threads).sorted())
  }
}
