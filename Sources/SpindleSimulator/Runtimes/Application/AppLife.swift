/// A background task: the app's wish to go on for a while when it has left the screen.
struct BackgroundTaskRecord: BitwiseCopyable {
  typealias Index = TableIndex<BackgroundTaskRecord>

  /// What is called when the time is over.
  var handler: Handler
  var isEnded = false
}

/// The life of an app: on the screen, in the background, suspended.
///
/// On iOS an app that leaves the screen has 5 seconds to come to rest, and the machine's background time while
/// it has background tasks; then it is suspended, or killed when it is still at work. Elsewhere there is
/// no limit. Source: developer.apple.com/documentation/uikit/uiapplication,
/// applicationDidEnterBackground(_:) and beginBackgroundTask(expirationHandler:).
struct AppLife: ~Copyable {
  /// How long an app may go on that has left the screen.
  static let grace: Int64 = 5_000_000_000

  var isInBackground = false
  /// When the app left the screen, by the machine's uptime, and where in the trace.
  var leftScreen: Int64 = 0
  var leftAt: Int32 = -1
  /// The housekeeping that ends its time; 0 for none.
  var chore: UInt64 = 0
  /// Whether its expiration handlers are called.
  var isExpiring = false
  /// The task whose expiration handler runs, while it does.
  var expiringTask: BackgroundTaskRecord.Index?
  var tasks: Table<BackgroundTaskRecord>
  /// How many tasks are not ended.
  var openTasks: Int32 = 0

  /// An app on the screen without background tasks.
  init(_ storage: Storage) { tasks = Table(.backgroundTasks, storage) }

  /// Ends a task; false when it was ended before.
  mutating func end(task: BackgroundTaskRecord.Index) -> Bool {
    if tasks[task].isEnded { return false }
    demand(openTasks > 0, "background task \(task.raw) ends, and none is open")
    tasks[task].isEnded = true
    openTasks -= 1
    return true
  }

  /// The task that was begun last and is not ended; nil when there is none.
  var newestTask: BackgroundTaskRecord.Index? {
    var task = Int32(tasks.count) - 1
    while task >= 0 && tasks[task].isEnded { task -= 1 }
    return task < 0 ? nil : BackgroundTaskRecord.Index(task)
  }
}
