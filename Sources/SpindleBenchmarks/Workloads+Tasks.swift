/// What tasks, actors and streams cost to simulate.
extension Workloads {
  /// Tasks that are made and awaited, one after the other.
  static let taskAwaited = tasks(
    "task-awaited", unit: "task", top: "",
    body: { "for _ in 0 ..< \($0) { await Task.detached { work(1us) }.value }" })

  /// Calls of an actor that nobody else uses, by a task of the pool.
  static let actorFree = tasks(
    "actor-free", unit: "call", top: "actor Empty { func f() { } }\nlet empty = Empty()",
    body: { "await Task.detached { for _ in 0 ..< \($0) { await empty.f() } }.value" })

  /// Calls of an actor that eight tasks use at once.
  static let actorBusy = tasks(
    "actor-busy", unit: "call", top: "actor Busy { func f() { work(1us) } }\nlet busy = Busy()",
    body: { count in
      """
      await withTaskGroup { group in
          for _ in 0 ..< 8 {
              group.addTask { for _ in 0 ..< \(count / 8) { await busy.f() } }
          }
      }
      """
    })

  /// Elements of a stream, from one task to another.
  static let streamElement = tasks(
    "stream-element", unit: "element",
    top: "let (numbers, input) = AsyncStream.makeStream(of: Int.self)",
    body: { count in
      """
      Task.detached { for i in 0 ..< \(count) { input.yield(i); work(1us) }; input.finish() }
      await Task.detached { for await _ in numbers { } }.value
      """
    })

  private static func tasks(
    _ name: String, unit: String, top: String, body: @escaping @Sendable (Int) -> String
  ) -> Workload {
    Workload(
      name: name, unit: unit, units: 100_000,
      trace: { share in
        """
        machine { platform: .linux; cores: 8; costs: .zero; policy: .fifo }
        \(top)
        main(.tool) {
        \(body(100_000 / share))
        }
        """
      })
  }
}
