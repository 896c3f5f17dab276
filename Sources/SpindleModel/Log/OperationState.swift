/// Where an operation is in its life; the order is the order of the states.
///
/// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, __NSOperationState.
@usableFromInline
package enum OperationState: UInt8, Hashable, Sendable, BitwiseCopyable, Comparable, CaseIterable {
  /// Made, in no queue.
  case initialized
  /// In a queue; waits to become ready, or for its turn.
  case enqueued
  /// Its queue has handed it to dispatch, which has not begun with it.
  case dispatching
  /// `start` runs, or has returned before an asynchronous one said anything.
  case starting
  /// It is under way.
  case executing
  /// Its work is done; who waits for it is being told.
  case finishing
  /// Everybody has been told.
  case finished

  /// The name, as the trace language has it after the point.
  @usableFromInline package var name: String {
    switch self {
    case .initialized: "initialized"
    case .enqueued: "enqueued"
    case .dispatching: "dispatching"
    case .starting: "starting"
    case .executing: "executing"
    case .finishing: "finishing"
    case .finished: "finished"
    }
  }

  @usableFromInline package static func < (left: OperationState, right: OperationState) -> Bool {
    left.rawValue < right.rawValue
  }
}
