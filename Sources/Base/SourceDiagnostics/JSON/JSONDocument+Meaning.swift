extension JSONDocument {
  /// Returns whether this text, which edits created from `other`, has no other changes.
  ///
  /// All values that the edits do not replace must have the same meaning, and all comments must be
  /// the same.
  package func keepsMeaning(of other: JSONDocument, besides fixes: [[Fix.Edit]]) -> Bool {
    let fixed = Repaired(fixes.joined())
    switch (other.root, root) {
    case (let before?, let after?):
      guard Self.isSame(before, after, fixed) else { return false }
    case (nil, nil): break
    default: return false
    }
    let before = JSONLexing.comments(in: other.text).map { other.text[$0] }
    return before == JSONLexing.comments(in: text).map { text[$0] }
  }

  /// The parts that the fixes change.
  private struct Repaired {
    let all: SpanSet
    let removed: SpanSet
    let added: SpanSet

    init(_ edits: some Sequence<Fix.Edit>) {
      all = SpanSet(edits.map(\.span))
      removed = SpanSet(edits.filter { $0.replacement.isEmpty }.map(\.span))
      added = SpanSet(edits.filter { $0.span.length == 0 }.map(\.span))
    }
  }

  private static func isSame(_ before: JSONNode, _ after: JSONNode, _ fixed: Repaired) -> Bool {
    let span = before.span
    if fixed.all.covers(span) { return true }
    switch before.kind {
    case .array:
      guard after.kind == .array else { return isEnclosed(before, after, fixed) }
      var rest = after.elements
      let kept = before.elements.filter { !fixed.removed.covers($0.span) }
      var surplus = after.count - kept.count
      for element in kept {
        guard let next = rest.next(), isSame(element, next, fixed) else { return false }
        // An edit may add elements after this one.
        guard fixed.added.touches(SourceSpan(element.span.end, element.span.end)) else { continue }
        while surplus > 0 {
          _ = rest.next()
          surplus -= 1
        }
      }
      return rest.next() == nil
    case .object:
      guard after.kind == .object else { return isEnclosed(before, after, fixed) }
      var rest = after.members
      for member in before.members
      where !(fixed.removed.covers(member.key.span) && fixed.removed.covers(member.value.span)) {
        guard let next = rest.next(), isSame(member.key, next.key, fixed),
          isSame(member.value, next.value, fixed)
        else { return false }
      }
      return rest.next() == nil
    case .null, .bool, .number, .string, .invalid:
      if fixed.all.touches(span) { return true }
      return before.kind == after.kind && before.bool == after.bool
        && before.number == after.number && before.string == after.string
    }
  }

  /// Returns whether edits made a value the only element of an array or the only value of an
  /// object.
  private static func isEnclosed(
    _ before: JSONNode, _ after: JSONNode, _ fixed: Repaired
  ) -> Bool {
    guard fixed.added.touches(before.span), after.count == 1 else { return false }
    var elements = after.elements
    var members = after.members
    let only = after.kind == .array ? elements.next() : members.next()?.value
    return only.map { isSame(before, $0, fixed) } ?? false
  }
}
