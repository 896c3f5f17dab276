/// What is run, as lines that `spindle validate` reads: what is called before each; a class and a call; or a question,
/// its designs, and the values that `$` stands for in them.
let caseLines = """
  before: warmUp(20ms)
  case sleeping: sleepers(50, 100ms)
  case sleeping: sleepers(200, 200ms)
  case sleeping: naps(100, 1ms)
  case timers: delays(10, 10ms)
  case timers: delays(40, 5ms)
  case computing: computers(2, 100ms)
  case computing: computers(4, 60ms)
  case computing: computers(16, 15ms)
  case computing: perform(1, 40, 5ms)
  case computing: performUneven(40, 1ms)
  case pools: poolSleeping(60, 10ms)
  case pools: poolComputing(200, 1ms)
  case pools: poolMixed(40, 15ms, 5ms)
  case pools: serialQueues(50, 2, 50ms)
  case pools: serialQueues(200, 1, 150ms)
  case pools: operations(20, 1, 10ms, 2ms)
  case pools: operations(40, 2, 10ms, 2ms)
  case pools: operations(60, 4, 10ms, 2ms)
  case pools: forkJoin(6, 2ms)
  case pools: forkJoin(8, 500us)
  case first uses: poolSleeping(60, 10ms), at first use
  case first uses: poolMixed(40, 15ms, 5ms), at first use
  case first uses: serialQueues(200, 1, 150ms), at first use
  case first uses: operations(60, 4, 10ms, 2ms), at first use
  case first uses: forkJoin(6, 2ms), at first use
  case threads: inTurn(2000)
  case threads: onThreads(1, 200, 100us)
  case threads: onThreads(10, 20, 20us)
  case threads: onSleepingThreads(5, 100, 3ms)
  case locks: lock(2, 50000, 200ns, 1us)
  case locks: lock(4, 25000, 200ns, 1us)
  case locks: lock(2, 80, 1ms, 1ms)
  case locks: lock(4, 40, 1ms, 1ms)
  case locks: lock(8, 100, 200us, 100us)
  case switching: pingPong(4000)
  case switching: barrier(2, 500, 50us)
  case switching: barrier(4, 250, 50us)
  case switching: syncs(4, 1000, 10us, 10us)
  case switching: buffer(2000, 8, 20us, 25us)
  case switching: pipeline(60, 1ms, 1.5ms, 1ms)
  case tiny items: emptyBlocks(50000)
  case tiny items: emptySyncs(200000)
  case tiny items: emptyOperations(3000, 1)
  case tiny items: emptyOperations(3000, 4)
  case tiny items: onQueue(20, 100, 1us)
  question: 50 tasks that wait: a thread each, or one concurrent queue?
  design threads: onSleepingThreads(5, 50, $)
  design queue: onSleepingQueue(5, 50, $)
  values: 3us 10us 30us 100us 300us 1ms 3ms
  question: 50 tasks that compute: in place, on a concurrent queue, or by concurrentPerform?
  design place: inPlace(20, 50, $)
  design queue: onQueue(20, 50, $)
  design perform: perform(20, 50, $)
  values: 100ns 300ns 1us 3us 10us 30us 100us
  question: 10 tasks that compute: in place, or a thread each?
  design place: inPlace(20, 10, $)
  design threads: onThreads(20, 10, $)
  values: 3us 10us 30us 100us 300us 1ms
  question: operations that wait and compute: a limit of 2, or of 8?
  design two: operations($, 2, 10ms, 1ms)
  design eight: operations($, 8, 10ms, 1ms)
  values: 10 20 40
  question: a counter that 2 threads share: behind a lock, or behind a queue?
  design lock: lock(2, 2000, $, 10us)
  design queue: syncs(2, 2000, $, 10us)
  values: 300ns 3us 10us 30us
  """
