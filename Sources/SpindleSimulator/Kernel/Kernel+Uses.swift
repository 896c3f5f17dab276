import SpindleModel

/// What the runtimes say of the objects that a step uses besides its own, to a schedule that holds threads.
extension Kernel {
  /// A thread, or what happens outside, uses an object that has a name.
  @inline(__always)
  func uses(
    _ family: StepFamily, _ number: Int32, _ mode: StepMode, name: Int32, by thread: ThreadID
  ) {
    if watchesOrder { use(family, number, mode, by: thread) { name < 0 ? "" : text(name) } }
  }

  /// The same, where the name is not at hand.
  @inline(never)
  func use(
    _ family: StepFamily, _ number: Int32, _ mode: StepMode, by thread: ThreadID,
    called name: () -> String
  ) {
    guard let driver = recorder.driver else { return }
    driver.uses(driver.object(family, number, called: name()), mode, by: thread)
  }

  /// A group is empty: whoever waited for that goes on.
  func groupIsEmpty(_ group: Int32) {
    guard let driver = recorder.driver, let object = driver.object(.group, group) else { return }
    if driver.recordsSteps { driver.recorder.unobserve(2 * Int(object)) }
  }

  /// Takes the thread that a signal wakes out of the list of those that wait for it: the first one, unless a schedule
  /// wants another one.
  mutating func takeWaiter(from list: inout WaitList, of lock: Int32, name: Int32) -> ThreadID {
    guard let driver = recorder.driver, !list.isEmpty, list.head != list.tail else {
      return removeFirst(from: &list)
    }
    recorder.catchUp()
    var (waiters, waiter): ([ThreadID], ThreadID) = ([], list.firstThread)
    while !waiter.isNone {
      waiters.append(waiter)
      waiter = threads[waiter].next
    }
    let object = driver.object(.lock, lock, called: text(name))
    let chosen = waiters[driver.choose(among: waiters, lock: object)]
    remove(chosen, from: &list)
    return chosen
  }
}
