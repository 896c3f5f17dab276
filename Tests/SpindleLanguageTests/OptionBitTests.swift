import SpindleModel
import Testing

@testable import SpindleLanguage

/// The bits of options: what a trace's names compile to is what the simulator takes them for.
@Suite struct OptionBitTests {
  @Test func attributesOfQueues() {
    let bits: [(String, DispatchQueueAttributes)] = [
      ("concurrent", .concurrent), ("initiallyInactive", .initiallyInactive),
    ]
    #expect(SymbolFamily.attributes.members == bits.map(\.0))
    for (name, option) in bits {
      #expect(SymbolFamily.attributes.bits(of: name) == option.rawValue, "\(name)")
    }
  }

  @Test func flagsOfWorkItems() {
    let bits: [(String, DispatchWorkItemFlags)] = [
      ("barrier", .barrier), ("detached", .detached),
      ("assignCurrentContext", .assignCurrentContext), ("noQoS", .noQoS),
      ("inheritQoS", .inheritQoS), ("enforceQoS", .enforceQoS),
    ]
    #expect(SymbolFamily.workItemFlags.members == bits.map(\.0))
    for (name, option) in bits {
      #expect(SymbolFamily.workItemFlags.bits(of: name) == option.rawValue, "\(name)")
    }
  }
}
