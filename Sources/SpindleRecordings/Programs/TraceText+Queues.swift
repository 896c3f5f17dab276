import SpindleModel

/// What a trace calls the queues, groups, semaphores and kinds of items of a recording.
struct DispatchNames {
  var queues: [String] = []
  var groups: [String] = []
  var semaphores: [String] = []
  var kinds: [String] = []
}

/// The queues and items of a recording, as text.
extension TraceText {
  /// What items, groups and semaphores there are; queues only that have items.
  mutating func writeQueues() {
    let queues = program.queues
    let used = Set(program.kinds.kinds.map(\.manner.queue))
    var declarations: [String] = []
    // A queue of the system is seen by its address, and by the names of its workers.
    var roots: [String: String] = [:]
    for (place, queue) in queues.queues.enumerated() {
      let root = queue.path == .root ? roots[queue.quality ?? ""] : nil
      guard used.contains(place), root == nil else {
        dispatch.queues.append(root ?? "")
        continue
      }
      let name = names.unique(Self.name(of: queue))
      dispatch.queues.append(name)
      if queue.path == .root { roots[queue.quality ?? ""] = name }
      declarations.append("let \(name) = \(Self.made(queue))")
    }
    dispatch.groups = Array(repeating: "", count: Int(queues.groups))
    for group in queues.namedGroups {
      dispatch.groups[Int(group)] = names.unique("group")
      declarations.append("let \(dispatch.groups[Int(group)]) = DispatchGroup()")
    }
    for semaphore in queues.semaphores {
      let name = names.unique("semaphore")
      dispatch.semaphores.append(name)
      declarations.append("let \(name) = DispatchSemaphore(value: \(semaphore.value))")
    }
    for kind in program.kinds.kinds {
      let queue = dispatch.queues[kind.manner.queue]
      let word = kind.manner.isSync ? "Sync" : isBarrier(kind.manner) ? "Barrier" : "Item"
      dispatch.kinds.append(names.unique(queue + word))
    }
    if !declarations.isEmpty { lines += [""] + declarations }
    writeArrivals()
  }

  /// What came from outside the program: of a timer, of the kernel, of what was before the recording.
  private mutating func writeArrivals() {
    let kinds = program.kinds
    var moments: [(time: Int64, operations: [ThreadOperation])] = []
    for (place, item) in program.queues.items.enumerated() {
      guard let arrival = item.arrival, let number = kinds[place] else { continue }
      if moments.last?.time != arrival { moments.append((arrival, [])) }
      moments[moments.count - 1].operations.append(
        ThreadOperation(kind: .submit, target: number.kind, length: number.number))
    }
    guard !moments.isEmpty else { return }
    lines += ["", "// Submitted by timers, by devices, or before the recording."]
    for moment in moments {
      let text = FunctionText(FoldedOperation.folded(moment.operations)) {
        statement($0, Int($1), $2)
      }
      lines.append("at(\(Nanoseconds(moment.time))) {")
      lines += text.lines.map { "    " + $0 } + ["}"]
    }
  }

  /// The functions of the items.
  mutating func writeItems() {
    for (place, kind) in program.kinds.kinds.enumerated() {
      let function = dispatch.kinds[place]
      // Names of lists are known before, so that none is taken twice.
      var lists: [String] = []
      for _ in 0..<kind.operations.reduce(0, { $0 + $1.size }) {
        lists.append(names.unique(function + "Lengths"))
      }
      let text = FunctionText(kind.operations, calls: kind.count, name: { lists[$0 - 1] }) {
        statement($0, Int($1), $2)
      }
      lines += [""] + text.lists
      lines.append("func \(function)(\(kind.count == 1 ? "" : "_ i: Int")) {")
      lines += text.lines.map { "    " + $0 } + ["}"]
    }
  }

  /// The submission of an item of a kind.
  func call(_ kind: Int, _ number: String) -> String {
    let (item, manner) = (program.kinds.kinds[kind], program.kinds.kinds[kind].manner)
    let queue = dispatch.queues[manner.queue]
    let body = "{ \(dispatch.kinds[kind])(\(item.count == 1 ? "" : number)) }"
    var arguments: [String] = []
    if let group = manner.group { arguments.append("group: \(dispatch.groups[Int(group)])") }
    if isBarrier(manner) { arguments.append("flags: .barrier") }
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    return "\(queue).\(manner.isSync ? "sync" : "async")\(list) \(body)"
  }

  /// Whether an item is a barrier: on a serial queue all are.
  private func isBarrier(_ manner: ItemKinds.Manner) -> Bool {
    manner.isBarrier && program.queues.queues[manner.queue].path == .concurrent
  }

  private static func name(of queue: RecordedQueues.Queue) -> String {
    if queue.path == .root { return "global" + (queue.quality.map(capitalized) ?? "") }
    let last = queue.label.split(separator: ".").last.map(String.init) ?? ""
    return last.isEmpty ? "queue" : TraceNames.identifier(last)
  }

  private static func capitalized(_ quality: String) -> String {
    let word = quality.dropFirst()
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  static func made(_ queue: RecordedQueues.Queue) -> String {
    if queue.path == .root {
      return "DispatchQueue.global(\(queue.quality.map { "qos: \($0)" } ?? ""))"
    }
    let label = queue.label.isEmpty ? "unlabelled" : TraceNames.printable(queue.label)
    let attributes = queue.path == .concurrent ? ", attributes: .concurrent" : ""
    return "DispatchQueue(label: \"\(label)\"\(attributes))"
  }
}
