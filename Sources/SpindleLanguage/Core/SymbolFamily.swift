import SpindleModel

/// A list of names that a value can be one of, or, for options, any of together.
enum SymbolFamily: String, Hashable, Sendable, CaseIterable {
  case waitResult = "DispatchTimeoutResult"
  case qualityOfService = "QualityOfService"
  case dispatchQuality = "DispatchQoS"
  case mode = "RunLoop.Mode"
  case runResult = "CFRunLoopRunResult"
  case activities = "CFRunLoopActivity"
  /// One activity, as an observer gets it.
  case activity = "RunLoopActivity"
  case attributes = "DispatchQueue.Attributes"
  case autoreleaseFrequency = "DispatchQueue.AutoreleaseFrequency"
  case workItemFlags = "DispatchWorkItemFlags"
  case processEvent = "DispatchSource.ProcessEvent"
  case timerFlags = "DispatchSource.TimerFlags"
  case operationState = "OperationState"
  case queuePriority = "Operation.QueuePriority"
  case signalName = "Signal"
  case taskPriority = "TaskPriority"
  case yieldResult = "AsyncStream.Continuation.YieldResult"
  case termination = "AsyncStream.Continuation.Termination"
  case clock = "TaskClock"
  case lateJob = "LateJob"
  case schedulingClass = "SchedulingClass"
  case resourceProtocol = "ResourceProtocol"
  case platform = "Platform"
  case outcome = "Outcome"
  case finding = "Finding"

  /// Whether Swift writes a member by its name alone: those of its enums.
  var isWrittenByName: Bool {
    switch self {
    case .waitResult, .qualityOfService, .dispatchQuality, .queuePriority, .termination,
      .yieldResult:
      true
    case .mode, .runResult, .activities, .activity, .attributes, .autoreleaseFrequency,
      .workItemFlags, .processEvent, .timerFlags, .operationState, .signalName, .taskPriority,
      .clock, .lateJob, .schedulingClass, .resourceProtocol, .platform, .outcome, .finding:
      false
    }
  }

  /// What Swift writes in front of a member that is part of what is printed; nil where that is not known.
  var nameAsPart: String? {
    switch self {
    case .waitResult: "Dispatch.DispatchTimeoutResult"
    case .qualityOfService: "Foundation.QualityOfService"
    case .dispatchQuality: "Dispatch.DispatchQoS.QoSClass"
    case .queuePriority: "Foundation.Operation.QueuePriority"
    default: nil
    }
  }

  /// What a member is that has two names: Core Foundation has other ones for two modes, Swift for two priorities.
  ///
  /// Source: swift:stdlib/public/Concurrency/Task.swift, TaskPriority, where both have the same raw value.
  func ownName(_ name: String) -> String {
    switch (self, name) {
    case (.mode, "commonModes"): "common"
    case (.mode, "defaultMode"): "default"
    case (.taskPriority, "userInitiated"): "high"
    case (.taskPriority, "utility"): "low"
    default: name
    }
  }

  /// Whether any text is a name of it: the names of the list are those that all traces know.
  var isOpen: Bool { self == .mode }

  /// The type of its values when a trace names it; nil for what only settings and expectations say.
  var type: ValueType? {
    switch self {
    case .activities, .attributes, .autoreleaseFrequency, .workItemFlags, .processEvent,
      .timerFlags:
      .options(self)
    case .platform, .outcome, .finding: nil
    case .waitResult, .qualityOfService, .dispatchQuality, .mode, .runResult, .activity,
      .operationState, .queuePriority, .signalName, .taskPriority, .yieldResult, .termination,
      .clock, .lateJob, .schedulingClass, .resourceProtocol:
      .symbol(self)
    }
  }

  /// The member that ends like `name`: `.interactive` is short for `.userInteractive`.
  func longer(_ name: String) -> String? {
    guard name.utf8.count > 3 else { return nil }
    let lowered = name.lowercased()
    return members.first { $0.lowercased().hasSuffix(lowered) }
  }

  /// The bits of a member where any of them may be given together; nil when there is no such.
  ///
  /// The bit is the place in `members`; `allActivities` stands for all that come before it.
  func bits(of name: String) -> Int64? {
    guard let place = members.firstIndex(of: name) else { return nil }
    return name == SymbolFamily.all ? (1 << place) - 1 : 1 << place
  }

  /// The one option that stands for several.
  private static let all = "allActivities"

  /// The names, without points.
  var members: [String] {
    switch self {
    case .waitResult: ["success", "timedOut"]
    case .qualityOfService:
      ["userInteractive", "userInitiated", "default", "utility", "background"]
    case .dispatchQuality: SymbolFamily.qualityOfService.members + ["unspecified"]
    case .mode: ["default", "common", "tracking", "eventTracking", "modalPanel"]
    case .runResult: ["finished", "stopped", "timedOut", "handledSource"]
    case .activities:
      [
        "entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit",
        SymbolFamily.all,
      ]
    case .activity:
      ["entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit"]
    case .attributes: DispatchQueueAttributes.names
    case .autoreleaseFrequency: DispatchAutoreleaseFrequency.names
    case .workItemFlags: DispatchWorkItemFlags.names
    case .processEvent: ["exit"]
    case .timerFlags: ["strict"]
    case .operationState: OperationState.allCases.map(\.name)
    case .queuePriority: ["veryLow", "low", "normal", "high", "veryHigh"]
    case .signalName:
      ["SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGTERM", "SIGCHLD"]
    case .taskPriority:
      ["high", "medium", "low", "background", "userInitiated", "utility"]
    case .yieldResult: ["enqueued", "dropped", "terminated"]
    case .termination: ["finished", "cancelled"]
    case .clock: ["continuous", "suspending"]
    case .lateJob: ["goOn", "drop", "skip"]
    case .schedulingClass: ["other", "fifo", "roundRobin"]
    case .resourceProtocol: ResourceProtocol.allCases.map(\.rawValue)
    case .platform: Platform.allCases.map(\.rawValue)
    case .outcome: Outcome.Kind.allCases.map(\.name)
    case .finding: Finding.Kind.allCases.map(\.rawValue)
    }
  }
}
