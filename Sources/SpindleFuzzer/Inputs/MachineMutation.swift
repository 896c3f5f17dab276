import SpindleGenerator
import SpindleModel
import SpindleSimulator

/// A machine of any kind that the language can describe, and of some that it must refuse.
struct MachineMutation {
  private let settings: String
  /// Threads that work for years, with any weight, beside those of the text; empty for none.
  private let load: String

  /// Draws a machine, and sometimes a load that brings virtual run times, passes and shares to their ends.
  init(_ random: inout Randomness) {
    var settings: [String] = []
    if !random.isOne(in: 8) {
      settings.append("platform: .\(random.pick(Platform.allCases).rawValue)")
    }
    if !random.isOne(in: 4) { settings.append("cores: \(MachineMutation.cores(&random))") }
    let catalogue = MachineCatalog.catalogue
    if random.isOne(in: 2) {
      settings.append("policy: \(MachineMutation.call(catalogue.policies, &random))")
    }
    if !random.isOne(in: 3) {
      settings.append("costs: \(MachineMutation.call(catalogue.costs, &random))")
    }
    if random.isOne(in: 3) {
      settings.append("memory: \(MachineMutation.value(.size, &random))")
    }
    if random.isOne(in: 4) { settings.append("threadLimit: \(1 << random.below(32))") }
    if random.isOne(in: 4) {
      let way = random.pick(ResourceProtocol.allCases).rawValue
      settings.append("resourceProtocol: .\(way)")
    }
    if random.isOne(in: 6) { settings.append("monitorPhase: \(random.below(1_000))ms") }
    if random.isOne(in: 6) {
      settings.append("backgroundTime: \(MachineMutation.value(.duration, &random))")
    }
    self.settings = settings.joined(separator: "; ")
    load = random.isOne(in: 4) ? MachineMutation.load(&random) : ""
  }

  private static func load(_ random: inout Randomness) -> String {
    (0...random.below(3)).map { _ in
      let nice = random.isOne(in: 2) ? random.pick([-20, 0, 19]) : random.below(40) - 20
      let turn = random.pick(["", "; yield()", "; sleep(1h)", "; work(1ms); yield()"])
      return """
        at(\(random.below(3))us) { Thread.detachNewThread { Thread.current.niceValue = \(nice); \
        for _ in 0 ..< \(1 + random.below(40)) { work(\(length(&random)))\(turn) } } }

        """
    }.joined()
  }

  /// A long length, up to the longest that there is.
  private static func length(_ random: inout Randomness) -> String {
    random.pick(["100000h", "99999h", "90000h", "30000h", "1000h", "1h"])
  }

  /// The text with this machine in place of its own, and sometimes another seed and end.
  func applied(to text: String, _ random: inout Randomness) -> String {
    var tokens = TraceTokens(text).tokens
    MachineMutation.remove("machine", from: &tokens)
    var head = "machine { \(settings) }\n"
    if !load.isEmpty {
      MachineMutation.remove("trace", from: &tokens)
      head = "trace \"mutant\" { until: 100000h }\n" + head
    } else if random.isOne(in: 4) {
      MachineMutation.remove("trace", from: &tokens)
      let seed = "seed: \(random.below(1 << 40))"
      let until = "until: \(MachineMutation.value(.duration, &random))"
      head = "trace \"mutant\" { \(random.isOne(in: 2) ? seed : until) }\n" + head
    }
    let text = head + tokens.map(\.text).joined()
    return load.isEmpty ? text : text + "\n" + load
  }

  /// Takes out the declaration that begins with `word`, with its braces.
  private static func remove(_ word: String, from tokens: inout [TraceTokens.Token]) {
    let starts = tokens.indices.filter { index in
      tokens[index].text == word && tokens[index].kind == .word
        && (index == 0 || tokens[index - 1].kind == .lineEnd)
    }
    guard let start = starts.first else { return }
    var (end, depth) = (start, 0)
    while end < tokens.count {
      if tokens[end].text == "{" { depth += 1 }
      if tokens[end].text == "}" { depth -= 1 }
      if depth == 0 && (tokens[end].text == "}" || tokens[end].kind == .lineEnd) { break }
      end += 1
    }
    tokens.removeSubrange(start..<min(end + 1, tokens.count))
  }

  private static func cores(_ random: inout Randomness) -> String {
    if !random.isOne(in: 3) { return "\(random.isOne(in: 6) ? 1_024 : 1 + random.below(8))" }
    let clusters = (0...random.below(2)).map { _ in
      let cluster = random.pick(CoreDescription.Cluster.allCases).rawValue
      let speed =
        random.isOne(in: 3) ? NumberMutation.fraction(&random) : "0.\(1 + random.below(9))"
      return ".\(cluster)(\(1 + random.below(4)), speed: \(speed))"
    }
    return "[\(clusters.joined(separator: ", "))]"
  }

  /// A policy or a cost profile with some of its parameters.
  private static func call(
    _ signatures: [MachineCatalogue.Signature], _ random: inout Randomness
  ) -> String {
    let signature = random.pick(signatures)
    let some = signature.parameters.filter { _ in random.isOne(in: 3) }
    guard !some.isEmpty else { return ".\(signature.name)" }
    let arguments = some.map { "\($0.label): \(parameter($0, &random))" }
    return ".\(signature.name)(\(arguments.joined(separator: ", ")))"
  }

  private static func parameter(
    _ parameter: MachineCatalogue.Parameter, _ random: inout Randomness
  ) -> String {
    if parameter.format == .symbol { return ".\(random.pick(parameter.choices))" }
    return value(parameter.format, &random)
  }

  private static func value(_ format: ValueFormat, _ random: inout Randomness) -> String {
    let isBound = random.isOne(in: 4)
    switch format {
    case .boolean: return random.isOne(in: 2) ? "true" : "false"
    case .decimal: return isBound ? NumberMutation.fraction(&random) : "0.\(random.below(100))"
    case .duration, .instant:
      if random.isOne(in: 6) { return length(&random) }
      let unit = random.pick(["ns", "us", "ms", "s", "h"])
      return isBound ? NumberMutation.bound(unit, &random) : "\(random.below(1_000))\(unit)"
    case .size:
      let unit = random.pick(["B", "KB", "MB", "GB"])
      return isBound ? NumberMutation.bound(unit, &random) : "\(random.below(1_000))\(unit)"
    default: return isBound ? NumberMutation.bound("", &random) : "\(random.below(1_000))"
    }
  }
}
