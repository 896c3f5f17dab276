// What a trace has and Swift has not, so that the text of a trace compiles as a program. A length of time is in
// seconds, as Foundation's is, and a size in bytes.
import Dispatch
import Foundation

typealias Duration = Double
typealias Size = Int

func nanoseconds(_ count: Double) -> Double { count / 1_000_000_000 }
func microseconds(_ count: Double) -> Double { count / 1_000_000 }
func milliseconds(_ count: Double) -> Double { count / 1_000 }
func seconds(_ count: Double) -> Double { count }
func minutes(_ count: Double) -> Double { count * 60 }
func hours(_ count: Double) -> Double { count * 3_600 }
func bytes(_ count: Double) -> Int { Int(count) }
func kilobytes(_ count: Double) -> Int { Int(count * 1_024) }
func megabytes(_ count: Double) -> Int { Int(count * 1_048_576) }
func gigabytes(_ count: Double) -> Int { Int(count * 1_073_741_824) }

var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000 }

func sleep(_ time: Double) { Thread.sleep(forTimeInterval: time) }
func io(_ time: Double) { Thread.sleep(forTimeInterval: time) }
func work(_ time: Double) {
  let end = now + time
  while now < end {}
}
func allocate(_ size: Int) {}
func free(_ size: Int) {}
/// Whether what is marked is printed: where a trace expects its marks.
var printsMarks = false
func mark(_ text: String) { if printsMarks { print(text) } }
func record(_ key: String, _ value: Any) {}

func at(_ time: Double, _ code: @escaping () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: code)
}

/// Names, which Swift gives otherwise or not at all.
extension DispatchQueue {
  func async(
    name: String, group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute code: @escaping () -> Void
  ) { async(group: group, qos: qos, flags: flags, execute: code) }
  func asyncAfter(deadline: DispatchTime, name: String, execute code: @escaping () -> Void) {
    asyncAfter(deadline: deadline, execute: code)
  }
}

extension Thread {
  convenience init(
    name: String? = nil, stackSize: Int = 0, qualityOfService: QualityOfService = .default,
    code: @escaping () -> Void
  ) {
    self.init(block: code)
    self.name = name
    if stackSize > 0 { self.stackSize = stackSize }
    self.qualityOfService = qualityOfService
  }
  static func detachNewThread(name: String, code: @escaping () -> Void) {
    Thread(name: name, code: code).start()
  }
}

extension OperationQueue {
  convenience init(name: String? = nil, maxConcurrentOperationCount: Int) {
    self.init()
    self.name = name
    self.maxConcurrentOperationCount = maxConcurrentOperationCount
  }
  func addOperation(name: String, code: @escaping () -> Void) {
    let operation = BlockOperation(block: code)
    operation.name = name
    addOperation(operation)
  }
}

extension BlockOperation {
  convenience init(name: String, code: @escaping () -> Void) {
    self.init(block: code)
    self.name = name
  }
}

extension String: @retroactive Error {}
