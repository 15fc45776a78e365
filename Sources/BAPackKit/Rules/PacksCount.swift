import SourceDiagnostics

/// An app can have only so many packs.
enum PacksCount {
  static let rule = Rule(
    "packs.count", .always(.warning),
    what: "There are more manifests than an app may have packs.",
    why: """
      App Store Connect takes \(DeliveryLimits.current.packs) packs an app (as of \
      \(DeliveryLimits.current.date)); older texts of Apple's say \
      \(DeliveryLimits.current.packsBefore).
      """,
    example: .init(
      wrong: "more than \(DeliveryLimits.current.packsBefore) manifests at once",
      right: "fewer packs with more files each"))

  static func check(count: Int, limits: DeliveryLimits = .current) -> Diagnostic? {
    if count > limits.packs {
      return rule.finding(
        .warning, "\(count) packs are more than the \(limits.packs) that an app may have", at: nil)
    }
    if count > limits.packsBefore {
      return rule.finding(
        .note, "\(count) packs: an app may have \(limits.packs)", at: nil,
        notes: ["it was \(limits.packsBefore) before, and some of Apple's texts still say so"])
    }
    return nil
  }
}
