/// The app's life, and the machine's sleep.
@usableFromInline
package enum AppPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// The app leaves the screen.
  case enterBackground
  /// The app comes back to the screen.
  case enterForeground
  /// closure or `noValue` → background task.
  case beginBackgroundTask
  /// background task, or `noValue` for the one that began last of those that go on.
  case endBackgroundTask
  /// duration: the machine sleeps.
  case machineSleep
}
