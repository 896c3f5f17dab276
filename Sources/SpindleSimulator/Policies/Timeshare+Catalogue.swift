package import SpindleModel

extension Timeshare: CataloguedPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "timeshare", summary: "decaying priorities, as in XNU", parameters: [turn])
  private static let turn = MachineCatalogue.Parameter.duration("quantum", .milliseconds(10))

  package init(_ values: PolicyValues) { self.init(quantum: values.duration(Self.turn)) }
}
