import SourceDiagnostics

/// The packs of a first installation fit into what the app announces.
enum DownloadAllowance {
  static let rule = Rule(
    "download.allowance",
    what: "The packs together are larger than a size in 'Info.plist'.",
    why: """
      The system downloads and unpacks at most so many bytes before an app is opened for the first \
      time: BAEssentialDownloadAllowance and BAEssentialMaxInstallSize for essential packs, \
      BADownloadAllowance and BAMaxInstallSize for prefetched ones. What does not fit is not there.
      """,
    example: .init(
      wrong: "BADownloadAllowance = 1000000 and prefetched packs of 1200000 bytes",
      right: "BADownloadAllowance = 1500000 and prefetched packs of 1200000 bytes"))

  static func finding(
    _ key: InfoPlist.SizeKey, sum: UInt64, allowed: UInt64, packs: [PackID], at span: SourceSpan?
  ) -> Diagnostic {
    rule.finding(
      .error,
      "\(key.rawValue) is \(allowed), and the \(key.packs) have \(sum) bytes \(key.state)",
      at: span, notes: ["they are \(Diagnostic.list(packs.map(\.text), atMost: 8))"],
      fixes: [
        Fix("raise it; 'download-manifest info-plist' computes the number", .shownOnly)
      ])
  }
}
