package import SourceDiagnostics
import SystemIO

/// What can be wrong with a manifest as a whole, and with its smaller keys.
package enum ManifestRules {
  static let all: [Rule] = [
    unreadable, notAManifest, placeholder, sourceRoot, userInfo, notArchivable,
  ]

  /// A manifest that was named can be read.
  static let unreadable = Rule(
    "manifest.unreadable",
    what: "A manifest, or the folder that its files are in, cannot be read.",
    why: """
      What was not looked at is not known to be right, so the check has failed, whatever was found \
      in the other manifests.
      """,
    example: .init(wrong: "Packs/tutorial.json, which is not there", right: "Packs/Tutorial.json"))

  /// What the machine refused, as a finding about the file.
  package static func unreadable(_ error: PackError) -> Finding {
    unreadable.finding(error, at: nil)
  }

  /// A manifest is a text.
  static let notAManifest = Rule(
    "manifest.not-a-manifest",
    what: "A folder, an archive or another binary file was given as a manifest.",
    why: """
      Checking and packing start from a manifest, the JSON text that says what a pack is; a \
      finished pack is looked into by other means.
      """,
    example: .init(
      wrong: "pbze", right: #"{"assetPackID": "Tutorial"}"#))

  /// Recognises archives by their first bytes, and other files that are not texts.
  static func notAManifest(_ bytes: [UInt8]) -> Finding? {
    let form = FileForm(Array(bytes.prefix(FileForm.startSize)))
    guard let remedy = form.remedyAsManifest else { return nil }
    return notAManifest.finding(
      "this is \(form.phrase), not a manifest", at: nil,
      fixes: [Fix([remedy])])
  }

  static func folderWithoutManifest() -> Finding {
    notAManifest.finding("this is a folder with no manifest in it", at: nil)
  }

  /// What the template leaves for a person to fill in.
  static let placeholder = Rule(
    "manifest.placeholder",
    what: "A placeholder of the template is still there.",
    why: """
      The templates mark what you have to write with '[Asset-Pack ID]', '[Path to File]', \
      '[Path to Directory]' and '[Path to Manifest]'. A selector whose placeholder you do not need \
      can go altogether.
      """,
    example: .init(
      wrong: #""assetPackID": "[Asset-Pack ID]""#, right: #""assetPackID": "Tutorial""#))

  static func placeholder(_ text: String, at span: SourceSpan) -> Finding? {
    guard text.holds(UInt8(ascii: "[")),
      let left = Placeholder.all.first(where: text.contains)
    else { return nil }
    return placeholder.finding("the placeholder '\(left)' is still there", at: span)
  }

  /// The source root is relative to the manifest.
  static let sourceRoot = Rule(
    "source-root.path",
    what: "'sourceRoot' is absolute or empty.",
    why: """
      It starts at the manifest's folder, so that a project works wherever it lies; '..' is \
      allowed.
      """,
    remedies: [.nameSourceRoot],
    example: .init(wrong: #""sourceRoot": "/home/me/game""#, right: #""sourceRoot": "../game""#))

  static func sourceRoot(_ path: String, at span: SourceSpan) -> Finding? {
    if path.isEmpty {
      return sourceRoot.finding(
        "the source root is empty", at: span, notes: ["the manifest's own folder is '.'"])
    }
    if path.holds(0) {
      return sourceRoot.finding("the source root has a NUL character in it", at: span)
    }
    guard SelectorRules.isAbsolute(path) else { return nil }
    return sourceRoot.finding(
      "the source root '\(path)' is absolute", at: span,
      notes: ["it is relative to the manifest"], fixes: [Fix([Remedy.nameSourceRoot])])
  }

  /// User info is for servers of one's own.
  static let userInfo = Rule(
    "user-info.apple-hosted", .byHost(unknown: nil, apple: .error, selfHosted: nil),
    what: "A pack that Apple serves has 'userInfo'.",
    why: """
      An app gets it only with packs from a server of your own; App Store Connect refuses packs \
      that have it, after the upload.
      """,
    example: .init(
      wrong: #""userInfo": {"edition": 2}"#, right: #""language": "en""#, hosting: .apple))

  static func userInfo(_ node: JSONNode, for hosting: Hosting?) -> Finding? {
    userInfo.finding(
      "Apple takes no 'userInfo'", for: hosting, at: node.span,
      fixes: [Fix("take 'userInfo' away, or serve the pack yourself", .shownOnly)])
  }

  /// What goes into an archive must be readable there.
  ///
  /// A manifest's text can be within the limits and what is made of it beyond them: strict JSON
  /// quotes every key, and a download manifest has 'userInfo' two levels deeper.
  static let notArchivable = Rule(
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

  /// Checks a manifest whose user info is still part of a text.
  static func notArchivable(
    _ manifest: Manifest, _ locations: ManifestLocations
  ) -> Finding? {
    let info = manifest.writtenUserInfo.map(\.size)
    if let info, info.depth > deepestUserInfo {
      return notArchivable.finding(
        "'userInfo' is nested \(info.depth) levels deep, and \(deepestUserInfo) can be read",
        at: locations.userInfo, fixes: [Fix("nest it less deep", .shownOnly)])
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
      "the manifest takes \(size) bytes in the pack, and \(limit) can be read there; most of it is "
        + (isInfo ? "'userInfo'" : "'fileSelectors'"),
      at: isInfo ? locations.userInfo : locations.fileSelectors,
      fixes: [
        Fix(isInfo ? "keep it in a file of the pack" : "use patterns and folders", .shownOnly)
      ])
  }
}
