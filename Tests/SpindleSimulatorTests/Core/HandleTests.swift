import SpindleModel
import Testing

@testable import SpindleSimulator

/// What registers hold says again what was put into it.
@Suite struct HandleTests {
  static let numbers: [Int32] = [0, 1, 2, 65_535, 65_536, Int32.max - 1, Int32.max]

  @Test(arguments: numbers, numbers) func aThread(index: Int32, generation: Int32) {
    let handle = ThreadHandle(thread: ThreadID(index), generation: generation)
    #expect(ThreadHandle(handle.value) == handle)
    #expect(handle.value >= 0 && handle.value & 0xFFFF_FFFF == Int64(index))
    #expect(handle.value >> 32 == Int64(generation))
  }

  @Test(arguments: ExecutorHandle.Class.allCases, numbers)
  func anExecutor(class: ExecutorHandle.Class, index: Int32) {
    let handle = ExecutorHandle(`class`, index)
    #expect(ExecutorHandle(handle.value) == handle)
    #expect(handle.value >> 48 == Int64(`class`.rawValue))
    #expect(ExecutorHandle.isOwn(handle.value) == (`class` == .executor))
  }

  @Test func whatIsNoExecutorIsNoticed() async {
    await #expect(processExitsWith: .failure) {
      _ = ExecutorHandle(Int64(ExecutorHandle.Class.allCases.count) << 48)
    }
    await #expect(processExitsWith: .failure) { _ = ExecutorHandle(-1) }
  }
}
