import Testing

extension WarningTests {
  private static func released(_ name: String) -> String {
    "what '\(name)' references is released at the end of this block anyway: leave '.release()' out"
  }

  /// What objects of the library wait for, and what is called of them.
  static let objects = [
    Kind(
      "a work item that is only asked",
      "the work item 'item' is never given to a queue, nor performed",
      "let ⟨item⟩ = DispatchWorkItem { }\nitem.cancel()\nprint(item.isCancelled)",
      silent: "let item = DispatchWorkItem { }\nitem.cancel()\nitem.perform()"),
    Kind(
      "one that a queue is given", "the work item 'item' is never given to a queue, nor performed",
      "let other = DispatchWorkItem { }\nDispatchQueue.main.async(execute: other)\nlet ⟨item⟩ = DispatchWorkItem { }\nitem.cancel()",
      silent: "let item = DispatchWorkItem { }\nDispatchQueue.main.async(execute: item)"),
    Kind(
      "a source that is only prepared",
      "the source 'source' is never resumed, and delivers nothing until then",
      "let ⟨source⟩ = DispatchSource.makeTimerSource()\nsource.setEventHandler { source.cancel() }",
      silent:
        "let source = DispatchSource.makeTimerSource()\nsource.setEventHandler { source.cancel() }\nsource.resume()"
    ),
    Kind(
      "a queue that is made inactive",
      "the queue 'queue' is never activated, and runs nothing until then",
      "let ⟨queue⟩ = DispatchQueue(label: \"q\", attributes: [.concurrent, .initiallyInactive])\nqueue.async { }",
      silent:
        "let queue = DispatchQueue(label: \"q\", attributes: .initiallyInactive)\nqueue.async { }\nqueue.activate()"
    ),
    Kind(
      "a lock that is never given back", "'lock' is locked and never unlocked",
      top: "let lock = NSLock()", "lock.⟨lock⟩()", silent: "lock.lock()\nlock.unlock()"),
    Kind(
      "one that is handed on", "'lock' is locked and never unlocked",
      top: "let lock = NSLock()\nlet other = NSLock()\nfunc free(_ lock: NSLock) { lock.unlock() }",
      "other.lock()\nfree(other)\nlock.⟨lock⟩()", silent: "lock.lock()\nfree(lock)\nfree(other)"),
    Kind(
      "a release at the end of a block", released("group"),
      "let group = DispatchGroup()\nprint(group)\n⟨group.release()⟩",
      silent: "let group = DispatchGroup()\nprint(group)\ngroup.release()\nprint(1)"),
  ]

  static let calls = [
    Kind(
      "a barrier on a global queue",
      "a global queue has no barriers: this is submitted like any other work",
      "DispatchQueue.global(qos: .utility).sync(flags: [.enforceQoS, ⟨.barrier⟩]) { }",
      silent: "DispatchQueue(label: \"q\").sync(flags: .barrier) { }"),
    Kind(
      "one that a name keeps",
      "a global queue has no barriers: this is submitted like any other work",
      "let queue = DispatchQueue.global()\nqueue.async(flags: ⟨.barrier⟩) { }",
      silent:
        "let queue = DispatchQueue.global()\nqueue.async { }\nif now > 0s { let queue = DispatchQueue(label: \"q\")\nqueue.async(flags: .barrier) { } }"
    ),
    Kind(
      "a loop in a set of modes",
      "a run loop runs in one mode, and '.common' is a set of modes: this returns at once",
      "_ = RunLoop.current.run(mode: ⟨.common⟩, before: .now() + 1s)",
      silent: "_ = RunLoop.current.run(mode: .default, before: .now() + 1s)"),
    Kind(
      "a format with a value too many", "the format has no place for this, so it is not written",
      "print(String(format: \"%d\", 1, ⟨2⟩))", silent: "print(String(format: \"%d %d\", 1, 2))"),
    Kind(
      "a continuation that is forgotten",
      "nothing in this closure uses its continuation: it is never resumed, and the task waits forever",
      "await ⟨withCheckedContinuation⟩ { (c: CheckedContinuation<Void, Never>) in print(1) }",
      silent:
        "await withCheckedContinuation { (c: CheckedContinuation<Void, Never>) in c.resume() }",
      isAsync: true),
    Kind(
      "a default that is never used",
      "'n' is never nil, since its type is Int: leave '??' and what follows out",
      "let n = 1\nprint(n ⟨??⟩ 2)", silent: "let n = Int(\"1\")\nprint(n ?? 2)"),
    Kind(
      "a timeout that has passed",
      "a timeout is a moment: 2s after the run began, which has passed, since this runs from 2s on; did you mean '.now() + 2s', or 'Instant(2s)'?",
      top: "let done = DispatchSemaphore(value: 0)", "sleep(2s)\n_ = done.wait(timeout: ⟨2s⟩)",
      silent:
        "sleep(2s)\n_ = done.wait(timeout: .now() + 2s)\n_ = done.wait(timeout: Instant(2s))\n_ = done.wait(timeout: 3s)"
    ),
    Kind(
      "a deadline that has passed",
      "a deadline is a moment: 1s after the run began, which has passed, since this runs from 2s on; did you mean '.now() + 1s', or 'Instant(1s)'?",
      "Thread.sleep(forTimeInterval: 2s)\nDispatchQueue.main.asyncAfter(deadline: ⟨1s⟩) { }",
      silent: "if now > 0s { sleep(2s) }\nDispatchQueue.main.asyncAfter(deadline: 1s) { }"),
    Kind(
      "a date in a closure that runs later",
      "'until:' takes a moment: 3s after the run began, which has passed, since this runs from 3s on; did you mean '.now() + 3s', or 'Instant(3s)'?",
      "DispatchQueue.main.asyncAfter(deadline: .now() + 3s) { sleep(until: ⟨3s⟩) }",
      silent: "DispatchQueue.main.async { sleep(until: 3s) }"),
  ]
}
