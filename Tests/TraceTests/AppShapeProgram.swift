/// Programs in the shape of app code, with what swiftc 6.3 prints of them as a module called 'main'.
extension TypedProgram {
  static let failingInitialisers = TypedProgram(
    name: "optional elements, initialisers that fail, memberwise values",
    text: #"""
      struct Settings { var size = 1; var mode = Mode.fast; var title = "x" + "y" }
      enum Mode { case fast, slow }
      struct Even { let n: Int; init?(_ n: Int) { if n % 2 == 1 { return nil }; self.n = n } }
      final class Odd {
          let n: Int
          init?(_ n: Int) { guard n % 2 == 1 else { return nil }; self.n = n }
          deinit { print("end of \(n)") }
      }
      actor Store { var n = 3; func next() -> Int { n += 1; return n } }
      enum Token { case num(Int), op(String) }
      final class Table<Key: Hashable, Value> {
          private var storage: [Key: Value]
          init(label: String, _ initial: [Key: Value] = [:]) { storage = initial }
          var count: Int { storage.count }
      }
      func load(_ n: Int) async throws -> String { if n == 2 { throw CancellationError() }; return "\(n)" }
      func body() async {
          print(Settings(size: 2, mode: .slow), Settings(title: "t").mode)
          print(Even(3) == nil, Even(4)!.n, Odd(4) == nil)
          if let odd = Odd(5) { print(odd.n) }
          let s = Store()
          var n = 0
          await n = s.next()
          await n += s.next()
          print(n)
          let found = await withTaskGroup(of: String?.self) { group -> [String] in
              for n in 1 ..< 4 { group.addTask { try? await load(n) } }
              var names: [String] = []
              var missing = 0
              for await name in group { if let name { names.append(name) } else { missing += 1 } }
              print("missing", missing)
              return names.sorted()
          }
          print(found)
          let (stream, input) = AsyncStream<Int?>.makeStream()
          for x in [1, nil, 3] { input.yield(x) }
          input.finish()
          for await x in stream { print(x as Any) }
          let result = Result { try JSONish.decode("a") }
          if case .failure(let error) = result { print(error) }
          let tokens: [Token] = ["1", "+"].map { t in if let n = Int(t) { return .num(n) }; return .op(t) }
          let ops: [Token] = ["x"].map { .op($0) }
          print(tokens, ops, Table<String, Int>(label: "a").count, Table(label: "b", ["x": 1]).count)
          print((2.5).rounded(), (2.5).rounded(.down), (-2.1).rounded(.up), (2.5).rounded(.toNearestOrEven), (-0.5).rounded(.awayFromZero))
      }
      enum JSONish { struct Bad: Error { let at: Int }; static func decode(_ s: String) throws -> Int { throw Bad(at: 3) } }
      """#,
    output: [
      #"Settings(size: 2, mode: main.Mode.slow, title: "xy") fast"#,
      #"true 4 true"#,
      #"5"#,
      #"end of 5"#,
      #"9"#,
      #"missing 1"#,
      #"["1", "3"]"#,
      #"Optional(1)"#,
      #"nil"#,
      #"Optional(3)"#,
      #"Bad(at: 3)"#,
      #"[main.Token.num(1), main.Token.op("+")] [main.Token.op("x")] 0 1"#,
      #"3.0 2.0 -2.0 2.0 -1.0"#,
    ])

  static let anyValues = TypedProgram(
    name: "values as Any",
    text: #"""
      struct Point: Equatable { var x = 1, y = 2 }
      final class Box { let n = 7 }
      enum Kind { case plain, loaded(Int) }
      protocol Named { var name: String { get } }
      struct Cat: Named { let name: String }
      func name(of value: Any) -> String {
          switch value {
          case let n as Int: return "int \(n)"
          case let s as String where s.isEmpty: return "empty"
          case let s as String: return "text \(s)"
          case is Bool: return "truth"
          case let p as Point: return "point \(p.x)"
          case let named as any Named: return "named \(named.name)"
          case let list as [Int]: return "list \(list.count)"
          default: return "other"
          }
      }
      func body() {
          let values: [Any] = [1, "a", "", true, Point(x: 4), Cat(name: "c"), [1, 2], 2.5, Kind.loaded(3)]
          print(values.map { name(of: $0) })
          print(values[0], values[1], values[4], values[8], values)
          var info: [String: Any] = ["n": 1, "s": "two", "p": Point()]
          info["n"] = (info["n"] as? Int ?? 0) + 1
          print(info["n"] as! Int, info["s"] as? Int as Any, (info["p"] as? Point)?.y ?? -1, info.count)
          let maybe: Int? = 5
          let none: Int? = nil
          let a: Any = maybe as Any, b: Any = none as Any
          print(a as? Int ?? -1, b as? Int ?? -1, a, b)
          var held: Any? = nil
          print(held == nil, held as? String ?? "-")
          held = "now"
          print(held == nil, held as? String ?? "-", held is Int, held is String)
          let box: Any = Box()
          print((box as? Box)?.n ?? 0, box is Point)
          let f: Any = { (n: Int) -> Int in n + 1 }
          if let g = f as? (Int) -> Int { print(g(4)) }
      }
      """#,
    output: [
      #"["int 1", "text a", "empty", "truth", "point 4", "named c", "list 2", "other", "other"]"#,
      #"1 a Point(x: 4, y: 2) loaded(3) [1, "a", "", true, main.Point(x: 4, y: 2), main.Cat(name: "c"), [1, 2], 2.5, main.Kind.loaded(3)]"#,
      #"2 nil 2 3"#,
      #"5 -1 Optional(5) nil"#,
      #"true -"#,
      #"false now false true"#,
      #"7 false"#,
      #"5"#,
    ])
}
