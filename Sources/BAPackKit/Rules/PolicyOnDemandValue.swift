import SourceDiagnostics

/// The value of `onDemand` is `{}`.
enum PolicyOnDemandValue {
  static let rule = Rule(
    "policy.on-demand-value", mending: .safe,
    what: "The value of 'onDemand' is something other than '{}'.",
    why: """
      An on-demand policy has nothing to say but its name. Betas of Apple's packager wrote 'null' \
      there, and App Store Connect refused such packs after the upload (ITMS-91140).
      """,
    example: .init(
      wrong: #""downloadPolicy": {"onDemand": null}"#,
      right: #""downloadPolicy": {"onDemand": {}}"#))

  /// The fix is safe where nothing was written but 'null', in a policy that is written well; in a
  /// damaged one the value may be a piece of something else.
  static func check(_ value: JSONNode, in policy: JSONNode) -> Diagnostic? {
    guard value.kind != .invalid, !(value.kind == .object && value.count == 0) else { return nil }
    guard !value.isDamaged else { return nil }
    let isSafe = value.kind == .null && !policy.isDamaged
    return rule.finding(
      .error, "'onDemand' takes '{}' and nothing else", at: value.span,
      fixes: [Fix("write '{}'", isSafe ? .safe : .unsafe, edits: [.init(value.span, "{}")])])
  }
}
