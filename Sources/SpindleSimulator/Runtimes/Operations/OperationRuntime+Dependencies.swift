import SpindleModel

/// What operations depend on.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, _addDependency.
extension OperationRuntime {
  /// Lets an operation depend on another; a second time changes nothing.
  ///
  /// A dependency that has finished counts as met, and a cancelled operation waits for nothing, but
  /// both are listed.
  mutating func addDependency(
    _ dependency: OperationRecord.Index, to operation: OperationRecord.Index, at place: Int32,
    mayRepeat: Bool = true
  ) {
    if mayRepeat && !link(from: operation, to: dependency).isNone { return }
    let isOpen =
      operations[dependency].state != .finished && !operations[operation].flags.contains(.cancelled)
    let index = links.add(
      OperationTie(
        dependent: operation, dependency: dependency, place: place, tie: nextTie(), isOpen: isOpen)
    )
    assert(
      mayRepeat || links[index].tie > 0, "operation \(operation) is tied to \(dependency) twice")
    operations[operation].dependencies.append(index, in: links)
    operations[dependency].dependents.append(index, in: links)
    if isOpen { operations[operation].unfinished += 1 }
    list(operation)
  }

  /// Takes a dependency back; an operation whose last unfinished one it was is ready then.
  ///
  /// The library of Swift 6.3 on Linux forgets to count it down, so that the operation never gets
  /// ready; Apple's does not, and this is what is done here on every platform.
  mutating func removeDependency(
    _ dependency: OperationRecord.Index, from operation: OperationRecord.Index
  ) {
    let index = link(from: operation, to: dependency)
    if index.isNone { return }
    if links[index].isOpen { countDown(operation) }
    cut(index)
    list(operation)
  }

  /// The dependency of `operation` that has finished: counts it down.
  ///
  /// Returns the operations that may have become ready, in the order in which they were tied.
  mutating func finish(_ operation: OperationRecord.Index) -> [OperationRecord.Index] {
    var found: [OperationRecord.Index] = []
    operations[operation].finishedAt = ties
    // A barrier that all before it have finished is tied since it was added.
    var freed = leaveSection(operation)
    let before = finish(barrier: operation)
    var index = operations[operation].dependents.first
    while !index.isNone {
      let link = links[index]
      if !freed.isNone && operations[freed].tie < link.tie {
        found.append(freed)
        freed = .none
      }
      if link.isOpen && !retie(index, to: before) {
        links[index].isOpen = false
        countDown(link.dependent)
        if operations[link.dependent].unfinished == 0 { found.append(link.dependent) }
      }
      index = link.ofDependency.next
    }
    if !freed.isNone { found.append(freed) }
    return found
  }

  /// An operation waits for one less.
  private mutating func countDown(_ operation: OperationRecord.Index) {
    operations[operation].unfinished -= 1
    demand(
      operations[operation].unfinished >= 0,
      "operation \(operation) waits for \(operations[operation].unfinished) others")
  }

  /// A cancelled operation waits for nothing any more.
  mutating func dropUnfinished(of operation: OperationRecord.Index) {
    demand(
      operations[operation].flags.contains(.cancelled),
      "operation \(operation) waits for nothing, and was not cancelled")
    operations[operation].unfinished = 0
    var index = operations[operation].dependencies.first
    while !index.isNone {
      links[index].isOpen = false
      index = links[index].ofDependent.next
    }
    list(operation)
  }

  /// What an operation depends on, in the order of adding, without barriers.
  func dependencies(of operation: OperationRecord.Index) -> [OperationRecord.Index] {
    var found: [OperationRecord.Index] = []
    var index = operations[operation].dependencies.first
    while !index.isNone {
      let dependency = links[index].dependency
      if !operations[dependency].flags.contains(.barrier) { found.append(dependency) }
      index = links[index].ofDependent.next
    }
    return found
  }

  /// How many operations have an operation among their dependencies, and are not over.
  func dependentCount(of operation: OperationRecord.Index) -> Int {
    var (count, link) = (0, operations[operation].dependents.first)
    while !link.isNone {
      if !operations[links[link].dependent].flags.contains(.gone) { count += 1 }
      link = links[link].ofDependency.next
    }
    return count
  }

  /// Whether an operation that is not over has an operation among its dependencies, and so holds it.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, __dependencies; run with Swift 6.3.1.
  func isDependedOn(_ operation: OperationRecord.Index) -> Bool {
    let record = operations.at(operation)
    if record.pointee.flags.contains(.barrier) { return false }
    var link = record.pointee.dependents.first
    while !link.isNone {
      if !operations.at(links[link].dependent).pointee.flags.contains(.gone) { return true }
      link = links[link].ofDependency.next
    }
    return false
  }

  /// Whether a tie of an operation to another one is open still.
  func hasOpenTie(_ operation: OperationRecord.Index) -> Bool {
    var index = operations[operation].dependencies.first
    while !index.isNone && !links[index].isOpen { index = links[index].ofDependent.next }
    return !index.isNone
  }

  /// The first dependency that an operation still waits for; none where it waits for nothing.
  func firstOpen(of operation: OperationRecord.Index) -> OperationTie.Index {
    var index = operations[operation].dependencies.first
    while !index.isNone && !links[index].isOpen { index = links[index].ofDependent.next }
    assert(
      index.isNone || operations[operation].unfinished > 0,
      "operation \(operation) waits for nothing, and a tie of it is open")
    return index
  }

  /// The tie between two operations; none when there is none.
  ///
  /// Walks through what one depends on and through what depends on the other at once: one of the two
  /// lists is short, also where very many depend on one or one on very many.
  private mutating func link(
    from operation: OperationRecord.Index, to dependency: OperationRecord.Index
  )
    -> OperationTie.Index
  {
    var here = operations[operation].dependencies.first
    var there = operations[dependency].dependents.first
    while !here.isNone && !there.isNone {
      if links[here].dependency == dependency { return here }
      if links[there].dependent == operation { return there }
      here = links[here].ofDependent.next
      there = links[there].ofDependency.next
    }
    return .none
  }

  /// Takes a tie out of both its lists.
  mutating func cut(_ index: OperationTie.Index) {
    let link = links[index]
    assert(
      !operations[link.dependency].dependents.isEmpty,
      "nothing depends on operation \(link.dependency), and a tie to it is cut")
    operations[link.dependent].dependencies.remove(index, in: links)
    operations[link.dependency].dependents.remove(index, in: links)
    links.remove(index)
  }
}
