/// The operations of a queue, in the order of adding.
enum QueueMemberLinks: NeighbourLinks {
  typealias Record = OperationRecord

  static subscript(record: UnsafeMutablePointer<OperationRecord>) -> Neighbours<OperationRecord> {
    @inline(__always) _read { yield record.pointee.members }
    @inline(__always) _modify { yield &record.pointee.members }
  }
}

/// The barriers of a queue that have not finished, in the order of adding.
enum QueueBarrierLinks: NeighbourLinks {
  typealias Record = OperationRecord

  static subscript(record: UnsafeMutablePointer<OperationRecord>) -> Neighbours<OperationRecord> {
    @inline(__always) _read { yield record.pointee.barriers }
    @inline(__always) _modify { yield &record.pointee.barriers }
  }
}

/// The ties of an operation to what it depends on, in order.
enum DependencyLinks: NeighbourLinks {
  typealias Record = OperationTie

  static subscript(record: UnsafeMutablePointer<OperationTie>) -> Neighbours<OperationTie> {
    @inline(__always) _read { yield record.pointee.ofDependent }
    @inline(__always) _modify { yield &record.pointee.ofDependent }
  }
}

/// The ties of an operation to what depends on it, in order.
enum DependentLinks: NeighbourLinks {
  typealias Record = OperationTie

  static subscript(record: UnsafeMutablePointer<OperationTie>) -> Neighbours<OperationTie> {
    @inline(__always) _read { yield record.pointee.ofDependency }
    @inline(__always) _modify { yield &record.pointee.ofDependency }
  }
}

/// The closures of an operation, in order.
enum OperationBlockLinks: NeighbourLinks {
  typealias Record = OperationBlock

  static subscript(record: UnsafeMutablePointer<OperationBlock>) -> Neighbours<OperationBlock> {
    @inline(__always) _read { yield record.pointee.neighbours }
    @inline(__always) _modify { yield &record.pointee.neighbours }
  }
}
