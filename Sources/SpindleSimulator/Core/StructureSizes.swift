/// The sizes at which the simulator's structures grow, cut, sort or hand on what they hold.
///
/// None of them changes what a run does, only how fast it is. A test draws them small, so that what
/// large runs do seldom happens all the time in small ones.
package struct StructureSizes: Sendable {
  /// The most events of a slot of the event queue that are sorted at once; 1 or more.
  package var sortLimit = 256
  /// How long the event queue's sorted bottom may grow before it is cut; 2 or more.
  package var splitLimit = 512
  /// Events for which the bottom has room at first; 1 or more.
  package var bottomRoom = 1_024
  /// Blocks of events for which there is room at first; 1 or more.
  package var blockRoom = 256
  /// Entries of the log that are handed on at once; 1 or more.
  package var logChunk = 512
  /// Bytes of the log's text that are handed on at once; 1 or more.
  package var textChunk = 1 << 16
  /// Words of frames for which there is room at first; 8 or more.
  package var frameRoom = 1 << 14
  /// Ready threads for which there is room at first; a power of two.
  package var readyRoom = 1_024

  /// Whether tables have room for one record at first, and for one more each time that they grow, up to some hundred.
  ///
  /// Then each record that is added moves the others, and a pointer to one of these that is still held is seen.
  package var movesTables = false

  /// What the registers of a new frame hold; nil for what is left there from whatever had the memory before.
  ///
  /// No block may read a register that it has not written: with other values in two runs, one that does shows.
  package var frameFiller: Int64?

  /// What is fast.
  package static let standard = StructureSizes()

  /// What is fast for a run of some hundred or thousand events, of which there are many: little memory to begin with.
  package static let brief = {
    var sizes = StructureSizes()
    (sizes.bottomRoom, sizes.blockRoom, sizes.logChunk) = (128, 16, 256)
    (sizes.frameRoom, sizes.readyRoom) = (1 << 11, 256)
    return sizes
  }()

  private init() {}

  /// Small sizes, drawn by `seed`.
  package init(smallBy seed: UInt64) {
    func draw(_ salt: UInt64, from least: Int, to greatest: Int) -> Int {
      let number = RandomStreams.mix(seed &* 8 &+ salt)
      return least + Int(number % UInt64(greatest - least + 1))
    }
    sortLimit = draw(0, from: 1, to: 20)
    splitLimit = draw(1, from: 2, to: 12)
    bottomRoom = 1 << draw(2, from: 0, to: 3)
    blockRoom = 1 << draw(3, from: 0, to: 2)
    logChunk = draw(4, from: 1, to: 7)
    textChunk = draw(7, from: 1, to: 300)
    frameRoom = 8 << draw(5, from: 0, to: 3)
    readyRoom = 1 << draw(6, from: 0, to: 3)
    movesTables = true
    frameFiller = Int64(bitPattern: RandomStreams.mix(seed))
  }
}
