/// How seeds are added to a comparison until it is precise enough.
///
/// After 8, 16, 32 and so on up to 1,024 seeds the intervals are looked at. Who looks often sees an
/// error sooner or later: with 95 % at each of the eight looks, far more than 5 % of equal variants would
/// be told apart. So each look has an eighth of the 5 %. By Bonferroni's inequality the intervals of all
/// looks hold together with at least 95 %, whenever it is that one stops. Source: Law, *Simulation
/// Modeling and Analysis*, chapter 9, "Sequential procedures" and "Multiple measures of performance".
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

  /// The share of equal variants that are told apart at most, over all looks.
  package static let error = 0.05

  /// The quantile for a look after so many seeds; nil where none is.
  package static func quantile(_ count: Int) -> Double? {
    table.first { $0.count == count }?.quantile
  }
}
