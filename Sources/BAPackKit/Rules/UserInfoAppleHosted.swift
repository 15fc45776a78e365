import SourceDiagnostics

/// User info is for servers of one's own.
enum UserInfoAppleHosted {
  static let rule = Rule(
    "user-info.apple-hosted", .byHost(unknown: nil, apple: .error, selfHosted: nil),
    what: "A pack that Apple serves has 'userInfo'.",
    why: """
      An app gets it only with packs from a server of your own; App Store Connect refuses packs \
      that have it, after the upload.
      """,
    example: .init(
      wrong: #""userInfo": {"edition": 2}"#, right: #""language": "en""#, hosting: .apple))

  static func check(_ node: JSONNode, for hosting: Hosting?) -> Diagnostic? {
    guard hosting == .apple else { return nil }
    return rule.finding(
      .error, "Apple takes no 'userInfo'", at: node.span,
      fixes: [Fix("take 'userInfo' away, or serve the pack yourself", .shownOnly)])
  }
}
