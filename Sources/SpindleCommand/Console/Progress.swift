/// How far a long command is, on a terminal only: one line that is written over.
struct Progress {
  private let console: Console
  private let title: String
  private let total: Int
  private let isShown: Bool
  private var done = 0
  private var shownPercent = -1

  /// Begins with nothing done; `isAlone` when standard output gets nothing meanwhile.
  init(_ title: String, of total: Int, _ console: Console, isAlone: Bool) {
    (self.title, self.total, self.console) = (title, total, console)
    let environment = console.environment
    isShown =
      environment.errorIsTerminal && environment.variables["TERM"] != "dumb"
      && (isAlone || !environment.outputIsTerminal)
  }

  /// One more is done.
  mutating func step() {
    done += 1
    guard isShown, total > 0 else { return }
    let percent = done * 100 / total
    guard percent != shownPercent else { return }
    shownPercent = percent
    console.error.write("\r\(title): \(done) of \(total), \(percent)%")
  }

  /// Clears the line.
  func end() {
    if isShown && shownPercent >= 0 { console.error.write("\r\u{1B}[K") }
  }
}
