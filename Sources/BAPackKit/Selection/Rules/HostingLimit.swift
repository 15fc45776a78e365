import SourceDiagnostics
import SystemIO

/// All packs of an app fit into what Apple hosts.
enum HostingLimit {
  static let rule = Rule(
    "files.hosting-limit", .byHost(unknown: .warning, apple: .warning, selfHosted: nil),
    what: "The files of all packs together exceed what App Store Connect hosts for one app.",
    why: """
      The limit counts compressed bytes, over all packs of an app. What is far above it before \
      compression will hardly fit.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "."}]"#,
      right: #""fileSelectors": [{"directory": "Level1"}]"#))

  /// Reports once, at the pack with which the limit is passed.
  static func check(
    _ packs: inout [SelectedPack], _ hosting: Hosting?, limits: DeliveryLimits = .current
  ) {
    if hosting == .selfHosted { return }
    var total: UInt64 = 0
    for index in packs.indices {
      let before = total
      total = total.addingSaturated(packs[index].selection.totalSize)
      let limit = UInt64(limits.hostedBytes)
      guard before <= limit, total > limit else { continue }
      let subject = packs.count == 1 ? "the files have" : "the files of all packs up to here have"
      packs[index].add([
        rule.finding(
          .warning,
          "\(subject) \(total / 1_000_000_000) GB before compression; Apple hosts "
            + "\(limit / 1_000_000_000) GB for one app",
          at: packs[index].document.locations.fileSelectors,
          notes: [
            "the limit is as Apple published it on \(limits.date), and counts compressed bytes"
          ])
      ])
    }
  }
}
