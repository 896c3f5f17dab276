/// Student's distribution.
enum StudentT {
  /// The quantiles for 1 to 30 degrees of freedom.
  ///
  /// Source: Abramowitz and Stegun, table 26.10.
  private static let few: [Double] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
  ]

  /// The value that 97.5 % of the distribution with this many degrees of freedom are below.
  ///
  /// Beyond 30 degrees it is the expansion of Cornish and Fisher, accurate to three digits there.
  static func quantile975(degrees: Int) -> Double {
    precondition(degrees >= 1, "a distribution has a degree of freedom")
    if degrees <= few.count { return few[degrees - 1] }
    let z = 1.959963985
    let n = Double(degrees)
    let first = (z * z * z + z) / 4
    let second = (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / 96
    return z + first / n + second / (n * n)
  }
}
