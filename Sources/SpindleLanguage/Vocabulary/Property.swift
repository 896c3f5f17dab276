import SpindleModel

/// Something that can be read, and perhaps set, without parentheses.
struct Property: Sendable {
  var name: String
  var type: ValueType
  var get: Getter
  /// nil for what can only be read; finds object and value in its registers, only the value where
  /// there is no object.
  var set: Primitive?
  /// For a property whose type is a closure; finds object and closure, or `noValue` for `nil`, in
  /// its registers, and has a site: each assignment makes an activity.
  var setClosure: Primitive?
  /// Gives the object that a bare name belongs to: `isFinished = true` in an operation's body.
  var owner: Primitive?
  var needsThread = false
  /// Whether a task may leave its thread in it: it needs `await`.
  var suspends = false
  /// Whether it is code of no actor, which leaves the caller's actor even where it need not wait.
  var leavesActor = false
  /// Which values are refused when they are known before the run.
  var limit = Formal.Limit.none
  /// Whether it may be set to nil, which it never is when it is read.
  var takesNil = false

  /// Whether a trace can set it.
  var isSettable: Bool { self.set != nil || setClosure != nil }

  enum Getter: Sendable {
    /// Of an object, or of nothing for a static one.
    case perform(Primitive)
    /// The present virtual time.
    case now
    /// A store by keys: only its elements are values.
    case dictionary
    /// It can only be set.
    case none
    /// Always the same.
    case constant(Int64)
  }
}
