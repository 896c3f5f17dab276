import SpindleModel
import SpindleReports
import Testing

/// Times between two points, and shares above a limit.
extension ExpectationTests {
  private static func span(_ start: String, _ end: String) -> Measure.Span {
    Measure.Span(from: start, to: end)
  }

  static let spanRows = [
    // image0 to image2 end 3, 6 and 4 ms after main submits them at 0: the digit is the key.
    Row(
      "span(image*, image*).max", equal(.spanTime(span("image*", "image*"), .max), duration(6))),
    Row("the same without stars", equal(.spanTime(span("image1", "image1"), .min), duration(6))),
    Row("span(image*, image*).count", equal(.spanCount(span("image*", "image*")), .integer(3))),
    // Without a star on either side starts and ends are taken in their order: 8 - 0 ms, 9 - 0 ms.
    Row("first to first", equal(.spanTime(span("image*", "A"), .max), duration(8))),
    Row("what is left over", equal(.openSpans(span("image*", "A")), .integer(2))),
    Row("mark to mark", equal(.spanTime(span("A", "C"), .mean), duration(1))),
    Row("an end before its start", equal(.spanCount(span("C", "A")), .integer(0))),
    Row(
      "no end", equal(.spanTime(span("C", "A"), .max), duration(1)),
      fails: "no \"A\" came after \"C\""),
    Row(
      "no start", equal(.spanTime(span("Z", "A"), .max), duration(1)),
      fails: "no mark and no item is called \"Z\""),
    Row(
      "share of spans above 3 ms",
      equal(
        .share(
          above: .init(of: .span(span("image*", "image*")), Nanoseconds.milliseconds(3).rawValue)),
        .decimal(FixedDecimal(billionths: 666_666_666)))),
    // Latencies 3, 6 and 4 ms, waits 1, 2 and 3 ms; a time that is the limit is not above it.
    Row(
      "share of latencies above 4 ms",
      equal(
        .share(above: .init(of: .items(.latency, "image*"), Nanoseconds.milliseconds(4).rawValue)),
        .decimal(FixedDecimal(billionths: 333_333_333)))),
    Row(
      "share of waits above 3 ms",
      equal(
        .share(above: .init(of: .items(.wait, "i*"), Nanoseconds.milliseconds(3).rawValue)),
        .decimal(FixedDecimal(billionths: 0)))),
    Row(
      "share of nothing",
      equal(
        .share(above: .init(of: .items(.latency, "x*"), Nanoseconds.milliseconds(3).rawValue)),
        .decimal(FixedDecimal(billionths: 0))), fails: "no \"x*\" ended"),
  ]
}
