extension TypedProgram {
  static let ownAsyncSequences = TypedProgram(
    name: "asynchronous sequences of a program",
    text: #"""
      struct Ticks: AsyncSequence { typealias Element = Int; let n: Int
        struct It: AsyncIteratorProtocol { var left: Int; mutating func next() async throws -> Int? { if left == 0 { throw Bad.end }; left -= 1; return left } }
        func makeAsyncIterator() -> It { It(left: n) } }
      enum Bad: Error { case end }
      struct Plain: AsyncSequence, AsyncIteratorProtocol { var left: Int; mutating func next() async -> String? { if left == 0 { return nil }; left -= 1; return "p\(left)" }; func makeAsyncIterator() -> Plain { self } }
      func sum<S: AsyncSequence>(_ s: S) async throws -> Int where S.Element == Int { var t = 0; for try await x in s { t += x }; return t }
      func body() async {
        do { for try await x in Ticks(n: 2).map({ $0 * 10 }) { print(x) } } catch { print("end", error) }
        do { print(try await Ticks(n: 3).reduce(0, +)) } catch { print("reduce", error) }
        do { print(try await Ticks(n: 3).first { $0 == 1 } ?? -1, try await Ticks(n: 3).prefix(2).reduce(0, +), try await Ticks(n: 3).contains(2)) } catch { print("c", error) }
        print(await Plain(left: 3).map { $0 + "!" }.filter { $0 != "p1!" }.reduce("") { $0 + $1 })
        print(await Plain(left: 3).min() ?? "", await Plain(left: 3).max { $0 < $1 } ?? "", await Plain(left: 2).contains("p0"), await Plain(left: 2).allSatisfy { $0.hasPrefix("p") })
        do { print(try await sum(Ticks(n: 2))) } catch { print("sum", error) }
        do { print(try await sum(AsyncStream { c in c.yield(4); c.yield(5); c.finish() })) } catch { print("no") }
        for await x in Plain(left: 4).dropFirst().prefix(2) { print(x) }
        do { for try await x in Plain(left: 3).map({ (s: String) throws -> Int in if s == "p1" { throw Bad.end }; return s.count }) { print(x) } } catch { print("map", error) }
        let s = AsyncThrowingStream<Int, any Error> { c in c.yield(1); c.finish(throwing: Bad.end) }
        do { for try await x in s.map({ $0 + 1 }).prefix(5) { print(x) } } catch { print("stream", error) }
        await withTaskGroup(of: Int.self) { g in for i in 0 ..< 3 { g.addTask { i } }; print(await g.map { $0 * 2 }.reduce(0, +)) }
        var it = Plain(left: 1).makeAsyncIterator(); print(await it.next() ?? "none", await it.next() ?? "none")
      }
      """#,
    output: [
      #"10"#,
      #"0"#,
      #"end end"#,
      #"reduce end"#,
      #"1 3 true"#,
      #"p2!p0!"#,
      #"p0 p2 true true"#,
      #"sum end"#,
      #"9"#,
      #"p2"#,
      #"p1"#,
      #"2"#,
      #"map end"#,
      #"2"#,
      #"stream end"#,
      #"6"#,
      #"p0 none"#,
    ])
}
