/// What is wrong with the rate of `arrivals`.
extension Messages {
  static let rateForm =
    "a rate is a number over a unit of time, 100/s or 30/min, and a schedule has one for each moment: "
    + "[0s: 100/s, 60s: 400/s]"
  static let rateMoment = "a moment of a schedule is a length of time up to 100h: [0s: 100/s]"
  static let rateOrder =
    "the moments of a schedule do not go back; a moment that is given twice is a jump"
  static let rateZero = "nothing ever arrives: each rate of the schedule is 0"
  static let rateRange = "a rate is at most 1,000,000,000 in a second"
}
