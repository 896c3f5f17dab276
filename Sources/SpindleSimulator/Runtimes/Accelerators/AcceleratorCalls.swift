import SpindleModel

/// Accelerators, as a trace uses them.
extension AcceleratorRuntime {
  mutating func accelerator(
    _ primitive: AcceleratorPrimitive, _ call: Call, _ process: inout Process
  ) -> CallResult {
    switch primitive {
    case .make: make(AcceleratorMakeArguments(call, process), call, &process)
    case .run: run(call, &process)
    }
  }

  /// What a call costs its thread before it has an effect: that of input and output.
  func cost(of primitive: AcceleratorPrimitive, _ process: borrowing Process) -> Int64 {
    switch primitive {
    case .make: 0
    case .run: process.kernel.costs.systemCall.rawValue
    }
  }

  private mutating func make(
    _ arguments: AcceleratorMakeArguments, _ call: Call, _ process: inout Process
  ) -> CallResult {
    if let fault = arguments.fault {
      return process.crash("Fatal error: an accelerator \(fault)", call)
    }
    let name = process.objectName(arguments.name, "Accelerator")
    let made = accelerators.add(
      Record(
        name: name, width: arguments.width, launch: arguments.launch,
        bandwidth: arguments.bandwidth, speed: arguments.speed))
    process.noteMaking(.accelerator, made.raw, name, call, value: arguments.width)
    process.give(made.register, call)
    return .next
  }

  private mutating func run(_ call: Call, _ process: inout Process) -> CallResult {
    let accelerator = Index(register: process.argument(0, call))
    let (work, bytes) = (process.argument(1, call), process.argument(2, call))
    let length =
      work < 0 || bytes < 0 ? -1 : length(work: work, bytes: bytes, on: accelerator)
    if let fault = Arithmetic.fault(ofDuration: work) ?? Arithmetic.fault(ofSize: bytes)
      ?? Arithmetic.fault(ofDuration: length)
    {
      return process.crash("Fatal error: what an accelerator runs \(fault)", call)
    }
    ask(accelerator, call.thread, length: length, &process.kernel)
    return .leftAndDone
  }
}

/// An accelerator that is made.
struct AcceleratorMakeArguments {
  let name: Int64
  let width: Int64
  let launch: Int64
  let bandwidth: Int64?
  let speed: Int64

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    width = process.argument(1, call)
    launch = process.argument(2, call)
    bandwidth = process.given(3, call)
    speed = process.argument(4, call)
  }

  /// What is wrong with values that were computed; nil for nothing.
  var fault: String? {
    if width < 1 { return "needs a width of at least 1" }
    if let bandwidth, bandwidth < 1 { return "needs a bandwidth of more than 0 B a second" }
    if speed < 1 { return "needs a speed of more than 0" }
    return Arithmetic.fault(ofDuration: launch) ?? bandwidth.flatMap(Arithmetic.fault(ofSize:))
  }
}
