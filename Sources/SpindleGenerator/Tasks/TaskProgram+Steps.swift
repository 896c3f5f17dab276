extension TaskProgram {
  /// Statements that print what some concurrent work came to.
  mutating func step() -> String {
    switch below(20) {
    case 14...19: return feature()
    case 0, 1, 2:
      let (name, made) = (fresh("r"), awaited(3))
      values.scope.append(ProgramVariable(name: name, type: .int))
      return "  let \(name) = (\(made)) % 1000\n  print(\"\(name)\", \(name))\n"
    case 3: return lets()
    case 4: return throwing()
    case 5: return cancelled()
    case 6: return stream()
    case 7: return actors()
    case 8: return screen()
    case 9, 10:
      let (name, made) = (fresh("b"), blocking(2))
      values.scope.append(ProgramVariable(name: name, type: .int))
      return "  let \(name) = \(made) % 1000\n  print(\"\(name)\", \(name))\n"
    case 11: return "  \(ordered())\n"
    case 12: return looped()
    default: return failingGroup()
    }
  }

  private mutating func feature() -> String {
    let made = values.random.pick(ProgramFeature.tasks + ProgramFeature.queues)(
      ProgramFeature.Names(
        name: fresh("x") + "n\(seed)", number: number(), text: "\"\"", list: "[0]",
        small: below(4), seed: seed))
    declarations += made.declarations.isEmpty ? "" : made.declarations + "\n"
    return made.statements.split(separator: "\n").map { "  \($0)\n" }.joined()
  }

  private mutating func lets() -> String {
    let names = (0...(1 + below(2))).map { _ in fresh("a") }
    let lines = names.map { name in
      let made = awaited(2)
      // What follows `async let` waits by itself.
      return "  async let \(name) = \(made)\n"
    }
    return lines.joined() + "  print(\"lets\", await [\(names.joined(separator: ", "))])\n"
  }

  private mutating func throwing() -> String {
    let test = values.condition(1)
    return """
        do {
          let value = try await risky\(seed)(\(number()))
          if \(test) { throw Oops\(seed).late }
          print("value", value)
        } catch Oops\(seed).bad(let n) {
          print("bad", n)
        } catch {
          print("caught", error)
        }

      """
  }

  private mutating func cancelled() -> String {
    let name = fresh("t")
    switch below(3) {
    case 0:
      return """
          let \(name) = Task { () -> String in
            do { try await Task.sleep(for: .seconds(60)); return "slept" } catch { return "ended \\(Task.isCancelled)" }
          }
          \(name).cancel()
          print(await \(name).value, \(name).isCancelled)

        """
    case 1:
      return """
          let \(name) = Task { try await Task.sleep(nanoseconds: 60_000_000_000) }
          \(name).cancel()
          print(await \(name).result)

        """
    default:
      return """
          let \(name) = Cell\(seed)()
          let \(name)task = Task {
            await withTaskCancellationHandler {
              while !Task.isCancelled { await Task.yield() }
              \(name).add(1)
            } onCancel: {
              \(name).add(\(number()))
            }
          }
          \(name)task.cancel()
          await \(name)task.value
          print("cell", \(name).sum)

        """
    }
  }

  private mutating func stream() -> String {
    let (name, from) = (fresh("s"), number())
    let sender = values.random.pick([
      "Task { for i in 0..<\(1 + below(4)) { feed.yield(i + first); await Task.yield() }; feed.finish() }",
      "DispatchQueue.global().async { for i in 0..<\(1 + below(4)) { feed.yield(i * first) }; feed.finish() }",
      "for i in [3, 1, 2] { feed.yield(first - i) }; feed.finish()",
    ])
    let test = values.test("one", .int)
    let operation = values.random.pick(["", ".map { $0 + 1 }", ".filter { $0 != 2 }"])
    return """
        let \(name) = AsyncStream<Int> { feed in
          let first = \(from)
          \(sender)
        }
        for await one in \(name)\(operation) where \(test) { print("one", one) }

      """
  }

  private mutating func actors() -> String {
    let (name, index) = (fresh("c"), fresh("i"))
    let work = with(index) { $0.number() }
    let call = values.random.pick([
      "_ = await \(name).add(\(work))", "await \(name).slowly(\(work))",
    ])
    return """
        let \(name) = Counter\(seed)()
        await withTaskGroup(of: Void.self) { group in
          for \(index) in 0..<\(1 + below(5)) { group.addTask { \(call) } }
        }
        print("counter", await \(name).total, await \(name).sorted)

      """
  }

  private mutating func screen() -> String {
    let name = fresh("m")
    return """
        let \(name) = await Screen\(seed)()
        await \(name).show(\(number()))
        async let \(name)more: Void = \(name).show(\(number()))
        await \(name)more
        Task { @MainActor in \(name).show(1) }
        await Task { @MainActor in \(name).show(\(number())) }.value
        print("screen", await MainActor.run { \(name).shown > -2000 })

      """
  }

  private mutating func looped() -> String {
    let (sum, index) = (fresh("v"), fresh("i"))
    let work = with(index) { $0.awaited(1) }
    let leaving = with(index) { $0.values.condition(1) }
    return """
        var \(sum) = 0
        for \(index) in 0..<\(1 + below(4)) {
          if \(leaving) { continue }
          \(sum) = (\(sum) + (\(work))) % 1000
        }
        print("sum", \(sum))

      """
  }

  private mutating func failingGroup() -> String {
    let index = fresh("i")
    let work = with(index) { $0.number() }
    return """
        do {
          let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for \(index) in 0..<\(1 + below(3)) { group.addTask {
              try await risky\(seed)((\(work)) * 3 + \(1 + below(2))) } }
            \(below(2) == 0 ? "group.addTask { throw Oops\(seed).late }" : "group.addTask { 1 }")
            var sum = 0
            for try await one in group { sum += one }
            return sum
          }
          print("group", sum)
        } catch {
          print("group ended by", error)
        }

      """
  }
}
