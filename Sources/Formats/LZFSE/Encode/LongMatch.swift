/// The positions inside of a long match that are entered into the table.
///
/// The text before the match may soon be too far away, and the next repeat is then found only in
/// the match itself.
enum LongMatch {
  static var shortest: Int { 64 }
  private static var step: Int { 32 }

  /// Calls `body` with these positions of a match; with none of a short one.
  @inline(__always)
  static func positions(from start: Int, to end: Int, _ body: (Int) -> Void) {
    guard end &- start >= shortest else { return }
    var position = start
    while position < end {
      body(position)
      position &+= step
    }
  }
}
