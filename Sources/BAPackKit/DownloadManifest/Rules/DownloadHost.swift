import SourceDiagnostics

/// The host says who serves a pack.
enum DownloadHost {
  static let rule = Rule(
    "download.host", .always(.warning),
    what: "The 'host' of a pack is something other than '{\"thirdParty\": {}}'.",
    why: "It is the only value that is known for packs on a server of one's own.",
    example: .init(
      wrong: #""host": {"firstParty": {}}"#, right: #""host": {"thirdParty": {}}"#))

  static func check(_ host: JSONNode, of id: String) -> Diagnostic? {
    guard host.kind == .object, !host.isDamaged, host.value != .thirdParty else { return nil }
    return rule.finding(
      .warning, "the host of '\(id)' is usually '{\"thirdParty\": {}}'", at: host.span,
      fixes: [
        Fix(
          "write '{\"thirdParty\": {}}'", .unsafe,
          edits: [.init(host.span, "{\"thirdParty\": {}}")])
      ])
  }
}
