package import SourceDiagnostics
import SystemIO

/// The rules about a manifest as a whole, and about its smaller keys.
package enum ManifestRules {
  static let all: [Rule] = [
    unreadable, notAManifest, placeholder, sourceRoot, userInfo, notArchivable,
  ]

  static let unreadable = Rule(
    "manifest.unreadable",
    what: "A manifest or its source root cannot be read.",
    why: """
      The manifest or its files were not checked, so validation fails, even if the other \
      manifests have no findings.
      """,
    example: .init(
      wrong: "Packs/tutorial.json, which does not exist", right: "Packs/Tutorial.json"))

  /// Returns a finding for an error of the system.
  package static func unreadable(_ error: PackError) -> Finding {
    unreadable.finding(error, at: nil)
  }

  /// A file that is not a manifest.
  static let notAManifest = Rule(
    "manifest.not-a-manifest",
    what: "A manifest was expected, but the input is a folder, an archive or a binary file.",
    why: """
      A manifest is the JSON file that describes a pack and selects its files. Validation and \
      packing start from it.
      """,
    example: .init(wrong: "pbze", right: TextRules.completeManifest))

  /// Returns a finding for archives, which it detects by their first bytes, and for binary files.
  static func notAManifest(_ bytes: [UInt8]) -> Finding? {
    let start = Array(bytes.prefix(FileFormat.startSize))
    let form = FileFormat(start)
    if form == .binary, let place = FileFormat.onlyNUL(in: start) {
      return notAManifest.finding(
        "the text contains a NUL character", at: SourceSpan(place, place + 1),
        fixes: [Fix("remove it", .shownOnly)])
    }
    guard let remedy = form.remedyAsManifest else { return nil }
    return notAManifest.finding(
      "the file is \(form.phrase), not a manifest", at: nil,
      fixes: [Fix([remedy])])
  }

  static func folderWithoutManifest(_ name: String) -> Finding {
    notAManifest.finding(
      "the folder contains no manifest", at: nil, fixes: [Fix([Remedy.proposePacks(name)])])
  }

  static let placeholder = Rule(
    "manifest.placeholder",
    what: "The manifest contains a placeholder of the template.",
    why: """
      The placeholders '[Asset-Pack ID]', '[Path to File]', '[Path to Directory]' and \
      '[Path to Manifest]' mark the values that you must fill in. Remove selectors that you do not \
      need.
      """,
    example: .init(
      wrong: #""assetPackID": "[Asset-Pack ID]""#, right: #""assetPackID": "Tutorial""#))

  static func placeholder(_ text: String, at span: SourceSpan) -> Finding? {
    guard text.holds(UInt8(ascii: "[")),
      let left = Placeholder.all.first(where: text.contains)
    else { return nil }
    return placeholder.finding("the placeholder '\(left)' was not replaced", at: span)
  }

  /// A source root that is absolute or empty.
  static let sourceRoot = Rule(
    "source-root.path",
    what: "'sourceRoot' is absolute or empty.",
    why: """
      The path is relative to the folder of the manifest, so that a project can be moved. '..' is \
      allowed.
      """,
    remedies: [.specifySourceRoot],
    example: .init(wrong: #""sourceRoot": "/home/me/game""#, right: #""sourceRoot": "../game""#))

  static func sourceRoot(_ path: String, at span: SourceSpan) -> Finding? {
    if path.isEmpty {
      return sourceRoot.finding(
        "the source root is empty", at: span, notes: ["'.' is the folder of the manifest"])
    }
    if path.holds(0) {
      return sourceRoot.finding("the source root contains a NUL character", at: span)
    }
    guard SelectorRules.isAbsolute(path) else { return nil }
    return sourceRoot.finding(
      "the source root '\(path)' is absolute", at: span,
      notes: ["the path must be relative to the folder of the manifest"],
      fixes: [Fix([Remedy.specifySourceRoot])])
  }

  static let userInfo = Rule(
    "user-info.apple-hosted", .byHost(unknown: nil, apple: .error, selfHosted: nil), canLower: true,
    what: "A pack that Apple hosts has 'userInfo'.",
    why: """
      Apps receive 'userInfo' only with packs from your own server. App Store Connect rejects \
      packs with 'userInfo' after the upload.
      """,
    example: .init(
      wrong: #""userInfo": {"edition": 2}"#, right: #""language": "en""#, hosting: .apple))

  static func userInfo(_ node: JSONNode, for hosting: Hosting?) -> Finding? {
    userInfo.finding(
      "App Store Connect does not accept 'userInfo'", for: hosting, at: node.span,
      fixes: [Fix("remove 'userInfo', or host the pack on your own server", .shownOnly)])
  }

  /// A manifest that exceeds the limits of archives and download manifests.
  ///
  /// The text of the manifest can be within the limits, because strict JSON quotes every key, and a
  /// download manifest contains 'userInfo' two levels deeper.
  static let notArchivable = Rule(
    "manifest.not-archivable",
    what: "The manifest is too large, or too deeply nested, for a pack.",
    why: """
      The manifest in a pack is strict JSON of at most 16 MiB. 'userInfo' is also a part of the \
      download manifest and may be nested at most 500 levels deep.
      """,
    example: .init(
      wrong: "a 'userInfo' of 501 nested arrays", right: #""userInfo": {"edition": 2}"#))

  /// The maximum nesting depth of `userInfo`.
  static let deepestUserInfo = 500
  /// The size in bytes up to which no text of a manifest exceeds a limit of archives.
  ///
  /// A level of nesting has at least two bytes.
  static let alwaysArchivableSize = 2 * deepestUserInfo

  /// Checks a manifest whose user info is still part of a text.
  static func notArchivable(
    _ manifest: Manifest, _ locations: ManifestLocations
  ) -> Finding? {
    let info = manifest.writtenUserInfo.map(\.size)
    if let info, info.depth > deepestUserInfo {
      return notArchivable.finding(
        "'userInfo' is nested \(info.depth) levels deep; the limit is \(deepestUserInfo)",
        at: locations.userInfo, fixes: [Fix("reduce the nesting", .shownOnly)])
    }
    var rest = manifest
    rest.userInfo = nil
    let limit = JSONLimits().size
    let infoSize = info?.compact ?? 0
    // Including the key and a comma.
    let size = JSONSize(of: rest.archivedValue).compact + infoSize + 13
    guard size > limit else { return nil }
    let isInfo = infoSize > size / 2
    return notArchivable.finding(
      "the manifest has \(size) bytes in the pack; the limit is \(limit); most bytes are in "
        + (isInfo ? "'userInfo'" : "'fileSelectors'"),
      at: isInfo ? locations.userInfo : locations.fileSelectors,
      fixes: [
        Fix(isInfo ? "move the data to a file of the pack" : "use patterns and folders", .shownOnly)
      ])
  }
}
