import SpindleModel

/// Counts lengths of time in constant memory.
///
/// The first samples are kept as they are. When there are more than `exactLimit`, all go into buckets: 128
/// for each power of two, so that a bucket's middle is within 1/256 of its samples. The idea is that of
/// HdrHistogram (Gil Tene): a linear scale inside a logarithmic one. Buckets are raw memory, since a
/// uniqueness check would cost as much as counting a sample.
struct Histogram: ~Copyable {
  /// How many samples are kept exactly.
  static let exactLimit = 1_024
  private static let bucketsForPower = 128
  /// As many as the greatest length needs.
  private static let greatestCount = 57 * bucketsForPower

  private(set) var count: Int64 = 0
  private(set) var sum: Int128 = 0
  private var least = Int64.max
  private var greatest: Int64 = 0
  private var samples: ContiguousArray<Int64> = []
  private var buckets: UnsafeMutablePointer<Int64>
  /// How many buckets there are; 0 while samples are kept as they are.
  private var bucketCount = 0

  init() { buckets = .allocate(capacity: 1) }

  deinit { buckets.deallocate() }

  /// Takes in one sample; a negative one counts as 0.
  @inline(__always)
  mutating func add(_ sample: Int64) {
    // The number of a negative sample is beyond all buckets.
    let index = Histogram.bucket(of: sample)
    if index < bucketCount {
      buckets[index] &+= 1
      note(sample)
    } else {
      addOutside(Swift.max(0, sample))
    }
  }

  /// Counts a sample among all.
  @inline(__always)
  private mutating func note(_ value: Int64) {
    count &+= 1
    sum &+= Int128(value)
    if value < least { least = value }
    if value > greatest { greatest = value }
  }

  /// Takes in a sample that no bucket is there for yet.
  @inline(never)
  private mutating func addOutside(_ value: Int64) {
    note(value)
    if bucketCount == 0 {
      samples.append(value)
      if samples.count > Histogram.exactLimit { spill() }
    } else {
      addToBucket(value, 1)
    }
  }

  /// Takes in all that `other` has; afterwards exact only when both together are few.
  mutating func merge(_ other: borrowing Histogram) {
    guard other.count > 0 else { return }
    if bucketCount == 0 && other.bucketCount > 0 { spill() }
    for sample in other.samples { add(sample) }
    if other.bucketCount == 0 { return }
    for index in 0..<other.bucketCount where other.buckets[index] > 0 {
      addToBucket(Histogram.lowerBound(ofBucket: index), other.buckets[index])
    }
    count += other.count
    sum += other.sum
    least = Swift.min(least, other.least)
    greatest = Swift.max(greatest, other.greatest)
  }

  /// All that is known; sorts the samples when they are few.
  var distribution: LatencyDistribution {
    var result = LatencyDistribution()
    guard count > 0 else { return result }
    let sorted = samples.sorted()
    result.count = count
    result.total = Nanoseconds(Int64(clamping: sum))
    result.mean = Nanoseconds(Int64(sum / Int128(count)))
    result.min = Nanoseconds(least)
    result.max = Nanoseconds(greatest)
    result.p50 = percentile(50, sorted)
    result.p90 = percentile(90, sorted)
    result.p95 = percentile(95, sorted)
    result.p99 = percentile(99, sorted)
    return result
  }

  /// The sample of the nearest rank: the least that `percent` hundredths of all do not exceed.
  private func percentile(_ percent: Int64, _ sorted: [Int64]) -> Nanoseconds {
    Nanoseconds(value(ofRank: Histogram.rank(of: percent, in: count), sorted))
  }

  /// The nearest rank, counted from 1, that `percent` hundredths of `count` samples do not exceed.
  static func rank(of percent: Int64, in count: Int64) -> Int64 { (percent * count + 99) / 100 }

  /// The sample of a rank, counted from 1 for the least.
  func value(ofRank rank: Int64) -> Int64 { value(ofRank: rank, samples.sorted()) }

  private func value(ofRank rank: Int64, _ sorted: [Int64]) -> Int64 {
    precondition(rank > 0 && rank <= count, "rank \(rank) of \(count) lengths")
    if bucketCount == 0 { return sorted[Int(rank) - 1] }
    var seen: Int64 = 0
    for index in 0..<bucketCount {
      seen += buckets[index]
      if seen >= rank {
        let middle = Histogram.lowerBound(ofBucket: index) + Histogram.width(ofBucket: index) / 2
        return Swift.min(greatest, Swift.max(least, middle))
      }
    }
    return greatest
  }

  private mutating func spill() {
    let kept = samples
    samples = []
    reach(2 * Histogram.bucketsForPower)
    for sample in kept { addToBucket(sample, 1) }
  }

  private mutating func addToBucket(_ value: Int64, _ number: Int64) {
    let index = Histogram.bucket(of: value)
    if index >= bucketCount {
      reach(min(max(index + 1, bucketCount * 2), Histogram.greatestCount))
    }
    precondition(index < bucketCount, "\(value)ns has no bucket of \(bucketCount)")
    buckets[index] &+= number
  }

  /// Makes room for `count` buckets.
  private mutating func reach(_ count: Int) {
    precondition(count >= bucketCount, "\(bucketCount) buckets become \(count)")
    let larger = UnsafeMutablePointer<Int64>.allocate(capacity: count)
    larger.update(from: buckets, count: bucketCount)
    (larger + bucketCount).initialize(repeating: 0, count: count - bucketCount)
    buckets.deallocate()
    (buckets, bucketCount) = (larger, count)
  }

  /// The number of a value's bucket.
  ///
  /// Values below 256 have one each; above, the eight highest bits choose it. That of a negative value
  /// is `greatestCount` or more.
  @inline(__always)
  private static func bucket(of value: Int64) -> Int {
    // Below 256 the shift is 0, and the value itself the number.
    let shift = 56 &- (value | 128).leadingZeroBitCount
    return shift &<< 7
      &+ Int(truncatingIfNeeded: UInt64(bitPattern: value) &>> UInt64(truncatingIfNeeded: shift))
  }

  private static func lowerBound(ofBucket index: Int) -> Int64 {
    guard index >= 256 else { return Int64(index) }
    let shift = (index >> 7) - 1
    return Int64(index - (shift << 7)) << Int64(shift)
  }

  private static func width(ofBucket index: Int) -> Int64 {
    index < 256 ? 1 : 1 << Int64((index >> 7) - 1)
  }
}
