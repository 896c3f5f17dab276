import SpindleModel

/// What things of run loops count for in `Storage`, in bytes: their records and the lists that they stand
/// in, which double as they grow.
enum RunLoopSize {
  static let loop = 512
  static let mode = 256
  /// Its place in one mode, or among the common items.
  static let item = 160
  static let timer = 320
  static let source = 256
  static let port = 320
  static let observer = 160
  static let message = 64

  /// A block or a perform that waits, for these modes.
  static func waiting(_ modes: [NameID]) -> Int { 160 + 8 * modes.count }

  /// What waits in a loop for a pass.
  static func waiting(in loop: RunLoop) -> Int {
    loop.blocks.reduce(0) { $0 + waiting($1.modes) }
      + loop.performs.all.reduce(0) { $0 + waiting($1.modes) }
  }

  /// The modes of a loop, and what is in them.
  static func contents(of loop: RunLoop) -> Int {
    let items = loop.modes.reduce(loop.commonItems.count) { $0 + $1.itemCount }
    return loop.modes.count * mode + items * item
  }
}
