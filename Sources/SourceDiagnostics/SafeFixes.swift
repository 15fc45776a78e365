/// Applies what a program may mend by itself.
public enum SafeFixes {
  /// The text with the safe fixes of its findings applied, and how many those were.
  ///
  /// Only the spans of the fixes change. A fix that touches the same bytes as an earlier one is
  /// left out: it is found again in the new text.
  public static func apply(
    _ diagnostics: [Diagnostic], to bytes: [UInt8]
  ) -> (bytes: [UInt8], applied: Int) {
    var edits: [Fix.Edit] = []
    var taken: [SourceSpan] = []
    var applied = 0
    for diagnostic in diagnostics {
      guard let fix = diagnostic.fixes.first(where: { $0.grade == .safe }), !fix.edits.isEmpty,
        fix.edits.allSatisfy({ edit in
          edit.span.end <= bytes.count && !taken.contains { touches($0, edit.span) }
        })
      else { continue }
      taken += fix.edits.map(\.span)
      edits += fix.edits
      applied += 1
    }
    guard applied > 0 else { return (bytes, 0) }
    edits.sort { $0.span < $1.span }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.span.start]
      result += Array(edit.replacement.utf8)
      position = edit.span.end
    }
    result += bytes[position...]
    return (result, applied)
  }

  /// Whether two edits cannot both be made: they share a byte, or insert at one place.
  private static func touches(_ left: SourceSpan, _ right: SourceSpan) -> Bool {
    left.overlaps(right) || left == right
      || (left.length == 0 && right.start < left.start && left.start < right.end)
      || (right.length == 0 && left.start < right.start && right.start < left.end)
  }
}
