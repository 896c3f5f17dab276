/// How many bytes of stack calls and releases take.
///
/// A release that lets go of the last reference ends what that was of, and that lets go of what it holds, one call within
/// the other. Measured with Swift 6.3.1 on Linux, x86-64, code that is not optimised: the longest chain that ends well on
/// 64 KB, 128 KB, 512 KB and 1 MB, which differ by so many bytes a link. Optimised code takes 80 for an instance and for a
/// closure; what the library takes is the same. Darwin is taken to need as much.
enum StackUse {
  /// A frame of the trace's code: an assumption that bounds recursion.
  static let frame: Int64 = 256
  /// What a thread has on its stack before its entry runs.
  static let start: Int64 = 8_192
  /// An instance whose property holds the next.
  static let instance: Int32 = 160
  /// The same of a class with a `deinit`.
  static let instanceWithDeinit: Int32 = 192
  /// The operation or the thread that an instance is, within the instance.
  static let base: Int32 = 32
  /// A closure that takes several values.
  static let closure: Int32 = 96
  /// An array, beside what holds it.
  static let array: Int32 = 144
  /// A dictionary, beside what holds it.
  static let dictionary: Int32 = 160
  /// An operation that depends on the next.
  static let dependency: Int32 = 256
  /// An operation whose completion block holds the next.
  static let completion: Int32 = 112
  /// An operation whose block holds the next.
  static let operation: Int32 = 96
  /// A work item whose block holds the next.
  static let workItem: Int32 = 192
  /// A thread whose block holds the next.
  static let thread: Int32 = 96

  /// Where a release looks whether the stack is large enough: the smallest has 16 KB.
  static let least: Int32 = 4_096
}
