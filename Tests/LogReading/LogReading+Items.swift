extension LogReading {
  /// What becomes of items of work.
  mutating func readItem(_ line: LogLine) -> Bool {
    let isNameless = line.step.form.split(separator: " ").dropFirst().first == "nameless"
    let form = line.step.form.replacing(" nameless", with: "")
    switch form {
    case "submits _", "submits _ to _": submit(line, isNameless)
    case "starts _": start(line, isNameless)
    case "ends _": finish(line, isNameless)
    case "skips _": skip(line, isNameless)
    case "plans _ for _":
      demand(line.quantity("at N") ?? -1 >= line.time, "it is planned for the past")
    case "cancels work item _", "cancels work item", "cancels main", "raises main": break
    case "suspends main", "resumes main": break
    case "suspends _", "resumes _":
      let name = line.step.names[0]
      guard var task = item(name, isNameless) else { return false }
      demand(task.state == .running, "the task does not run")
      let leaves = form.hasPrefix("suspends")
      demand((task.since != nil) == leaves, "the task is on a thread, or is not")
      if let since = task.since { task.served += line.time - since }
      task.since = leaves ? nil : line.time
      set(task, name, isNameless)
    case "enters actor _", "enters the main actor":
      demand(line.quantity("waited N") ?? -1 >= 0, "how long it stood in line")
    case "leaves actor _", "leaves the main actor":
      demand(line.quantity("held N") ?? -1 >= 0, "how long it had the actor")
    case "cancels _", "raises _", "raises _ to background", "raises _ to low", "raises _ to medium",
      "raises _ to high":
      // A signal that is raised is no task.
      let task = item(line.step.names[0], isNameless)
      guard task != nil || line.step.form.hasPrefix("cancels") else { return false }
      demand(task?.state != .over, "the task has ended")
    default: return false
    }
    return true
  }

  private func item(_ name: LogName, _ isNameless: Bool) -> LogItem? {
    isNameless ? nameless[name] : items[name]
  }

  private mutating func set(_ item: LogItem, _ name: LogName, _ isNameless: Bool) {
    if isNameless { nameless[name] = item } else { items[name] = item }
  }

  private mutating func submit(_ line: LogLine, _ isNameless: Bool) {
    let name = line.step.names[0]
    demand(item(name, isNameless) == nil, "\(name) was submitted before")
    let before = LogName(text: name.text, ordinal: name.ordinal - 1)
    demand(name.ordinal == 1 || item(before, isNameless) != nil, "\(name) is not the next")
    itemOrder += 1
    var made = LogItem(submitted: line.time, order: itemOrder)
    if line.step.names.count > 1 { made.executor = line.step.names[1] }
    made.isBarrier = line.has("barrier")
    if !line.has("no kind") { made.kind = line.name("kind _")?.text ?? name.text }
    if let clause = line.attributes.first(where: { $0.form.hasPrefix("operation") }) {
      let number = clause.form.split(separator: "#").dropFirst().first.flatMap { Int($0) } ?? 1
      made.operation = LogName(text: name.text, ordinal: number)
      operationItems[LogName(text: name.text, ordinal: number)] = name
    }
    set(made, name, isNameless)
    numbers.items.submit()
    if let kind = made.kind { numbers.kinds[kind, default: LogItemNumbers()].submit() }
  }

  private mutating func start(_ line: LogLine, _ isNameless: Bool) {
    let name = line.step.names[0]
    guard var found = item(name, isNameless) else { return violate("\(name) was never submitted") }
    demand(found.state == .waiting, "\(name) has begun before")
    let waited = line.quantity("waited N") ?? -1
    demand(waited == line.time - found.submitted, "\(name) waited \(line.time - found.submitted)")
    found.state = .running
    if line.has("a task") { found.since = line.time }
    set(found, name, isNameless)
    numbers.items.start(waited: waited)
    if let kind = found.kind { numbers.kinds[kind]?.start(waited: waited) }
    beginOnExecutor(found, name)
    guard let subject = line.subject, threads[subject] != nil else { return }
    if threads[subject]?.hasRunItem == true { numbers.threadsReused += 1 }
    threads[subject]?.hasRunItem = true
    if !line.has("needs no thread") && !line.has("a task") {
      threads[subject]?.items.append((name, line.time))
    }
  }

  private mutating func finish(_ line: LogLine, _ isNameless: Bool) {
    let name = line.step.names[0]
    guard var found = item(name, isNameless) else { return violate("\(name) was never submitted") }
    demand(found.state == .running, "\(name) does not run")
    let took = line.quantity("latency N") ?? -1
    demand(took == line.time - found.submitted, "\(name) took \(line.time - found.submitted)")
    found.state = .over
    set(found, name, isNameless)
    var service: Int64?
    if !line.has("needs no thread"), !line.has("a task"), let subject = line.subject,
      let inner = threads[subject]?.items.popLast()
    {
      demand(inner.item == name, "\(inner.item) is the innermost item")
      service = line.time - inner.began
    }
    if line.has("a task"), let since = found.since { service = found.served + line.time - since }
    numbers.items.finish(took: took, service: service)
    if let kind = found.kind { numbers.kinds[kind]?.finish(took: took, service: service) }
    endOnExecutor(found)
  }

  private mutating func skip(_ line: LogLine, _ isNameless: Bool) {
    let name = line.step.names[0]
    numbers.items.waiting -= 1
    guard var found = item(name, isNameless) else { return }
    demand(found.state == .waiting, "\(name) has begun before")
    found.state = .over
    set(found, name, isNameless)
    if let kind = found.kind { numbers.kinds[kind]?.waiting -= 1 }
    if let operation = found.operation { finishedOperations.insert(operation) }
  }

  // MARK: Executors

  /// An item begins: serial queues run one at a time and in order, barriers run alone, an operation
  /// queue runs no more than its limit, and no operation before those that it depends on.
  private mutating func beginOnExecutor(_ item: LogItem, _ name: LogName) {
    if let operation = item.operation {
      for dependency in dependencies[operation] ?? [] {
        demand(finishedOperations.contains(dependency), "\(dependency) has not finished")
      }
    }
    let family = item.operation == nil ? "queue" : "operation queue"
    guard let executor = item.executor else { return }
    let key = ObjectKey(family: family, name: executor)
    guard var queue = objects[key] else { return }
    queue.running += 1
    demand(!queue.isSerial || queue.running == 1, "\(executor) is serial and runs \(queue.running)")
    if queue.isSerial {
      demand(item.order > queue.lastOrder, "\(name) overtakes another item of \(executor)")
      queue.lastOrder = item.order
    }
    if let limit = queue.limit, item.operation != nil {
      demand(queue.running <= limit, "\(executor) runs \(queue.running) at once")
    }
    if family == "queue" {
      demand(!queue.hasBarrier, "\(executor) runs a barrier")
      demand(!item.isBarrier || queue.running == 1, "the barrier \(name) is not alone")
      if item.isBarrier { queue.hasBarrier = true }
    }
    objects[key] = queue
  }

  private mutating func endOnExecutor(_ item: LogItem) {
    if let operation = item.operation { finishedOperations.insert(operation) }
    guard let executor = item.executor else { return }
    let family = item.operation == nil ? "queue" : "operation queue"
    let key = ObjectKey(family: family, name: executor)
    objects[key]?.running -= 1
    if item.isBarrier { objects[key]?.hasBarrier = false }
  }
}

extension LogItemNumbers {
  mutating func finish(took: Int64, service length: Int64?) {
    running -= 1
    latency.add(took)
    if let length { service.add(length) }
  }
}
