import SpindleModel

/// Lanes with bars below an axis, as SVG: what stands where, without what it means.
///
/// Moments are positions from 0 to 1.
struct SVGCanvas {
  private let width: Double
  /// Where time begins.
  private var left: Double = 0
  private var height: Double = SVGCanvas.top
  /// What lies below the bars, and the bars with all texts.
  private var (grid, body) = ("", "")
  /// Bars of one colour that follow each other and are too narrow to be seen: together they are one, as wide as all of
  /// them, so that a lane that is busy for a part of the time looks so.
  private var narrow: (x: Double, width: Double, color: String)?

  private static let (top, lane, bar, edge): (Double, Double, Double, Double) = (34, 26, 18, 12)
  /// How wide a letter is taken to be, and from which width on a bar can be seen.
  private static let (letter, visible): (Double, Double) = (7, 0.25)

  /// Creates a canvas without lanes.
  init(width: Double) { self.width = width }

  /// How many moments have room at the axis.
  var tickCount: Int { max(2, Int((width - left) / 90)) }

  /// The drawing.
  var text: String {
    let size = "\(number(width)) \(number(height + SVGCanvas.edge))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(grid)\(body)</svg>

      """
  }

  /// Makes room at the left edge for names.
  mutating func makeRoom(for names: [String]) {
    let widest = names.reduce(4) { max($0, DisplayWidth.columns($1)) }
    left = min(width / 3, SVGCanvas.edge * 2 + Double(widest) * SVGCanvas.letter)
  }

  /// Begins a lane below the others.
  mutating func beginLane(_ name: String) {
    flush()
    writeName(name)
    let bottom = height + SVGCanvas.bar
    grid += line(left, bottom, width - SVGCanvas.edge, bottom)
    height += SVGCanvas.lane
  }

  /// Adds a bar to the lane that was begun last, with a label where there is room for it.
  mutating func addBar(from start: Double, to end: Double, _ color: String, label: String?) {
    let (x, right) = (x(at: start), x(at: end))
    if right - x < SVGCanvas.visible {
      if let known = narrow, known.color == color, x < known.x + SVGCanvas.visible {
        narrow?.width += right - x
      } else {
        flush()
        narrow = (x, right - x, color)
      }
      return
    }
    flush()
    writeBar(x, right - x, color)
    if let label, Double(DisplayWidth.columns(label)) * SVGCanvas.letter < right - x {
      write(label, x: (x + right) / 2, y: height - SVGCanvas.lane + 13, anchor: "middle")
    }
  }

  /// The last lane is complete.
  mutating func endLanes() { flush() }

  /// Adds a moment to the axis.
  mutating func addTick(_ text: String, at position: Double) {
    let x = x(at: position)
    grid += line(x, SVGCanvas.top - 6, x, height)
    write(text, x: x, y: SVGCanvas.top - 12, anchor: "middle")
  }

  /// Adds a lane of marks.
  mutating func addMarks(_ name: String, at positions: [Double]) {
    writeName(name)
    for position in positions { write("▲", x: x(at: position), y: height + 13, anchor: "middle") }
    height += SVGCanvas.lane
  }

  /// Adds what the colours mean.
  mutating func addLegend(_ entries: [(text: String, color: String)]) {
    if entries.isEmpty { return }
    var x = left
    height += 8
    for (text, color) in entries {
      let length = 32 + Double(text.count) * SVGCanvas.letter
      if x + length > width - SVGCanvas.edge && x > left { (x, height) = (left, height + 20) }
      body += rectangle(x, height, 14, 14, color)
      write(text, x: x + 19, y: height + 11)
      x += length
    }
    height += 20
  }

  // MARK: Parts

  private func x(at position: Double) -> Double {
    left + position * (width - SVGCanvas.edge - left)
  }

  private mutating func flush() {
    guard let bar = narrow else { return }
    narrow = nil
    writeBar(bar.x, bar.width, bar.color)
  }

  private mutating func writeBar(_ x: Double, _ width: Double, _ color: String) {
    body += rectangle(x, height - SVGCanvas.lane, width, SVGCanvas.bar, color)
  }

  private mutating func writeName(_ name: String) {
    let room = Int((left - 2 * SVGCanvas.edge) / SVGCanvas.letter)
    let text = DisplayWidth.columns(name) > room ? DisplayWidth.fitted(name, to: room) : name
    write(text, x: SVGCanvas.edge, y: height + 13)
  }

  private mutating func write(_ text: String, x: Double, y: Double, anchor: String = "start") {
    let place = "x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\""
    body += "<text \(place)>\(XMLText.escaped(text))</text>\n"
  }

  private func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: String
  ) -> String {
    let size = "width=\"\(number(width))\" height=\"\(number(height))\""
    return "<rect x=\"\(number(x))\" y=\"\(number(y))\" \(size) fill=\"\(color)\"\(edge(width))/>\n"
  }

  /// A thin white edge, which tells bars that follow each other apart.
  private func edge(_ width: Double) -> String {
    width < 2 ? "" : " stroke=\"#ffffff\" stroke-width=\"0.5\""
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    let ends = "x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\""
    return "<line \(ends) stroke=\"#cccccc\" stroke-width=\"0.6\"/>\n"
  }

  /// A length with up to three digits behind the point.
  private func number(_ value: Double) -> String {
    FixedDecimal(billionths: Int64((value * 1_000).rounded()) * 1_000_000).description
  }
}
