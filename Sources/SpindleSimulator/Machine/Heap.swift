/// The heap of the simulated process as its pages are counted: what is given back is kept and used again, so that only what
/// goes beyond the most that there ever was comes in fresh pages.
///
/// Source: glibc, malloc/malloc.c (a heap grows by `brk` and is trimmed at its top only); Linux, mm/memory.c,
/// do_anonymous_page: a page is given when it is first touched.
struct Heap {
  /// Bytes of a page.
  static let page: Int64 = 4_096

  private var used: Int64 = 0
  private var most: Int64 = 0

  /// Takes or gives back so many bytes; returns how many pages are touched for the first time.
  mutating func change(by bytes: Int64) -> Int64 {
    used = bytes < 0 ? max(0, used + bytes) : Memory.sum(used, bytes)
    if used <= most { return 0 }
    let pages = (used + Self.page - 1) / Self.page - (most + Self.page - 1) / Self.page
    most = used
    return pages
  }
}
