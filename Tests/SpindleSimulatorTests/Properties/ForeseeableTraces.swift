/// Random traces in which every burst is known before it begins, so that oracles take them too.
struct ForeseeableTraces {
  private var state: UInt64
  /// All work of the last trace, in units.
  private(set) var work = 0

  /// Creates the generator for a seed.
  init(seed: Int) { state = (UInt64(seed) &+ 77) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  /// Threads of several priorities that compute, wait, lock and yield; a unit is so many microseconds.
  mutating func threads(machine: String, unit: Int) -> String {
    work = 0
    var (declared, started, later) = ("", "", "")
    for thread in 0..<(2 + draw(6)) {
      var body = ""
      for _ in 0..<(1 + draw(5)) {
        let length = 1 + draw(9_000)
        switch draw(6) {
        case 0: body += "    io(\(length * unit)us)\n"
        case 1: body += "    yield()\n"
        case 2:
          body += "    lock.withLock { work(\(length * unit)us) }\n"
          work += length
        case 3:
          let turns = 1 + draw(4)
          body += "    for _ in 0 ..< \(turns) { work(\(length * unit)us); sleep(\(unit)us) }\n"
          work += turns * length
        default:
          body += "    work(\(length * unit)us)\n"
          work += length
        }
      }
      declared +=
        "let t\(thread) = Thread(name: \"t\(thread)\", threadPriority: 0.\(1 + draw(9))) {\n"
        + body + "}\n"
      if draw(2) == 0 {
        started += "    t\(thread).start()\n"
      } else {
        later += "at(\((1 + draw(20_000)) * unit)us) { t\(thread).start() }\n"
      }
    }
    return "\(machine)\nlet lock = NSLock()\n\(declared)\(later)main {\n\(started)}\n"
  }

  /// Jobs that come one after the other and compute once.
  mutating func jobs(machine: String) -> String {
    var text = "\(machine)\nmain { }\n"
    var time = 1
    for job in 0..<(3 + draw(12)) {
      time += draw(12_000)
      text += "at(\(time)us) { Thread.detachNewThread(name: \"job\(job)\") { "
      text += "work(\(1 + draw(20_000))us) } }\n"
    }
    return text
  }
}
