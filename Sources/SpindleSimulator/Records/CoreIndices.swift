import SpindleModel

extension Table where Record == CoreRecord {
  /// The record of a core, in place.
  subscript(core: CoreID) -> CoreRecord {
    @inline(__always) _read { yield self[core.index] }
    @inline(__always) nonmutating _modify { yield &self[core.index] }
  }

  /// The record of a core, for several accesses; valid until the table grows.
  @inline(__always)
  func at(_ core: CoreID) -> UnsafeMutablePointer<CoreRecord> { at(core.index) }

  /// The record of a core, checked in debug builds only; see `unchecked(_:)`.
  @inline(__always)
  func unchecked(_ core: CoreID) -> UnsafeMutablePointer<CoreRecord> { unchecked(core.index) }
}

extension IntrusiveList where Links.Record == CoreRecord {
  /// The first core; none where the list is empty.
  @inline(__always) var firstCore: CoreID { CoreID(head) }

  /// Adds a core, which is in no such list, at the end.
  @inline(__always)
  mutating func append(_ core: CoreID, in table: borrowing Table<CoreRecord>) {
    append(core.index, in: table)
  }

  /// Takes a core out, which is in this list.
  @inline(__always)
  mutating func remove(_ core: CoreID, in table: borrowing Table<CoreRecord>) {
    remove(core.index, in: table)
  }

  /// All cores, first to last; stops where the list is torn.
  @inline(__always)
  func cores(in table: borrowing Table<CoreRecord>) -> [CoreID] {
    indices(in: table).map { CoreID($0) }
  }
}
