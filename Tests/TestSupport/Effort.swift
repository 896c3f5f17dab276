import Foundation

/// How much a run of the tests tries of what could be tried at length.
///
/// Many properties hold for every trace, every seed and every pair of settings. The suite takes a sample
/// of them, the same each time, so that it ends within minutes; with `SPINDLE_EFFORT=whole` in the
/// environment it takes them all.
public enum Effort {
  /// Whether all is tried.
  public static let isWhole = ProcessInfo.processInfo.environment["SPINDLE_EFFORT"] == "whole"

  /// Every `step`th of a list beginning with the one at `first`, or all of it.
  public static func sample<Element>(
    _ all: some Sequence<Element>, oneIn step: Int, from first: Int = 0
  ) -> [Element] {
    all.enumerated().filter { isWhole || $0.offset % step == first % step }.map(\.element)
  }

  /// How many seeds, statements or steps are tried.
  public static func count<Number: BinaryInteger>(_ usual: Number, whole: Number) -> Number {
    isWhole ? whole : usual
  }
}
