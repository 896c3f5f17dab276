/// Something by which one strand's past gets known to another: who releases it leaves there what it knows,
/// and who acquires it later knows that too.
struct SyncObject: Hashable {
  /// What it is.
  enum Kind: UInt8 {
    /// A lock as its writers and its readers leave it.
    case lock, readers
    case semaphore, group, workItem, once, thread, source, pipe
    /// That something was cancelled: a work item, a thread, a dispatch source.
    case cancellation, threadCancellation, sourceCancellation
    /// A queue as all its items leave it, and as those do behind which all others come.
    case queue, queueBarrier
    /// An operation that has finished, what was set of it, and the blocks of one that has several.
    case operation, operationState, part
    case operationQueue, operationBarrier
    /// Iterations as they begin, and as they end.
    case apply, iterations
    /// A task that has ended, and one that was made ready.
    case task, readyTask
    /// What is counted, as those leave it that let go of it.
    case instanceLife, closureLife, arrayLife
    /// The `deinit` of an instance that waits for the main actor.
    case endOfLife
    case taskState, taskStatus, taskGroup, continuation, stream, actor
    /// A run loop by its thread, and what is signalled by its name.
    case runLoop, signal
    /// An item that was handed over: of a dispatch queue by its place, of any kind by its number.
    case dispatchItem, item
  }

  /// What it is.
  let kind: Kind
  /// Its number among these.
  let number: Int32

  func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(kind.rawValue) << 32 | UInt64(UInt32(bitPattern: number)))
  }
}
