extension Prelude {
  /// Lengths of time, moments, and sizes.
  static let times = """
    @builtin(Duration) struct Duration: Hashable, Comparable, AdditiveArithmetic, Sendable,
      CustomStringConvertible
    {
      static let zero = 0ns
      @builtin(times1000000000) static func seconds(_ count: Int) -> Duration
      @builtin(identity) static func seconds(_ count: Double) -> Duration
      @builtin(times1000000) static func milliseconds(_ count: Int) -> Duration
      @builtin(fraction1000) static func milliseconds(_ count: Double) -> Duration
      @builtin(times1000) static func microseconds(_ count: Int) -> Duration
      @builtin(fraction1000000) static func microseconds(_ count: Double) -> Duration
      @builtin(identity) static func nanoseconds(_ count: Int) -> Duration
      @builtin(add) static func + (a: Duration, b: Duration) -> Duration
      @builtin(subtract) static func - (a: Duration, b: Duration) -> Duration
      @builtin(multiply) static func * (a: Duration, b: Int) -> Duration
      @builtin(multiply) static func * (a: Int, b: Duration) -> Duration
      @builtin(scale) static func * (a: Duration, b: Double) -> Duration
      @inlined static func * (a: Double, b: Duration) -> Duration { b * a }
      @builtin(divide) static func / (a: Duration, b: Int) -> Duration
      @builtin(unscale) static func / (a: Duration, b: Double) -> Duration
      @builtin(ratio) static func / (a: Duration, b: Duration) -> Double
      @builtin(remainder) static func % (a: Duration, b: Duration) -> Duration
      @builtin(negate) static prefix func - (a: Duration) -> Duration
      @builtin(equal) static func == (a: Duration, b: Duration) -> Bool
      @builtin(notEqual) static func != (a: Duration, b: Duration) -> Bool
      @builtin(less) static func < (a: Duration, b: Duration) -> Bool
      @builtin(greater) static func > (a: Duration, b: Duration) -> Bool
      @builtin(lessOrEqual) static func <= (a: Duration, b: Duration) -> Bool
      @builtin(greaterOrEqual) static func >= (a: Duration, b: Duration) -> Bool
      @inlined static func += (a: inout Duration, b: Duration) { a = a + b }
      @inlined static func -= (a: inout Duration, b: Duration) { a = a - b }
      @inlined static func *= (a: inout Duration, b: Int) { a = a * b }
      @inlined static func /= (a: inout Duration, b: Int) { a = a / b }
      @builtin(describe) var description: String { get }
      var components: (seconds: Int64, attoseconds: Int64) {
        let whole = Int64(self / 1s)
        return (whole, Int64((self - 1s * Int(whole)) / 1ns) * 1_000_000_000)
      }
      init(secondsComponent seconds: Int64, attosecondsComponent attoseconds: Int64) {
        self = 1s * Int(seconds) + 1ns * Int(attoseconds / 1_000_000_000)
      }
    }
    typealias DispatchTimeInterval = Duration
    @builtin(DispatchTime) struct DispatchTime: Hashable, Comparable, Sendable {
      @builtin(now) static func now() -> DispatchTime
      @builtin(now) static var now: DispatchTime { get }
      @builtin(distantFuture) static var distantFuture: DispatchTime { get }
      @builtin(distantPast) static var distantPast: DispatchTime { get }
      @builtin(now) init()
      @inlined init(timeIntervalSinceNow seconds: Double) { self = DispatchTime.now + seconds }
      @builtin(identity) init(timeIntervalSinceReferenceDate seconds: Double)
      @builtin(identity) init(timeIntervalSince1970 seconds: Double)
      @inlined init(timeInterval seconds: Double, since start: DispatchTime) {
        self = start + seconds
      }
      @builtin(identity) init(uptimeNanoseconds count: UInt64)
      @builtin(advance) static func + (a: DispatchTime, b: Duration) -> DispatchTime
      @builtin(advance) static func + (a: DispatchTime, b: Double) -> DispatchTime
      @builtin(subtract) static func - (a: DispatchTime, b: Duration) -> DispatchTime
      @builtin(subtract) static func - (a: DispatchTime, b: Double) -> DispatchTime
      @builtin(subtract) static func - (a: DispatchTime, b: DispatchTime) -> Duration
      @inlined static func += (a: inout DispatchTime, b: Duration) { a = a + b }
      @inlined static func += (a: inout DispatchTime, b: Double) { a = a + b }
      @inlined static func -= (a: inout DispatchTime, b: Duration) { a = a - b }
      @inlined static func -= (a: inout DispatchTime, b: Double) { a = a - b }
      @builtin(equal) static func == (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(notEqual) static func != (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(less) static func < (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(greater) static func > (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(lessOrEqual) static func <= (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(greaterOrEqual) static func >= (a: DispatchTime, b: DispatchTime) -> Bool
      @builtin(identity) var uptimeNanoseconds: UInt64 { get }
      @inlined func advanced(by length: Duration) -> DispatchTime { self + length }
      @inlined func advanced(by length: Double) -> DispatchTime { self + length }
      @inlined func addingTimeInterval(_ length: Double) -> DispatchTime { self + length }
      @inlined mutating func addTimeInterval(_ length: Double) { self = self + length }
      @builtin(interval) func timeIntervalSince(_ other: DispatchTime) -> Double
      @inlined var timeIntervalSinceNow: Double { self.timeIntervalSince(DispatchTime.now) }
      @builtin(identity) var timeIntervalSinceReferenceDate: Double { get }
      @builtin(identity) var timeIntervalSince1970: Double { get }
      @inlined func duration(to other: DispatchTime) -> Duration { other - self }
    }
    typealias DispatchWallTime = DispatchTime
    typealias Date = DispatchTime
    typealias Instant = DispatchTime
    @builtin(ByteCount) struct Size: Hashable, Comparable, AdditiveArithmetic, Sendable {
      static let zero = 0B
      @builtin(add) static func + (a: Size, b: Size) -> Size
      @builtin(subtract) static func - (a: Size, b: Size) -> Size
      @builtin(multiply) static func * (a: Size, b: Int) -> Size
      @builtin(multiply) static func * (a: Int, b: Size) -> Size
      @builtin(scale) static func * (a: Size, b: Double) -> Size
      @builtin(divide) static func / (a: Size, b: Int) -> Size
      @builtin(ratio) static func / (a: Size, b: Size) -> Double
      @builtin(equal) static func == (a: Size, b: Size) -> Bool
      @builtin(less) static func < (a: Size, b: Size) -> Bool
      @builtin(describe) var description: String { get }
    }
    """
}
