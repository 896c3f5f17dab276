// What a trace has and Swift has not, so that the text of a trace compiles as a program.
import Foundation

struct Span { var seconds: Double }

func ms(_ count: Double) -> Span { Span(seconds: count / 1_000) }

func sleep(_ span: Span) { Thread.sleep(forTimeInterval: span.seconds) }

func work(_ span: Span) {
  let end = Date().addingTimeInterval(span.seconds)
  while Date() < end {}
}

extension String: @retroactive Error {}
