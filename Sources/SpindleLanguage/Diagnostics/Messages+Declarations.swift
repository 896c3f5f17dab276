/// Wordings about declarations and the code that uses them, in alphabetical order.
extension Messages {
  static let failingDelegate =
    "what is called here may fail, and this 'init' may not: declare it as 'init?'"
}
