/// How seeds are added to a comparison until it is precise enough.
///
/// After 8, 16, 32 and so on up to 1,024 seeds the intervals are checked. Frequent checks eventually find an
/// error: with 95 % at each of the eight checks, far more than 5 % of equal variants would be reported as
/// different. So each check uses an eighth of the 5 %. By Bonferroni's inequality the intervals of all checks
/// hold together with at least 95 %, whenever the search stops. Source: Law, *Simulation Modeling and
/// Analysis*, chapter 9, "Sequential procedures" and "Multiple measures of performance".
package enum SequentialLooks {
  /// The numbers of seeds at which one looks, with the value that Student's distribution of one degree
  /// less is below with 1 - 0.05 / 16.
  ///
  /// The values are those at which its density, integrated to infinity, leaves 0.003125; a test integrates
  /// it again.
  private static let table: [(count: Int, quantile: Double)] = [
    (8, 3.8552), (16, 3.1771), (32, 2.9338), (64, 2.8293), (128, 2.7807), (256, 2.7573),
    (512, 2.7458), (1_024, 2.74),
  ]

  /// The numbers of seeds at which one looks, ascending.
  package static var counts: [Int] { table.map(\.count) }

  /// The largest share of equal variants that are reported as different, over all checks.
  package static let error = 0.05

  /// The quantile for a check after this number of seeds; nil where there is no check.
  package static func quantile(_ count: Int) -> Double? {
    table.first { $0.count == count }?.quantile
  }
}
