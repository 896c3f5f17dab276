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
    _ dependency: Int32, to operation: Int32, at place: Int32, mayRepeat: Bool = true
  ) {
    if mayRepeat && link(from: operation, to: dependency) >= 0 { return }
    let isOpen =
      operations[dependency].state != .finished && !operations[operation].flags.contains(.cancelled)
    let last = operations[operation].lastDependency
    let lastDependent = operations[dependency].lastDependent
    var fresh = Link(
      dependent: operation, dependency: dependency, place: place, tie: nextTie(), isOpen: isOpen)
    (fresh.previousDependency, fresh.previousDependent) = (last, lastDependent)
    let index: Int32
    if freeLinks.count > 0 {
      index = freeLinks.removeLast()
      links[index] = fresh
    } else {
      index = links.append(fresh)
    }
    if last < 0 {
      operations[operation].firstDependency = index
    } else {
      links[last].nextDependency = index
    }
    operations[operation].lastDependency = index
    if lastDependent < 0 {
      operations[dependency].firstDependent = index
    } else {
      links[lastDependent].nextDependent = index
    }
    operations[dependency].lastDependent = index
    if isOpen { operations[operation].unfinished += 1 }
    list(operation)
  }

  /// Takes a dependency back; an operation whose last unfinished one it was is ready then.
  ///
  /// The library of Swift 6.3 on Linux forgets to count it down, so that the operation never gets
  /// ready; Apple's does not, and this is what is done here on every platform.
  mutating func removeDependency(_ dependency: Int32, from operation: Int32) {
    let index = link(from: operation, to: dependency)
    if index < 0 { return }
    if links[index].isOpen && operations[operation].unfinished > 0 {
      operations[operation].unfinished -= 1
    }
    cut(index)
    list(operation)
  }

  /// The dependency of `operation` that has finished: counts it down.
  ///
  /// Returns the operations that may have become ready, in the order in which they were tied.
  mutating func finish(_ operation: Int32) -> [Int32] {
    var found: [Int32] = []
    operations[operation].finishedAt = ties
    // A barrier that all before it have finished is tied since it was added.
    var freed = leaveStretch(operation)
    let before = finish(barrier: operation)
    var index = operations[operation].firstDependent
    while index >= 0 {
      let link = links[index]
      if freed >= 0 && operations[freed].tie < link.tie {
        found.append(freed)
        freed = -1
      }
      if link.isOpen && !retie(index, to: before) {
        links[index].isOpen = false
        if operations[link.dependent].unfinished > 0 {
          operations[link.dependent].unfinished -= 1
          if operations[link.dependent].unfinished == 0 { found.append(link.dependent) }
        }
      }
      index = link.nextDependent
    }
    if freed >= 0 { found.append(freed) }
    return found
  }

  /// A cancelled operation waits for nothing any more.
  mutating func dropUnfinished(of operation: Int32) {
    operations[operation].unfinished = 0
    var index = operations[operation].firstDependency
    while index >= 0 {
      links[index].isOpen = false
      index = links[index].nextDependency
    }
    list(operation)
  }

  /// What an operation depends on, in the order of adding, without barriers.
  func dependencies(of operation: Int32) -> [Int32] {
    var found: [Int32] = []
    var index = operations[operation].firstDependency
    while index >= 0 {
      let dependency = links[index].dependency
      if !operations[dependency].flags.contains(.barrier) { found.append(dependency) }
      index = links[index].nextDependency
    }
    return found
  }

  /// The first dependency that an operation still waits for; -1 for none.
  func firstOpen(of operation: Int32) -> Int32 {
    var index = operations[operation].firstDependency
    while index >= 0 && !links[index].isOpen { index = links[index].nextDependency }
    return index
  }

  /// The tie between two operations; -1 when there is none.
  ///
  /// Walks through what one depends on and through what depends on the other at once: one of the two
  /// lists is short, also where very many depend on one or one on very many.
  private func link(from operation: Int32, to dependency: Int32) -> Int32 {
    var here = operations[operation].firstDependency
    var there = operations[dependency].firstDependent
    while here >= 0 && there >= 0 {
      if links[here].dependency == dependency { return here }
      if links[there].dependent == operation { return there }
      here = links[here].nextDependency
      there = links[there].nextDependent
    }
    return -1
  }

  /// Takes a tie out of both its lists.
  mutating func cut(_ index: Int32) {
    let link = links[index]
    if link.previousDependency < 0 {
      operations[link.dependent].firstDependency = link.nextDependency
    } else {
      links[link.previousDependency].nextDependency = link.nextDependency
    }
    if link.nextDependency < 0 {
      operations[link.dependent].lastDependency = link.previousDependency
    } else {
      links[link.nextDependency].previousDependency = link.previousDependency
    }
    cutDependent(link)
    freeLinks.append(index)
  }

  /// Takes a tie out of the list of what depends on its dependency.
  mutating func cutDependent(_ link: Link) {
    if link.previousDependent < 0 {
      operations[link.dependency].firstDependent = link.nextDependent
    } else {
      links[link.previousDependent].nextDependent = link.nextDependent
    }
    if link.nextDependent < 0 {
      operations[link.dependency].lastDependent = link.previousDependent
    } else {
      links[link.nextDependent].previousDependent = link.previousDependent
    }
  }
}
