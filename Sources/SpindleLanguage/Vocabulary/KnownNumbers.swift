import SpindleModel

/// The raw values of names in closed lists, and names that the libraries know.
enum KnownNumbers {
  /// The modes of run loops that every trace knows, each with the text that it stands for.
  ///
  /// Source: CFRunLoop.h; UIKit, UIApplication.h; AppKit, NSApplication.h.
  static let modes: [(own: String, raw: String)] = [
    ("default", "kCFRunLoopDefaultMode"), ("common", "kCFRunLoopCommonModes"),
    ("tracking", "UITrackingRunLoopMode"), ("eventTracking", "NSEventTrackingRunLoopMode"),
    ("modalPanel", "NSModalPanelRunLoopMode"),
  ]

  /// Qualities of service, on every platform those of Apple's; Swift on Linux counts from 0 instead.
  ///
  /// A program is compiled before its platform is known.
  /// Source: Foundation/NSObjCRuntime.h, NSQualityOfService; sys/qos.h, qos_class_t.
  static let qualities: [(String, Int64)] = [
    ("userInteractive", 33), ("userInitiated", 25), ("utility", 17), ("background", 9),
    ("default", -1),
  ]

  /// Priorities of operations in their queue.
  ///
  /// Source: swift-corelibs-foundation:Sources/Foundation/Operation.swift, Operation.QueuePriority.
  static let queuePriorities: [(String, Int64)] = [
    ("veryLow", -8), ("low", -4), ("normal", 0), ("high", 4), ("veryHigh", 8),
  ]

  /// The keys of an operation that can be observed, and the short forms of some.
  ///
  /// Source: Apple, Operation, KVO-Compliant Properties;
  /// swift-corelibs-foundation:Sources/Foundation/Operation.swift.
  static let operationKeys = [
    "isFinished", "isExecuting", "isReady", "isCancelled", "isAsynchronous", "dependencies",
    "queuePriority", "completionBlock", "finished", "executing", "ready", "cancelled",
    "isConcurrent", "concurrent", "name", "threadPriority", "qualityOfService",
  ]

  /// The types of clocks, all of which are the virtual time.
  static let clocks: Set<String> = ["ContinuousClock", "SuspendingClock"]

  /// Priorities of tasks.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, TaskPriority.
  static let taskPriorities = TaskPriority.allCases.map { ($0.name, $0.rawNumber) }
}

extension TaskPriority {
  /// What Swift calls its raw value.
  fileprivate var rawNumber: Int64 {
    switch self {
    case .background: 9
    case .low: 17
    case .medium: 21
    case .high: 25
    }
  }
}
