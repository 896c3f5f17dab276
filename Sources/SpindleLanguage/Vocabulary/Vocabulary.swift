import SpindleModel

/// The members of the trace language, as data: the one place that knows which names exist.
final class Vocabulary: Sendable {
  /// What this version of the language has.
  static let standard = Vocabulary()

  /// Functions and properties that stand alone: `work`, `now`.
  let free: MemberTable
  /// The types, with their initialisers and static members, in the order of the reference.
  let types: [TypeEntry]
  /// The members of objects, by `HandleClass`.
  let instances: [MemberTable]

  private let typeIndex: TextIndex

  /// Creates the vocabulary, with rows of a test's own beside its own.
  init(
    free: [Member] = [], freeProperties: [Property] = [], types: [TypeEntry] = [],
    functions: [HandleClass: [Member]] = [:], properties: [HandleClass: [Property]] = [:]
  ) {
    self.free = MemberTable(
      functions: Self.doing + Self.chance + Self.dispatchFree + Self.signalFree
        + Self.runLoopFree + Self.performs + Self.operationFree + free,
      properties: Self.doingProperties + Self.threadFree + Self.operationFreeProperties
        + freeProperties)
    self.types =
      types + Self.threadTypes + Self.lockTypes + Self.groupTypes + Self.executorTypes
      + Self.queueTypes + Self.workItemTypes + Self.dispatchSourceTypes + Self.appTypes
      + Self.acceleratorTypes
      + Self.runLoopTypes + Self.runLoopItemTypes
      + Self.operationTypes + Self.operationQueueTypes + Self.taskTypes
    var tables: [MemberTable] = []
    for handle in HandleClass.allCases {
      tables.append(
        MemberTable(
          functions: Self.functions(of: handle) + Self.lifetime(of: handle)
            + functions[handle, default: []],
          properties: Self.properties(of: handle) + properties[handle, default: []]))
    }
    instances = tables
    var index = TextIndex()
    for (position, type) in self.types.enumerated() { index.set(type.name, Int32(position)) }
    typeIndex = index
  }

  /// The type with this name, nil when there is none.
  func type(_ name: String) -> TypeEntry? {
    typeIndex.find(name).map { types[Int($0)] }
  }

  /// What every object has.
  private static func lifetime(of handle: HandleClass) -> [Member] {
    let number = Int64(handle.rawValue)
    return [Member("release", [.receiver, .constant(number)], .perform(.object(.release)))]
  }

  private static func functions(of handle: HandleClass) -> [Member] {
    switch handle {
    case .thread: threadFunctions
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore:
      lockFunctions(of: handle)
    case .group: groupFunctions + groupNotifications
    case .threadPerTask, .threadPool, .taskExecutor, .executor: executorFunctions
    case .runLoop: runLoopFunctions
    case .timer: timerFunctions
    case .source: sourceFunctions
    case .port: portFunctions
    case .observer: observerFunctions
    case .runLoopItem: []
    case .queue: queueFunctions
    case .workItem: workItemFunctions
    case .dispatchSource: dispatchSourceFunctions
    case .pipe: pipeFunctions
    case .process, .onceToken: []
    case .operation: operationFunctions
    case .operationQueue: operationQueueFunctions
    case .backgroundTask: []
    case .accelerator: acceleratorFunctions
    case .task: taskFunctions
    case .taskGroup: taskGroupFunctions
    case .continuation: continuationFunctions
    case .streamInput: streamInputFunctions
    case .asyncStream: []
    case .taskResult: taskResultFunctions
    }
  }

  private static func properties(of handle: HandleClass) -> [Property] {
    switch handle {
    case .thread: threadProperties + performThreadProperties
    case .conditionLock: conditionLockProperties
    case .runLoop: runLoopProperties
    case .timer: timerProperties
    case .source: sourceProperties
    case .port: portProperties
    case .observer: observerProperties
    case .queue: queueProperties
    case .workItem: workItemProperties
    case .dispatchSource: dispatchSourceProperties
    case .operation: operationProperties
    case .operationQueue: operationQueueProperties
    case .task: taskProperties
    case .taskGroup: taskGroupProperties
    case .streamInput: streamInputProperties
    case .mutex, .recursive, .condition, .unfair, .readWrite, .semaphore, .group, .threadPerTask,
      .threadPool, .taskExecutor, .executor, .runLoopItem, .pipe, .process, .onceToken,
      .backgroundTask,
      .accelerator, .continuation, .asyncStream, .taskResult:
      []
    }
  }
}

/// Functions and properties with one owner, found by name.
final class MemberTable: Sendable {
  /// All names, in the order of the reference.
  let names: [String]
  private let functions: [[Member]]
  private let properties: [Property]
  /// The place of each name in `functions`, behind which those in `properties` follow.
  private let index: TextIndex

  /// Creates a table; functions of one name are overloads, told apart by their labels.
  init(functions rows: [Member], properties: [Property]) {
    var index = TextIndex()
    var functions: [[Member]] = []
    for row in rows {
      if let known = index.find(row.name) {
        functions[Int(known)].append(row)
      } else {
        index.set(row.name, Int32(functions.count))
        functions.append([row])
      }
    }
    for (position, property) in properties.enumerated() {
      index.set(property.name, Int32(functions.count + position))
    }
    names = functions.map { $0[0].name } + properties.map(\.name)
    (self.functions, self.properties, self.index) = (functions, properties, index)
  }

  /// The overloads with this name, nil when there are none.
  func overloads(_ name: String) -> [Member]? {
    guard let found = index.find(name), found < functions.count else { return nil }
    return functions[Int(found)]
  }

  /// The property with this name, nil when there is none.
  func property(_ name: String) -> Property? {
    guard let found = index.find(name), found >= functions.count else { return nil }
    return properties[Int(found) - functions.count]
  }
}

/// A type of the vocabulary, or something else in front of a point: `app`, `machine`.
struct TypeEntry: Sendable {
  var name: String
  /// What its objects are, nil for a name without objects.
  var handle: HandleClass?
  /// Overloads; none for a name without objects, or for objects that only calls give.
  var initializers: [Member]
  var statics: MemberTable
}
