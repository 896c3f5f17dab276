/// The operations of a queue, in the order of adding.
enum QueueMemberLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<OperationRecord>) -> Int32 {
    record.pointee.next.raw
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<OperationRecord>) -> Int32 {
    record.pointee.previous.raw
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationRecord>, next: Int32) {
    record.pointee.next = .init(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationRecord>, previous: Int32) {
    record.pointee.previous = .init(previous)
  }
}

/// The barriers of a queue that have not finished, in the order of adding.
enum QueueBarrierLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<OperationRecord>) -> Int32 {
    record.pointee.nextBarrier.raw
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<OperationRecord>) -> Int32 {
    record.pointee.previousBarrier.raw
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationRecord>, next: Int32) {
    record.pointee.nextBarrier = .init(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationRecord>, previous: Int32) {
    record.pointee.previousBarrier = .init(previous)
  }
}

/// The ties of an operation to what it depends on, in order.
enum DependencyLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<OperationTie>) -> Int32 {
    record.pointee.nextDependency.raw
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<OperationTie>) -> Int32 {
    record.pointee.previousDependency.raw
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationTie>, next: Int32) {
    record.pointee.nextDependency = .init(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationTie>, previous: Int32) {
    record.pointee.previousDependency = .init(previous)
  }
}

/// The ties of an operation to what depends on it, in order.
enum DependentLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<OperationTie>) -> Int32 {
    record.pointee.nextDependent.raw
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<OperationTie>) -> Int32 {
    record.pointee.previousDependent.raw
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationTie>, next: Int32) {
    record.pointee.nextDependent = .init(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationTie>, previous: Int32) {
    record.pointee.previousDependent = .init(previous)
  }
}

/// The closures of an operation, in order.
enum OperationBlockLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<OperationBlock>) -> Int32 {
    record.pointee.next.raw
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<OperationBlock>) -> Int32 {
    record.pointee.previous.raw
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationBlock>, next: Int32) {
    record.pointee.next = .init(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<OperationBlock>, previous: Int32) {
    record.pointee.previous = .init(previous)
  }
}
