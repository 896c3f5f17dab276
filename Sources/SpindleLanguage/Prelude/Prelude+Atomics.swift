extension Prelude {
  /// `Atomic` of the module Synchronization, and the orderings of its operations.
  ///
  /// What an ordering has to do with others' memory is a number: 1 where it acquires, 2 where it releases, and 4 where the
  /// operation changes the value. Source: SE-0410; swift:stdlib/public/Synchronization/Atomics.
  static let atomics = """
    enum AtomicLoadOrdering: Sendable {
      case relaxed, acquiring, sequentiallyConsistent
      @inlined var effect: Int { self == .relaxed ? 0 : 1 }
    }
    enum AtomicStoreOrdering: Sendable {
      case relaxed, releasing, sequentiallyConsistent
      @inlined var effect: Int { self == .relaxed ? 4 : 6 }
    }
    enum AtomicUpdateOrdering: Sendable {
      case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
      var effect: Int {
        switch self {
        case .relaxed: 4
        case .acquiring: 5
        case .releasing: 6
        case .acquiringAndReleasing, .sequentiallyConsistent: 7
        }
      }
    }
    protocol AtomicRepresentable {}
    protocol AtomicOptionalRepresentable: AtomicRepresentable {}
    @handle(unfair) struct Atomic<Value>: Sendable {
      @builtin(lockedState) init(_ value: Value)
      @builtin(atomic) func access<R>(_ effect: Int, _ body: (inout Value) -> R) -> R
      @inlined func load(ordering: AtomicLoadOrdering) -> Value { access(ordering.effect) { $0 } }
      @inlined func store(_ desired: Value, ordering: AtomicStoreOrdering) {
        access(ordering.effect) { $0 = desired }
      }
      @inlined @discardableResult func exchange(
        _ desired: Value, ordering: AtomicUpdateOrdering
      ) -> Value {
        access(ordering.effect) { value in
          let original = value
          value = desired
          return original
        }
      }
    }
    extension Atomic where Value: Equatable {
      @discardableResult func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
      ) -> (exchanged: Bool, original: Value) {
        access(ordering.effect) { value in
          let original = value
          if original != expected { return (exchanged: false, original: original) }
          value = desired
          return (exchanged: true, original: original)
        }
      }
      @discardableResult func compareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering
      ) -> (exchanged: Bool, original: Value) {
        compareExchange(expected: expected, desired: desired, ordering: successOrdering)
      }
      @discardableResult func weakCompareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
      ) -> (exchanged: Bool, original: Value) {
        compareExchange(expected: expected, desired: desired, ordering: ordering)
      }
      @discardableResult func weakCompareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering
      ) -> (exchanged: Bool, original: Value) {
        compareExchange(expected: expected, desired: desired, ordering: successOrdering)
      }
    }
    extension Atomic where Value == Bool {
      \(update("logicalAnd", "Bool", "value && operand"))
      \(update("logicalOr", "Bool", "value || operand"))
      \(update("logicalXor", "Bool", "value != operand"))
    }
    extension Atomic where Value: FixedWidthInteger {
      \(update("add", "Value", "value + operand"))
      \(update("subtract", "Value", "value - operand"))
      \(update("wrappingAdd", "Value", "value &+ operand"))
      \(update("wrappingSubtract", "Value", "value &- operand"))
      \(update("bitwiseAnd", "Value", "value & operand"))
      \(update("bitwiseOr", "Value", "value | operand"))
      \(update("bitwiseXor", "Value", "value ^ operand"))
      \(update("min", "Value", "operand < value ? operand : value"))
      \(update("max", "Value", "operand > value ? operand : value"))
    }
    """

  /// An operation that changes the value, and gives it before and after that.
  private static func update(_ name: String, _ type: String, _ made: String) -> String {
    """
    @discardableResult func \(name)(
      _ operand: \(type), ordering: AtomicUpdateOrdering
    ) -> (oldValue: \(type), newValue: \(type)) {
      access(ordering.effect) { value in
        let old = value
        value = \(made)
        return (oldValue: old, newValue: value)
      }
    }
    """
  }
}
