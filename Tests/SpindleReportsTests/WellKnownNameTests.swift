import SpindleModel
import Testing

/// A name that the simulator knows is called what its case is called, and its number is its place.
@Suite struct WellKnownNameTests {
  @Test func areWhatTheyAreCalled() {
    for (index, name) in WellKnownName.allCases.enumerated() {
      #expect(name.id == NameID(index))
      #expect(name.text == (name == .empty ? "" : "\(name)"))
      #expect(Program().names[index] == name.text)
    }
  }
}
