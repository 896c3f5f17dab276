/// Which random Swift programs there are.
enum GeneratedKind: String {
  /// Declarations, values and control flow, without threads.
  case values
  /// Tasks, queues, operations and locks, whose output no timing decides.
  case tasks
}
