import SourceDiagnostics

/// What can be wrong with what an app downloads by itself.
enum UnmanagedRules {
  static let all: [Rule] = [
    otherText, format, value, duplicate, order, file, unlisted, managed,
  ]

  /// The text is an unmanaged manifest.
  static let otherText = Rule(
    "unmanaged.other-text",
    what: "Another text was given as an unmanaged manifest.",
    why: """
      A download manifest, or the manifest of a pack, is read by other commands, and must not be \
      overwritten by mistake.
      """,
    example: .init(
      wrong: #""assetPacks": []"#, right: #""assets": []"#))

  static func otherText(_ root: JSONNode) -> Finding? {
    guard root["assets"] == nil else { return nil }
    let what: Finding.Message
    if root["assetPacks"] != nil {
      what = "a download manifest, which names packs and no digests"
    } else if root[ManifestKeys.assetPackID.name] != nil {
      what = "the manifest of a pack"
    } else {
      return nil
    }
    return otherText.finding("this is \(what)", at: nil)
  }

  /// The form is one that is known.
  static let format = Rule(
    "unmanaged.format",
    what: "The number of the form is not one that this program knows.",
    why: "A newer form may mean something else by the same words, so nothing is guessed.",
    example: .init(wrong: #""format": 2"#, right: #""format": 1"#))

  static func format(of node: JSONNode) -> Finding? {
    guard node.number != String(UnmanagedManifest.format) else { return nil }
    return format.finding(
      "the form is \(UnmanagedManifest.format), and no other is known", at: node.span,
      fixes: [Fix("use the program that wrote it", .shownOnly)])
  }

  /// Sizes, digests and versions are what they should be.
  static let value = Rule(
    "unmanaged.value",
    what:
      "A size, a digest, a version, a name or a template of an unmanaged manifest cannot be right.",
    why: "The system refuses a download whose size is not exact, and the app checks the digest.",
    example: .init(
      wrong: #""assets": [{"fileSize": -1, …}]"#, right: #""assets": [{"fileSize": 10, …}]"#))

  static func value(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    value.finding(phrase, at: span)
  }

  /// Each download has an identifier and an address of its own.
  static let duplicate = Rule(
    "unmanaged.duplicate",
    what: "Two assets have the same identifier, or the same address.",
    why: "By its identifier a download is known to the extension and the app: one would be lost.",
    example: .init(
      wrong: #""assets": [{"identifier": "a", …}, {"identifier": "a", …}]"#,
      right: #""assets": [{"identifier": "a", …}, {"identifier": "b", …}]"#))

  static func duplicate(_ id: PackID, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "the identifier '\(path: id.text)' is there a second time", at: span,
      labels: [.init(first, "the first")])
  }

  static func duplicate(address: String, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "'\(path: address)' is the address of another asset, too", at: span,
      labels: [.init(first, "the first")])
  }

  static func duplicate(_ id: PackID, given path: String, and other: String) -> Finding {
    duplicate.finding(
      "'\(path: id.text)' of '\(path: path)' is in '\(path: other)', too", at: nil,
      fixes: [Fix("give the folder that both are in", .shownOnly)])
  }

  /// What the app waits for comes first.
  static let order = Rule(
    "unmanaged.order", .always(.warning),
    what: "An essential asset stands behind others.",
    why: """
      Extensions ask for downloads in the order of the manifest; what the app waits for should not \
      wait for the rest.
      """,
    example: .init(
      wrong: #""assets": [{"essential": false, …}, {"essential": true, …}]"#,
      right: #""assets": [{"essential": true, …}, {"essential": false, …}]"#))

  static func order(_ id: PackID, at span: SourceSpan) -> Finding {
    order.finding(
      "'\(path: id.text)' is essential and stands behind what is not", at: span,
      fixes: [Fix("move it to the front", .shownOnly)])
  }

  /// What is served is what the manifest says.
  static let file = Rule(
    "unmanaged.file",
    what: "A file is missing, or has another size or other bytes than the manifest says.",
    why: "A download of another size fails on every device, and one of other bytes is thrown away.",
    example: .init(
      wrong: #""assets": [{"fileSize": 11, …}]"#, right: #""assets": [{"fileSize": 10, …}]"#))

  static func file(missingFor id: PackID, at span: SourceSpan) -> Finding {
    file.finding("there is no file '\(path: id.text)'", at: span)
  }

  static func file(
    of id: PackID, size: UInt64, not written: UInt64, at span: SourceSpan
  ) -> Finding {
    file.finding(
      "'\(path: id.text)' has \(size) bytes, not \(written)", at: span,
      fixes: [Fix("update the manifest", .shownOnly)])
  }

  static func file(of id: PackID, otherBytesAt span: SourceSpan) -> Finding {
    file.finding(
      "'\(path: id.text)' has other bytes than its SHA-256", at: span,
      fixes: [Fix("update the manifest", .shownOnly)])
  }

  /// A file that nobody downloads.
  static let unlisted = Rule(
    "unmanaged.unlisted", .always(.warning),
    what: "A file is not in the manifest.",
    why: "The app cannot download it; perhaps it is new.",
    example: .init(
      wrong: "level-2.dat, of which the manifest knows nothing", right: "only what it names"))

  static func unlisted(_ id: PackID, at span: SourceSpan?) -> Finding {
    unlisted.finding("the file '\(path: id.text)' is not in the manifest", at: span)
  }

  /// The system and an extension do not both manage downloads.
  static let managed = Rule(
    "unmanaged.managed", .usually(.error, .warning, when: "it is false"),
    what: """
      'BAHasManagedAssetPacks' or 'BAUsesAppleHosting' is in the Info.plist of an app that \
      downloads by itself.
      """,
    why: """
      With them the system reads the manifest as one of packs, or looks for packs in the App \
      Store, and does not ask the extension. Apple's description of such apps has neither key.
      """,
    example: .init(
      wrong: "<key>BAHasManagedAssetPacks</key><true/>", right: "no such key"))

  static func managed(
    _ values: InfoPlist, in plist: InfoPlistDocument, _ findings: inout Ledger
  ) {
    typealias Key = InfoPlist.Key
    let keys: [(name: String, value: Bool?, effect: Finding.Message)] = [
      (
        Key.hasManagedAssetPacks, values.hasManagedAssetPacks,
        "is true: the system would manage the downloads"
      ),
      (
        Key.usesAppleHosting, values.usesAppleHosting,
        "is true: the app would ask the App Store for packs"
      ),
    ]
    for key in keys {
      guard let value = key.value else { continue }
      let span = plist.span(of: key.name)
      let fix = Fix("remove the key", .shownOnly)
      findings.add(
        value
          ? managed.finding("'\(key.name)' \(key.effect)", at: span, fixes: [fix])
          : managed.exception(
            "'\(key.name)' is for apps with managed packs", at: span, fixes: [fix]))
    }
  }
}
