package import SpindleModel

extension Timeshare: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "timeshare", summary: "decaying priorities, as in XNU", parameters: [turn])
  private static let turn = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let share = threads[Int(thread.index)]
    if share.isAbove && !share.isDepressed {
      return [
        PolicyStanding(.realtime, 1),
        PolicyStanding(.deadline, realtime.deadline(Int(thread.index))),
      ]
    }
    let priority = share.isDepressed ? 0 : Int64(share.priority)
    return [PolicyStanding(.realtime, 0), PolicyStanding(.priority, priority)]
  }

  package init(_ values: PolicyValues) { self.init(quantum: values.duration(Self.turn)) }
}
