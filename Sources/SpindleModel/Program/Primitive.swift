/// What a member of the vocabulary does when it is called.
///
/// `perform(primitive, base:)` finds the arguments in the registers from `base` on, in the order
/// that each case lists, and leaves the result, if there is one, in `base`. An argument that the
/// trace leaves out is `noValue`. `deadline` is an instant; `symbol` the number of a name; `kind` an
/// index of `Program.kinds`; `closure` a closure that the primitive takes over. `name` is the
/// object's name in the log, and `noValue` lets the simulator number it.
public enum Primitive: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  // MARK: Doing

  /// duration: holds a core until that much work, given at speed 1, is done.
  case work
  /// duration: blocks the thread; no core is held.
  case io
  /// duration: blocks the thread.
  case sleep
  /// instant: blocks the thread until then; a past moment does not block.
  case sleepUntil
  /// string: writes a line of output.
  case print
  /// string: notes a moment; costs nothing.
  case mark
  /// key (string), value, format (the raw value of a `ValueFormat`): notes a value once.
  case record
  /// Lets another ready thread run.
  case yield
  /// size: takes memory.
  case allocate
  /// size: gives memory back; more than was taken crashes.
  case free
  /// size: takes memory that the innermost autorelease pool of this thread gives back.
  case autorelease
  /// Opens an autorelease pool on this thread.
  case autoreleasePoolPush
  /// Closes the innermost autorelease pool of this thread.
  case autoreleasePoolPop
  /// string: crashes the process.
  case fatalError
  /// code (integer or `noValue`): ends the process.
  case exit

  // MARK: Thread

  /// name, kind, stackSize (size), threadPriority (decimal), qualityOfService (symbol),
  /// joinable (boolean), closure → thread.
  case threadMake
  /// name, kind, closure: makes a detached thread and starts it.
  case threadDetach
  /// thread.
  case threadStart
  /// thread, deadline → symbol `success` or `timedOut`.
  case threadJoin
  /// thread.
  case threadCancel
  /// thread → boolean.
  case threadIsCancelled
  /// thread → boolean.
  case threadIsExecuting
  /// thread → boolean.
  case threadIsFinished
  /// → thread: the one that runs this.
  case threadCurrent
  /// → boolean: whether the main thread runs this.
  case threadIsMainThread
  /// Ends the thread that runs this.
  case threadExit
  /// thread, key (string) → value or `noValue`.
  case threadDictionaryGet
  /// thread, key (string), value or `noValue`.
  case threadDictionarySet
  /// thread → string.
  case threadName
  /// thread, string.
  case threadSetName
  /// thread → size.
  case threadStackSize
  /// thread, size: what the real library would not take is ignored, with a finding.
  case threadSetStackSize
  /// thread → decimal.
  case threadPriority
  /// thread, decimal from 0.0 to 1.0.
  case threadSetPriority
  /// thread → symbol.
  case threadQualityOfService
  /// thread, symbol.
  case threadSetQualityOfService
  /// thread, period (duration), computation (duration), constraint (duration): makes it a real-time
  /// thread; what the real call refuses is ignored, with a finding.
  case threadRealtime

  // MARK: Locks

  /// class (the raw value of a `LockClass`), name, condition (integer or `noValue`) → lock.
  case lockMake
  /// lock.
  case lockLock
  /// lock, deadline → boolean.
  case lockLockBefore
  /// lock → boolean.
  case lockTry
  /// lock.
  case lockUnlock
  /// condition.
  case conditionWait
  /// condition, deadline → boolean.
  case conditionWaitUntil
  /// condition.
  case conditionSignal
  /// condition.
  case conditionBroadcast
  /// condition lock → integer.
  case conditionLockCondition
  /// condition lock, integer.
  case conditionLockLockWhen
  /// condition lock, integer, deadline → boolean.
  case conditionLockLockWhenBefore
  /// condition lock, integer → boolean.
  case conditionLockTryLockWhen
  /// condition lock, integer.
  case conditionLockUnlockWith
  /// read-write lock.
  case readWriteReadLock
  /// read-write lock.
  case readWriteWriteLock
  /// read-write lock → boolean.
  case readWriteTryReadLock
  /// read-write lock → boolean.
  case readWriteTryWriteLock

  // MARK: Semaphores and groups

  /// name, value (integer) → semaphore.
  case semaphoreMake
  /// semaphore, deadline → symbol `success` or `timedOut`.
  case semaphoreWait
  /// semaphore → integer: not 0 when it woke a thread.
  case semaphoreSignal
  /// name → group.
  case groupMake
  /// group.
  case groupEnter
  /// group.
  case groupLeave
  /// group, deadline → symbol `success` or `timedOut`.
  case groupWait

  // MARK: Executors

  /// name, stackSize (size) → executor.
  case threadPerTaskMake
  /// name, width (integer) → executor.
  case threadPoolMake
  /// executor, name, kind, group, closure.
  case executorAsync

  // MARK: Run loops
  //
  // A run loop is named by its thread; `mode` is the number of a mode's name, `modes` an array of them
  // or `noValue`.

  /// → thread: the main one.
  case runLoopMain
  /// thread → thread: the same one.
  case runLoopOfThread
  /// loop: runs it in the default mode until nothing is in the mode.
  case runLoopRun
  /// loop, instant: runs it in the default mode until then, or until nothing is in the mode.
  case runLoopRunUntil
  /// loop, mode, instant → boolean: one run until a source was handled; false when there was none.
  case runLoopRunMode
  /// Runs the thread's own loop in the default mode until it is stopped or nothing is in the mode.
  case runLoopRunCF
  /// mode, duration, boolean (whether to return after a source) → symbol: how the run ended.
  case runLoopRunInMode
  /// loop, mode → instant or `noValue`: one pass without a sleep, then the next timer's date.
  case runLoopLimitDate
  /// loop → mode or `noValue`.
  case runLoopCurrentMode
  /// loop: ends the innermost run.
  case runLoopStop
  /// loop.
  case runLoopWakeUp
  /// loop, mode: the mode is one of the common ones from now on.
  case runLoopAddCommonMode
  /// loop, object, class (the raw value of a `HandleClass`: timer, source or port), mode.
  case runLoopAdd
  /// loop, object, class, mode.
  case runLoopRemove
  /// loop, modes, closure: a block for the next pass; wakes nobody.
  case runLoopPerform
  /// loop, activities (a set of bits), repeats (boolean), order (integer), mode, closure (is given the
  /// activity, a symbol) → observer.
  case runLoopObserve
  /// loop, duration: a finger is down for that long.
  case runLoopTrack

  // MARK: What is added to run loops

  /// name, instant or `noValue`, interval (duration), repeats (boolean), tolerance (duration or
  /// `noValue`), scheduled (0 or 1), closure (is given the timer) → timer.
  case timerMake
  /// timer: calls its closure at once.
  case timerFire
  /// timer.
  case timerInvalidate
  /// timer → boolean.
  case timerIsValid
  /// timer → instant.
  case timerFireDate
  /// timer, instant.
  case timerSetFireDate
  /// timer → duration.
  case timerInterval
  /// timer → duration.
  case timerTolerance
  /// timer, duration.
  case timerSetTolerance
  /// name, order (integer), closure → source.
  case runLoopSourceMake
  /// source.
  case runLoopSourceSignal
  /// source.
  case runLoopSourceInvalidate
  /// source → boolean.
  case runLoopSourceIsValid
  /// name, closure (is given the message, a string) → port.
  case portMake
  /// port, string.
  case portSend
  /// port.
  case portInvalidate
  /// port → boolean.
  case portIsValid
  /// observer.
  case observerInvalidate
  /// observer → boolean.
  case observerIsValid

  // MARK: Performs

  /// thread, waits (boolean), modes, closure.
  case threadPerform
  /// duration, modes, closure: on the thread that runs this, by its run loop.
  case threadPerformAfterDelay
  /// Takes back the delayed performs of the thread that runs this.
  case threadCancelPerforms
  /// duration, loop, mode, closure: input or output that holds no thread; the closure is called in the
  /// loop.
  case ioRunLoop
  // MARK: Dispatch queues

  /// name, qualityOfService (symbol), attributes (bits of `Attributes`), target (queue) → queue.
  case queueMake
  /// → queue: `DispatchQueue.main`.
  case queueMain
  /// qualityOfService (symbol) → queue.
  case queueGlobal
  /// queue → string.
  case queueLabel
  /// queue → symbol: the class of service that it was made with, else `unspecified`.
  case queueQuality
  /// queue, name, kind, group, qualityOfService, flags (bits of `DispatchWorkItemFlags`), closure.
  case queueAsync
  /// queue, group, work item.
  case queueAsyncItem
  /// queue, deadline, name, kind, qualityOfService, flags, closure.
  case queueAsyncAfter
  /// queue, deadline, work item.
  case queueAsyncAfterItem
  /// queue, duration, name, kind, closure: no core and no thread is held; then the closure is handed
  /// to the queue.
  case queueIO
  /// queue, flags: what follows up to `queueSyncLeave` runs on the queue, before the thread goes on.
  case queueSyncEnter
  /// queue.
  case queueSyncLeave
  /// queue, work item: `sync(execute:)`.
  case queueSyncItem
  /// queue.
  case queueSuspend
  /// queue.
  case queueResume
  /// queue.
  case queueActivate
  /// queue, target (queue).
  case queueSetTarget
  /// queue, key (string), value or `noValue`.
  case queueSetSpecific
  /// key (string) → value or `noValue`.
  case queueGetSpecific
  /// queue, closure.
  case queueSetFinalizer
  /// queue or `noValue`, iterations (integer), closure that takes an integer.
  case concurrentPerform
  /// Lets the main thread serve the main queue for ever.
  case dispatchMain
  /// queue: crashes when the thread does not run on it.
  case queuePrecondition
  /// queue: crashes when the thread runs on it.
  case queuePreconditionNot
  /// name → token.
  case onceMake
  /// token → boolean: whether this is the time to run what follows, up to `onceLeave`.
  case onceEnter
  /// token.
  case onceLeave

  // MARK: Work items

  /// name, kind, qualityOfService, flags, closure → work item.
  case workItemMake
  /// work item.
  case workItemPerform
  /// work item.
  case workItemCancel
  /// work item → boolean.
  case workItemIsCancelled
  /// work item, deadline → symbol `success` or `timedOut`.
  case workItemWait
  /// work item, queue, name, kind, qualityOfService, flags, closure.
  case workItemNotify
  /// work item, queue, work item.
  case workItemNotifyItem
  /// group, queue, name, kind, qualityOfService, flags, closure.
  case groupNotify
  /// group, queue, work item.
  case groupNotifyItem

  // MARK: Dispatch sources

  /// class (the raw value of a `DispatchSourceClass`), name, handle or `noValue` (a pipe, a process,
  /// the symbol of a signal), queue or `noValue` → source. For a process a fifth register has the
  /// events (bits of `ProcessEvent`), of which there is only `exit`.
  case sourceMake
  /// source, closure.
  case sourceSetEventHandler
  /// source, closure.
  case sourceSetCancelHandler
  /// source → integer: what the handler is told.
  case sourceData
  /// source, integer.
  case sourceMerge
  /// source, deadline, interval (duration or `noValue`), leeway (duration or `noValue`).
  case sourceSchedule
  /// source.
  case sourceResume
  /// source.
  case sourceActivate
  /// source.
  case sourceSuspend
  /// source.
  case sourceCancel
  /// source → boolean.
  case sourceIsCancelled
  /// name → pipe.
  case pipeMake
  /// pipe, size.
  case pipeWrite
  /// pipe, size → size: how much was there to be read, up to that.
  case pipeRead
  /// symbol: sends a signal to the process itself.
  case raiseSignal
  /// name, duration → process: another process, which ends after that time.
  case processMake
  /// source, integer: sends a message to the port of a Mach receive source.
  case sourceSend

  // MARK: The app's life

  /// The app leaves the screen.
  case appEnterBackground
  /// The app comes back to the screen.
  case appEnterForeground
  /// closure or `noValue` → background task.
  case appBeginBackgroundTask
  /// background task, or `noValue` for the one that began last of those that go on.
  case appEndBackgroundTask
  /// duration: the machine sleeps.
  case machineSleep

  // MARK: Lifetime

  /// object, class (the raw value of a `HandleClass`): gives up the name's hold on the object.
  case objectRelease
  /// object or `noValue`, class (the raw value of a `HandleClass`) → boolean: whether the object
  /// is still there; false for `noValue`.
  case objectIsAlive

  // MARK: Operations

  /// class (1 for a block operation, else 0), name, kind, queuePriority (symbol), threadPriority
  /// (decimal), qualityOfService (symbol), isAsynchronous (boolean), closure or `noValue`, teardown
  /// (closure or `noValue`) → operation.
  case operationMake
  /// operation, closure: one more block.
  case operationAddBlock
  /// operation, another operation: what it depends on, or does not depend on any more.
  case operationAddDependency, operationRemoveDependency
  /// operation → array of operations.
  case operationDependencies
  /// operation: runs it on the caller; cancels it; waits until it is finished.
  case operationStart, operationCancel, operationWait
  /// → operation: the innermost one that this thread runs; crashes when there is none.
  case operationCurrent
  /// → boolean: whether the operation that this thread runs was cancelled, else the thread itself.
  case operationOwnIsCancelled
  /// operation → boolean.
  case operationIsCancelled, operationIsReady, operationIsExecuting, operationIsFinished
  case operationIsAsynchronous
  /// operation, boolean: what an asynchronous one says of itself; nobody is told.
  case operationSetExecuting, operationSetFinished
  /// operation, closure that gives a boolean: a readiness of its own.
  case operationSetReadiness
  /// operation, closure or `noValue`: what runs when it has finished.
  case operationSetCompletion
  /// operation → string, symbol, decimal, symbol.
  case operationName, operationQueuePriority, operationThreadPriority, operationQualityOfService
  /// operation, string.
  case operationSetName
  /// operation, symbol.
  case operationSetQueuePriority, operationSetQualityOfService
  /// operation, decimal from 0.0 to 1.0.
  case operationSetThreadPriority
  /// operation, key (string): no effect, as in the real library; tells observers, dependents and the
  /// queue what a value is now.
  case operationWillChange, operationDidChange
  /// operation: an asynchronous one reports that it has finished.
  case operationFinish

  // MARK: Operation queues

  /// name, maxConcurrentOperationCount (integer or `noValue`), qualityOfService (symbol),
  /// underlyingQueue (dispatch queue or `noValue`) → operation queue.
  case operationQueueMake
  /// → operation queue: the main one; or the one whose operation this thread runs, or `noValue`.
  case operationQueueMain, operationQueueCurrent
  /// operation queue, operation.
  case operationQueueAdd
  /// operation queue, array of operations, boolean: whether to wait until they are finished.
  case operationQueueAddAll
  /// operation queue, name, kind, closure, teardown (closure or `noValue`).
  case operationQueueAddBlock
  /// operation queue, name, kind, closure: a barrier.
  case operationQueueAddBarrier
  /// operation queue, name, kind, group, closure.
  case operationQueueAsync
  /// operation queue: cancels all its operations; waits until it is empty.
  case operationQueueCancelAll, operationQueueWaitAll
  /// operation queue → array of operations.
  case operationQueueOperations
  /// operation queue → integer; the limit is -1 for as many as there is room for.
  case operationQueueCount, operationQueueLimit
  /// operation queue → boolean, string, symbol, dispatch queue or `noValue`.
  case operationQueueIsSuspended, operationQueueName, operationQueueQualityOfService
  case operationQueueUnderlying
  /// operation queue and a value as above.
  case operationQueueSetLimit, operationQueueSetSuspended, operationQueueSetName
  case operationQueueSetQualityOfService, operationQueueSetUnderlying
}

/// The kinds of dispatch sources.
public enum DispatchSourceClass: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case timer, signal, read, write, process, machReceive, dataAdd, dataOr, dataReplace
}
