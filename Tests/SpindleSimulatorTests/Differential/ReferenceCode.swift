/// A body as a list of steps, so that a thread's place in it is one number.
enum ReferenceStep {
  case work(Int)
  case io(Int)
  case sleep(Int)
  case yield
  case mark(String)
  case lock(Int)
  /// Takes the lock, or marks the text and skips so many steps.
  case lockBefore(Int, SmallLimit, refused: String, skip: Int)
  case unlock(Int)
  case wait(Int, SmallLimit, refused: String)
  case signal(Int)
  case enter(Int)
  case leave(Int)
  case groupWait(Int, SmallLimit, refused: String)
  case notify(Int, SmallExecutor, String, code: Int)
  case conditionWait(Int, SmallLimit)
  case conditionSignal(Int, all: Bool)
  case submit(SmallExecutor, String, group: Int?, code: Int)
  case sync(Int, barrier: Bool, code: Int)
  case detach(String, code: Int)
  case start(Int)
  case join(Int)
  case setPriority(Int, Int)
}

/// All bodies of a program, by number.
struct ReferenceCode {
  private(set) var bodies: [[ReferenceStep]] = []

  /// Adds a body and gives its number.
  mutating func add(_ body: [SmallStatement]) -> Int {
    let steps = self.steps(body)
    bodies.append(steps)
    return bodies.count - 1
  }

  private mutating func steps(_ body: [SmallStatement]) -> [ReferenceStep] {
    var steps: [ReferenceStep] = []
    for statement in body {
      // Two works with nothing between are one.
      if case .work(let more) = statement, case .work(let time)? = steps.last {
        steps[steps.count - 1] = .work(time + more)
      } else {
        steps += self.steps(statement)
      }
    }
    return steps
  }

  /// A condition's lock has the number behind the locks'.
  private static func lock(of condition: Int) -> Int { SmallProgram.locks + condition }

  private mutating func steps(_ statement: SmallStatement) -> [ReferenceStep] {
    switch statement {
    case .work(let time): return [.work(time)]
    case .io(let time): return [.io(time)]
    case .sleep(let time): return [.sleep(time)]
    case .yield: return [.yield]
    case .mark(let name): return [.mark(name)]
    case .locked(let lock, let limit, let body, let refused):
      let inner = steps(body) + [.unlock(lock)]
      if case .never = limit { return [.lock(lock)] + inner }
      return [.lockBefore(lock, limit, refused: refused, skip: inner.count)] + inner
    case .wait(let semaphore, let limit, let refused):
      return [.wait(semaphore, limit, refused: refused)]
    case .signal(let semaphore): return [.signal(semaphore)]
    case .entered(let group, let body): return [.enter(group)] + steps(body) + [.leave(group)]
    case .groupWait(let group, let limit, let refused):
      return [.groupWait(group, limit, refused: refused)]
    case .notify(let group, let executor, let name, let body):
      return [.notify(group, executor, name, code: add(body))]
    case .conditionWait(let condition, let limit, let body):
      let lock = Self.lock(of: condition)
      return [.lock(lock), .conditionWait(condition, limit), .lock(lock)] + steps(body)
        + [.unlock(lock)]
    case .conditionSignal(let condition, let all, let locked):
      let lock = Self.lock(of: condition)
      let signal = ReferenceStep.conditionSignal(condition, all: all)
      return locked ? [.lock(lock), signal, .unlock(lock)] : [signal]
    case .submit(let executor, let name, let group, let body):
      return [.submit(executor, name, group: group, code: add(body))]
    case .sync(let queue, let barrier, let body):
      return [.sync(queue, barrier: barrier, code: add(body))]
    case .detach(let name, let body): return [.detach(name, code: add(body))]
    case .start(let thread): return [.start(thread)]
    case .join(let thread): return [.join(thread)]
    case .setPriority(let thread, let priority): return [.setPriority(thread, priority)]
    }
  }
}
