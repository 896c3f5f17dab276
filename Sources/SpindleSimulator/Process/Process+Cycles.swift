import SpindleModel

/// Instances that nothing holds but each other, when a run ends.
///
/// What holds something and is itself counted, an instance, a closure that one has, an array, or an object of the
/// library with its closures, is known with all that it holds. Whatever has more holders than these are is held from outside: by a name,
/// by a block that waits or runs, by a timer. What can't be reached from there is never given back. A timer that fires
/// for ever, and that only such instances can stop, does not count as outside: it is in the cycle.
extension Process {
  /// Something that is counted.
  private struct Holder: Hashable {
    let value: Int64
    let kind: LifeKind

    init(value: Int64, kind: LifeKind) { (self.value, self.kind) = (value, kind) }

    init(_ object: ObjectKey) {
      (value, kind) = (object.object, .object(object.handle))
    }

    /// The object of the library that it is, nil for others.
    ///
    /// A stream and what feeds it are one.
    var object: ObjectKey? {
      kind.handle.map { handle in
        ObjectKey(handle: handle == .streamInput ? .asyncStream : handle, object: value)
      }
    }
  }

  /// Reports the cycles that live for ever, those together that the same places have made and the same fields hold.
  ///
  /// `objects` are those of the library that only the trace holds. With `tasks`, of these too, only cycles of an
  /// instance and one of them are told, not those that are `known` by their instance. Gives the instances.
  @discardableResult
  mutating func reportNeverReleased(
    _ objects: [ObjectKey: ObjectHolding], through tasks: [ObjectKey]? = nil,
    known: Set<Int64> = []
  ) -> Set<Int64> {
    assert(counts, "cycles are looked for, and nothing is counted")
    let (graph, nodes) = holderGraph(objects, tasks ?? [])
    var order: [[Int]] = []
    var owners: Set<Int64> = []
    var told: [[Int]: (cycle: [HolderGraph.Edge], count: Int)] = [:]
    for cycle in graph.lostCycles {
      if tasks != nil {
        guard nodes[cycle[0].from].kind == .instance, !known.contains(nodes[cycle[0].from].value),
          cycle.contains(where: { nodes[$0.from].object?.handle == .task })
        else { continue }
      }
      owners.insert(nodes[cycle[0].from].value)
      let form = cycle.flatMap { [Int(place(of: nodes[$0.from], objects)), $0.field] }
      if told[form] == nil { order.append(form) }
      told[form, default: (cycle, 0)].count += 1
    }
    for form in order {
      guard let (cycle, count) = told[form] else { continue }
      var steps: [(FindingText.Holding, String?)] = []
      for edge in cycle {
        steps.append((described(nodes[edge.from]), name(ofField: edge.field, nodes[edge.from])))
      }
      var made: [Int32] = []
      var isInRunLoop = false
      for edge in cycle {
        made.append(self.place(of: nodes[edge.from], objects))
        let object = nodes[edge.from].object.flatMap { objects[$0] }
        isInRunLoop = isInRunLoop || object?.isInRunLoop == true
      }
      kernel.report(
        .neverReleased, thread: .none, places: made,
        FindingText.neverReleased(steps, isInRunLoop: isInRunLoop, others: count - 1))
    }
    return owners
  }

  /// All instances and objects, with what they hold, and what that holds.
  private func holderGraph(_ objects: [ObjectKey: ObjectHolding], _ tasks: [ObjectKey]) -> (
    graph: HolderGraph, nodes: [Holder]
  ) {
    var graph = HolderGraph()
    var numbers: [Holder: Int] = [:]
    var nodes: [Holder] = []
    for instance in instances.alive {
      let holder = Holder(value: instance, kind: .instance)
      numbers[holder] = nodes.count
      nodes.append(holder)
      graph.add(holders: holders(of: holder, objects))
    }
    for key in objectHolds.held.filter({ $0.handle != .task }) + tasks where objects[key] != nil {
      numbers[Holder(key)] = nodes.count
      nodes.append(Holder(key))
      graph.add(holders: holders(of: Holder(key), objects))
    }
    var next = 0
    while next < nodes.count {
      for (field, held) in held(by: nodes[next], objects) {
        if numbers[held] == nil {
          numbers[held] = nodes.count
          nodes.append(held)
          graph.add(holders: holders(of: held, objects))
        }
        if let number = numbers[held] { graph.connect(next, number, through: field) }
      }
      next += 1
    }
    return (graph, nodes)
  }

  /// How many hold something.
  private func holders(of holder: Holder, _ objects: [ObjectKey: ObjectHolding]) -> Int {
    if let key = holder.object { return objects[key]?.holders ?? 0 }
    if holder.kind.element != nil { return Int(arrayHolds[Int(holder.value)].holders) }
    if holder.kind == .closure { return Int(frames.key(closure(holder.value))) + 1 }
    let count = Int(instances.instance(holder.value).holders)
    // One is that of the operation or the thread which it is itself.
    guard let key = parent(of: holder.value), objects[key] != nil else { return count }
    return objectHolds.holders(of: key) == 1 ? count - 1 : count
  }

  /// What something holds that is counted, with the number of the field that it stands in.
  private func held(
    by holder: Holder, _ objects: [ObjectKey: ObjectHolding]
  ) -> [(field: Int, held: Holder)] {
    var found: [(Int, Holder)] = []
    func note(_ value: Int64, _ kind: LifeKind, _ field: Int) {
      if isNil(value) { return }
      let holder = Holder(value: value, kind: kind)
      // What the library itself has counts as held from outside.
      if let key = holder.object, objects[key] == nil { return }
      found.append((field, holder.object.map { Holder($0) } ?? holder))
    }
    func noteCaptures(of frame: FrameIndex) {
      let block = Int(frames.block(frame))
      for each in program.owned[block] where each.register.index < blocks[block].captureCount {
        note(frames.registers(frame)[each.register], each.kind, 0)
      }
    }
    if let object = holder.object {
      for frame in objects[object]?.frames ?? [] { noteCaptures(of: frame) }
      for (value, kind) in objects[object]?.values ?? [] { note(value, kind, 0) }
      return found
    }
    if holder.kind.element != nil {
      if let element = arrayHolds[Int(holder.value)].kind?.element {
        for value in arrays[Int(holder.value)] { note(value, element, 0) }
      }
    } else if holder.kind == .closure {
      noteCaptures(of: closure(holder.value))
    } else {
      let fields = program.classes[Int(instances.instance(holder.value).type)].fields
      for (number, field) in fields.enumerated() {
        guard let life = field.life else { continue }
        let record = instances.field(Int32(number), of: holder.value, fields.count)
        note(record.pointee.value, life, number)
      }
    }
    return found
  }

  /// Where something was made; -1 for an array.
  private func place(of holder: Holder, _ objects: [ObjectKey: ObjectHolding]) -> Int32 {
    if let key = holder.object { return objects[key]?.madeAt ?? -1 }
    if holder.kind.element != nil { return -1 }
    if holder.kind == .closure {
      return blocks[Int(frames.block(closure(holder.value)))].entry
    }
    return instances.instance(holder.value).madeAt
  }

  private func described(_ holder: Holder) -> FindingText.Holding {
    if let key = holder.object { return .object(key.handle.name) }
    if holder.kind.element != nil {
      return entryKeys[holder.value] == nil ? .array : .dictionary
    }
    if holder.kind == .closure { return .closure }
    return .instance(kernel.text(instances.instance(holder.value).name))
  }

  /// The name of the field of an instance; nil for what has none.
  private func name(ofField number: Int, _ holder: Holder) -> String? {
    if holder.kind != .instance { return nil }
    let name = program.classes[Int(instances.instance(holder.value).type)].fields[number].name
    return name.isEmpty || name == "super" ? nil : name
  }
}

/// Who holds whom among what is counted.
struct HolderGraph {
  /// Something holds something else, in one of its fields.
  struct Edge: Hashable {
    let from: Int
    let to: Int
    let field: Int
  }

  /// By node: how many hold it from outside.
  private var outside: [Int] = []
  private var edges: [[Edge]] = []

  /// Adds a node that so many hold.
  mutating func add(holders: Int) {
    outside.append(holders)
    edges.append([])
  }

  /// One node holds another one.
  mutating func connect(_ from: Int, _ to: Int, through field: Int) {
    edges[from].append(Edge(from: from, to: to, field: field))
    outside[to] -= 1
    assert(outside[to] >= 0, "node \(to) has fewer holders than hold it")
  }

  /// Of each group of nodes that hold each other, and that nothing from outside leads to, a shortest
  /// cycle through its first node; in the order of these.
  ///
  /// Linear in the graph, but for the cycles.
  var lostCycles: [[Edge]] {
    let kept = reachable(from: outside.indices.filter { outside[$0] > 0 })
    let group = groups(of: kept)
    var found: [[Edge]] = []
    var done: Set<Int> = []
    for node in edges.indices where !kept[node] && done.insert(group[node]).inserted {
      if let cycle = cycle(through: node, group) { found.append(cycle) }
    }
    return found
  }

  private func reachable(from roots: [Int]) -> [Bool] {
    var kept = [Bool](repeating: false, count: edges.count)
    var pending = roots
    for root in roots { kept[root] = true }
    while let node = pending.popLast() {
      for edge in edges[node] where !kept[edge.to] {
        kept[edge.to] = true
        pending.append(edge.to)
      }
    }
    return kept
  }

  /// By node that is not kept: the group of those that it holds and is held by, itself or through others.
  ///
  /// Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
  private func groups(of kept: [Bool]) -> [Int] {
    var group = [Int](repeating: -1, count: edges.count)
    var (order, low) = (group, group)
    var (open, path): ([Int], [(node: Int, next: Int)]) = ([], [])
    var counter = 0
    for start in edges.indices where !kept[start] && order[start] < 0 {
      path.append((start, 0))
      while let (node, next) = path.last {
        if next == 0 {
          (order[node], low[node]) = (counter, counter)
          counter += 1
          open.append(node)
        }
        if next < edges[node].count {
          path[path.count - 1].next += 1
          let to = edges[node][next].to
          if order[to] < 0 {
            path.append((to, 0))
          } else if group[to] < 0 {
            low[node] = min(low[node], order[to])
          }
          continue
        }
        path.removeLast()
        if let above = path.last?.node { low[above] = min(low[above], low[node]) }
        guard low[node] == order[node] else { continue }
        while let member = open.popLast() {
          group[member] = node
          if member == node { break }
        }
      }
    }
    return group
  }

  /// A shortest way from a node back to it within its group; nil where there is none.
  private func cycle(through start: Int, _ group: [Int]) -> [Edge]? {
    var (cameBy, pending): ([Int: Edge], [Int]) = ([:], [start])
    var next = 0
    while next < pending.count, cameBy[start] == nil {
      for edge in edges[pending[next]] where group[edge.to] == group[start] {
        if cameBy[edge.to] != nil { continue }
        cameBy[edge.to] = edge
        pending.append(edge.to)
      }
      next += 1
    }
    var way: [Edge] = []
    var node = start
    while let edge = cameBy[node] {
      way.append(edge)
      node = edge.from
      if node == start { break }
    }
    return way.isEmpty ? nil : way.reversed()
  }
}
