/// The kinds of dispatch sources.
package enum DispatchSourceClass: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case timer, signal, read, write, process, machReceive, dataAdd, dataOr, dataReplace
}
