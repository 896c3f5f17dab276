/// A name of Apple's or of the C library that a trace has not, and what it has instead.
enum ForeignName {
  /// What to say of each.
  static let all: [String: String] = {
    var names: [String: String] = [:]
    for (instead, list) in rows {
      for name in list { names[name] = "a trace has no '\(name)'; \(instead)" }
    }
    return names
  }()

  /// What to say where a name stands for a type: what to write instead, which of a type of an app is another type.
  static func type(_ name: String) -> String? {
    typeRows.first { $0.names.contains(name) }.map { "a trace has no '\(name)'; \($0.instead)" }
      ?? all[name]
  }

  private static let typeRows: [(instead: String, names: [String])] = [
    (
      "write 'Size' where it counts how much it is, or 'Int' for which one",
      ["UIImage", "CGImage", "NSImage", "CIImage", "Data", "NSData", "DispatchData"]
    ),
    ("write 'String', or 'Int' for which one", ["URL", "URLRequest", "NSURL"]),
    (
      "leave it out where its calls are io(80ms) and work(5ms) here, or write 'Int' for which one it is, or a class of"
        + " your own",
      [
        "URLSession", "FileManager", "FileHandle", "JSONDecoder", "JSONEncoder", "UserDefaults",
        "CoreData", "DispatchIO", "NSPersistentContainer", "NSManagedObjectContext",
        "NSManagedObject", "NSFetchRequest", "Bundle", "UIView", "UIViewController", "UITableView",
        "UICollectionView", "UILabel", "NSView", "CALayer", "CATransaction", "UIApplication",
      ]
    ),
  ]

  private static let rows: [(instead: String, names: [String])] = [
    (
      "use OSAllocatedUnfairLock()",
      [
        "os_unfair_lock", "os_unfair_lock_s", "os_unfair_lock_t", "OS_UNFAIR_LOCK_INIT",
        "OSSpinLock",
      ]
    ),
    (
      "write lock.lock() of an OSAllocatedUnfairLock()",
      ["os_unfair_lock_lock", "OSSpinLockLock"]
    ),
    ("write lock.unlock()", ["os_unfair_lock_unlock", "OSSpinLockUnlock"]),
    ("write lock.lockIfAvailable()", ["os_unfair_lock_trylock", "OSSpinLockTry"]),
    (
      "use NSLock(), and a variable beside it for the state",
      ["Synchronization", "ManagedCriticalState", "LockedState"]
    ),
    (
      "use NSLock() or NSRecursiveLock()",
      [
        "pthread_mutex_t", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_unlock",
        "pthread_mutex_trylock", "pthread_mutex_destroy", "PTHREAD_MUTEX_INITIALIZER",
      ]
    ),
    (
      "use NSRecursiveLock(): that is what it comes to",
      ["objc_sync_enter", "objc_sync_exit"]
    ),
    (
      "use ReadWriteLock()",
      [
        "pthread_rwlock_t", "pthread_rwlock_init", "pthread_rwlock_rdlock",
        "pthread_rwlock_wrlock", "pthread_rwlock_unlock", "PTHREAD_RWLOCK_INITIALIZER",
      ]
    ),
    (
      "use NSCondition()",
      [
        "pthread_cond_t", "pthread_cond_init", "pthread_cond_wait", "pthread_cond_signal",
        "pthread_cond_broadcast", "PTHREAD_COND_INITIALIZER",
      ]
    ),
    (
      "use Thread { … }, and start it", ["pthread_create", "pthread_t", "NSThread"]
    ),
    ("name the lock's own type, such as NSLock", ["NSLocking"]),
    (
      "leave '-> Never' out, and end what calls it with 'return' or fatalError(\"…\")", ["Never"]
    ),
    (
      "put the input into a 'param' or an array at the top, and its time into io(5ms)",
      ["readLine"]
    ),
    ("wait for a semaphore that the thread signals at its end", ["pthread_join"]),
    ("use Thread.current", ["pthread_self"]),
    (
      "a thread yields by waiting: Thread.sleep(forTimeInterval: 1us)",
      ["sched_yield", "pthread_yield_np"]
    ),
    ("use Thread.current.qualityOfService", ["qos_class_self", "qos_class_main"]),
    ("write '.userInteractive'", ["QOS_CLASS_USER_INTERACTIVE"]),
    ("write '.userInitiated'", ["QOS_CLASS_USER_INITIATED"]),
    ("write '.default'", ["QOS_CLASS_DEFAULT"]),
    ("write '.utility'", ["QOS_CLASS_UTILITY"]),
    ("write '.background'", ["QOS_CLASS_BACKGROUND"]),
    (
      "use RunLoop.main.observe(.beforeWaiting, repeats: true) { activity in … }",
      ["CFRunLoopObserverCreateWithHandler", "CFRunLoopObserverCreate"]
    ),
    (
      "Int(x) cuts off what is behind the point, and Int(x + 0.5) rounds",
      ["ceil", "floor", "round", "trunc", "lround"]
    ),
    ("write the name of the class, a text", ["type"]),
    (
      "give each object a number of its own, 'let id: Int'; '===' says whether two are the same one",
      ["ObjectIdentifier"]
    ),
    ("write the class itself", ["AnyObject", "AnyClass"]),
    (
      "a range is not a value: give its two ends, as in 'first: Int, last: Int'",
      ["Range", "ClosedRange", "CountableRange", "CountableClosedRange", "PartialRangeFrom"]
    ),
    ("count what is done in a 'var' that a lock or a queue guards", ["Progress"]),
    ("use a 'var' and a lock around it", ["ManagedAtomic", "OSAtomicIncrement32"]),
    (
      "use the queue's own: queue.async { … }",
      [
        "dispatch_async", "dispatch_get_main_queue", "dispatch_get_global_queue",
        "dispatch_queue_create",
      ]
    ),
    (
      "a key is a text: queue.setSpecific(key: \"k\", value: 1), DispatchQueue.getSpecific(key: \"k\")",
      ["DispatchSpecificKey"]
    ),
    (
      "what comes with each frame is 'every(16.67ms) { i in … }' at the top, or a Timer",
      ["CADisplayLink", "CVDisplayLink"]
    ),
    ("use queue.sync { … }", ["dispatch_sync", "dispatch_barrier_sync"]),
    ("use queue.async(flags: .barrier) { … }", ["dispatch_barrier_async"]),
    ("use queue.asyncAfter(deadline: .now() + 1s) { … }", ["dispatch_after", "dispatch_time"]),
    ("use DispatchQueue.concurrentPerform(iterations: 8) { i in … }", ["dispatch_apply"]),
    (
      "what is done once is a 'static let' of a class, made when it is first used, or once(token) { … } with a"
        + " DispatchOnce()", ["dispatch_once", "dispatch_once_t"]
    ),
    ("use DispatchSemaphore(value: 1)", ["dispatch_semaphore_create", "dispatch_semaphore_wait"]),
    ("use DispatchGroup()", ["dispatch_group_create", "dispatch_group_async"]),
    ("use OperationQueue()", ["NSOperationQueue"]),
    ("use Port()", ["NSMachPort", "NSPort", "MachPort"]),
    (
      "use Operation(name: \"name\") { … }",
      ["NSOperation", "NSBlockOperation", "NSInvocationOperation"]
    ),
    ("say how long it sleeps, such as sleep(5ms)", ["usleep", "nanosleep"]),
    (
      "the source alone gets the signal: leave this line out",
      ["signal", "sigaction", "SIG_IGN", "SIG_DFL"]
    ),
    ("the process sends itself a signal by 'raise(.SIGINT)'", ["kill", "getpid", "pthread_kill"]),
    (
      "keep an array in a 'var' at the top of the trace: var results = [0, 0, 0]",
      [
        "UnsafeMutablePointer", "UnsafePointer", "UnsafeMutableBufferPointer",
        "UnsafeBufferPointer",
        "UnsafeMutableRawPointer", "UnsafeRawPointer", "ContiguousArray", "ArraySlice",
      ]
    ),
    ("make a class of your own: 'class Token { }', and Token()", ["NSObject"]),
    (
      "a moment is printed as it is: print(Date())",
      ["DateFormatter", "ISO8601DateFormatter", "DateComponentsFormatter", "Calendar"]
    ),
    ("write the value alone, and its type: 'let x: Int? = 1'", ["Optional"]),
    ("a length of time is written with its unit: sleep(1us * n)", ["useconds_t"]),
    (
      "the present moment is 'now', and 'now - start' the time since",
      [
        "CACurrentMediaTime", "CFAbsoluteTimeGetCurrent", "mach_absolute_time",
        "clock_gettime",
      ]
    ),
    (
      "the number of cores is a 'param cores = 4', which the machine has too: machine { cores: cores }; the present"
        + " moment is 'now'", ["ProcessInfo"]
    ),
    (
      "there is 'await MainActor.run { }', and 'MainActor.assumeIsolated { }' for what is on the main actor"
        + " already", ["MainActor"]
    ),
    (
      "a length of time is written with its unit, such as 1s",
      ["NSEC_PER_SEC", "NSEC_PER_MSEC", "USEC_PER_SEC", "NSEC_PER_USEC"]
    ),
    (
      "io(80ms, queue: queue) { } reads or writes without holding a thread, and then hands the closure to the queue",
      ["DispatchIO"]
    ),
    (
      "say what it costs: io(80ms) waits, work(5ms) computes, allocate(4MB) takes memory, "
        + "free(4MB) gives it back",
      [
        "URLSession", "URLRequest", "URL", "Data", "FileManager", "FileHandle", "UIImage",
        "CGImage",
        "JSONDecoder", "JSONEncoder", "UserDefaults", "CoreData",
        "NSPersistentContainer", "NSManagedObjectContext", "NSManagedObject", "NSFetchRequest",
        "DispatchData", "Bundle", "NSData",
      ]
    ),
    (
      "say what it costs the main thread: work(2ms)",
      [
        "UIView", "UIViewController", "UITableView", "UICollectionView", "UILabel", "NSView",
        "CALayer", "CATransaction",
      ]
    ),
    (
      "there is app.beginBackgroundTask { }, app.endBackgroundTask() and app.enterBackground(); what else it costs "
        + "the main thread is work(2ms)", ["UIApplication"]
    ),
    ("keep a dictionary, and a lock or a queue around it", ["NSCache"]),
    (
      "it is available if the trace declares no 'Notification', 'NotificationCenter', 'Name' and 'NSObjectProtocol' itself",
      ["NotificationCenter", "Notification", "NSNotification", "NSObjectProtocol"]
    ),
    ("use NotificationCenter.default", ["DistributedNotificationCenter", "CFNotificationCenter"]),
    (
      "keep the closure in a 'var' and call it",
      ["PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "AnyCancellable", "Published"]
    ),
    (
      "a value that is set from outside is declared at the top: param images = 10",
      ["parameter", "param", "CommandLine"]
    ),
    ("use print(…)", ["os_log", "Logger", "OSLog", "dump", "debugPrint"]),
    ("use mark(\"…\") to note a moment", ["os_signpost", "OSSignposter"]),
    (
      "use RunLoop's own functions",
      ["CFRunLoopAddTimer", "CFRunLoopAddSource", "CFRunLoopAddObserver"]
    ),
    (
      "use Timer(timeInterval:repeats:) { … }",
      ["CFRunLoopTimerCreate", "CFRunLoopTimerCreateWithHandler"]
    ),
    ("write '.commonModes'", ["kCFRunLoopCommonModes"]),
    ("write '.defaultMode'", ["kCFRunLoopDefaultMode"]),
    ("use Int.random(in: 0 ..< n)", ["arc4random_uniform", "arc4random", "rand"]),
    ("use uniform(2ms, 5ms) for a duration, or Int.random(in: 0 ..< n)", ["random"]),
    ("use Decimal.random(in: 0.0 ... 1.0)", ["drand48", "erand48"]),
    (
      "chance goes by the seed of the trace: trace \"…\" { seed: 7 }",
      ["srand48", "srand", "srandom", "SystemRandomNumberGenerator"]
    ),
    ("count what needs a name of its own, in a 'var' at the top", ["UUID", "NSUUID"]),
    ("go by the index: for i in a.indices { f(a[i], b[i]) }", ["zip"]),
    ("multiply: a * a, or in a loop", ["pow", "exp", "sqrt"]),
    (
      "expectations of a run belong in 'expect { … }', those of code in 'precondition(a == b)'",
      ["XCTAssert", "XCTAssertEqual", "XCTAssertTrue", "XCTAssertFalse", "XCTAssertNil", "XCTFail"]
    ),
    (
      "use a DispatchGroup: enter() in front, leave() for 'fulfill()', and wait(timeout: .now() + 1s)",
      [
        "XCTestExpectation", "XCTWaiter", "expectation", "wait", "waitForExpectations",
        "fulfillment",
      ]
    ),
    (
      "leave it out: app.beginBackgroundTask { } gives none, and app.endBackgroundTask() is given none",
      ["UIBackgroundTaskIdentifier"]
    ),
    (
      "write what is done last in front of 'exit(0)', in a function that does both", ["atexit"]
    ),
    ("use Set<Int>()", ["NSMutableSet", "NSSet"]),
    ("leave it and the point behind it out", ["Swift", "Foundation", "Dispatch"]),
    ("write 0", ["EXIT_SUCCESS"]),
    ("write 1", ["EXIT_FAILURE"]),
    ("it is only allowed in a loop: for i in stride(from: 0, to: 10, by: 2) { }", ["stride"]),
    ("use a name between: let old = a; a = b; b = old", ["swap"]),
    ("use [Int: String]", ["NSDictionary", "NSMutableDictionary"]),
    ("write 'throw' with a text", ["NSError", "NSException"]),
    (
      "two closures or an optional will do", ["Result"]
    ),
  ]
}
