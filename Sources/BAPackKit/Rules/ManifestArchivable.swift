import SourceDiagnostics

/// What goes into an archive must be readable there.
///
/// A manifest's text can be within the limits and what is made of it beyond them: strict JSON quotes
/// every key, and a download manifest has 'userInfo' two levels deeper.
enum ManifestArchivable {
  static let rule = Rule(
    "manifest.not-archivable",
    what: "The manifest could not be read any more once it is in a pack.",
    why: """
      What is packed is strict JSON of at most 16 MiB, and the 'userInfo' of a pack on a server of \
      your own stands in a download manifest, too: it may be nested up to 500 levels deep.
      """,
    example: .init(
      wrong: "a 'userInfo' of 501 arrays, each in another", right: #""userInfo": {"edition": 2}"#))

  /// How deep `userInfo` may be nested.
  static let deepestUserInfo = 500

  /// Judges a manifest whose user info is still a part of a text.
  static func check(
    _ manifest: Manifest, _ userInfo: JSONNode?, _ locations: ManifestLocations
  ) -> Diagnostic? {
    let info = userInfo.map { JSONSize(of: $0) }
    if let info, info.depth > deepestUserInfo {
      return rule.finding(
        .error,
        "'userInfo' is nested \(info.depth) levels deep, and \(deepestUserInfo) can be read",
        at: locations.userInfo, fixes: [Fix("nest it less deep", .shownOnly)])
    }
    var rest = manifest
    rest.userInfo = nil
    let limit = JSONLimits().size
    let infoSize = info?.compact ?? 0
    // With the key and a comma.
    let size = JSONSize(of: rest.archivedValue).compact + infoSize + 13
    guard size > limit else { return nil }
    let isInfo = infoSize > size / 2
    return rule.finding(
      .error,
      "the manifest takes \(size) bytes in the pack, and \(limit) can be read there; most of it is "
        + (isInfo ? "'userInfo'" : "'fileSelectors'"),
      at: isInfo ? locations.userInfo : locations.fileSelectors,
      fixes: [
        Fix(isInfo ? "keep it in a file of the pack" : "use patterns and folders", .shownOnly)
      ])
  }
}
