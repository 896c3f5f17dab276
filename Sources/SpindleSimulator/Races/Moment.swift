import SpindleModel

/// A moment of a strand.
struct Moment: BitwiseCopyable {
  var strand: Int32
  /// The strand's time.
  var time: Int32
  /// The thread, and the name and the kind of the item that it ran; -1 for none.
  var thread: ThreadID
  var item: Int32
  var itemKind: Int32
}
