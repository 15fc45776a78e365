import SourceDiagnostics
import TerminalText

/// The rules for downloads of an app without managed packs.
enum UnmanagedRules {
  static let all: [Rule] = [
    otherText, format, value, duplicate, order, file, unlisted, managed,
  ]

  static let otherText = Rule(
    "unmanaged.other-text",
    what: "The file is not an unmanaged manifest.",
    why: """
      Download manifests and manifests of packs are for other commands, and must not be \
      overwritten by mistake.
      """,
    example: .init(
      wrong: #""assetPacks": []"#, right: #""assets": []"#))

  static func otherText(_ root: JSONNode) -> Finding? {
    guard root["assets"] == nil else { return nil }
    let kind: Finding.Message
    if root["assetPacks"] != nil {
      kind = "a download manifest, not an unmanaged manifest"
    } else if root[ManifestKeys.assetPackID.name] != nil {
      kind = "the manifest of a pack, not an unmanaged manifest"
    } else {
      return nil
    }
    return otherText.finding("this is \(kind)", at: nil)
  }

  static let format = Rule(
    "unmanaged.format",
    what: "The format number is not supported.",
    why: "A newer format may use the same keys with other meanings.",
    example: .init(wrong: #""format": 2"#, right: #""format": 1"#))

  static func format(of node: JSONNode) -> Finding? {
    guard node.number != String(UnmanagedManifest.format) else { return nil }
    return format.finding(
      "unsupported format; the supported format is \(UnmanagedManifest.format)", at: node.span,
      fixes: [Fix("use the version of ba-package that wrote it", .shownOnly)])
  }

  static let value = Rule(
    "unmanaged.value",
    what:
      "A size, digest, version, name or template of an unmanaged manifest is invalid.",
    why: "The system rejects a download with another size, and the app checks the digest.",
    example: .init(
      wrong: #""assets": [{"fileSize": -1, …}]"#, right: #""assets": [{"fileSize": 10, …}]"#))

  static func value(_ phrase: Finding.Message, at span: SourceSpan?) -> Finding {
    value.finding(phrase, at: span)
  }

  static let duplicate = Rule(
    "unmanaged.duplicate",
    what: "Two assets have the same identifier or the same address.",
    why: "The extension and the app identify a download by its identifier: one would be lost.",
    example: .init(
      wrong: #""assets": [{"identifier": "a", …}, {"identifier": "a", …}]"#,
      right: #""assets": [{"identifier": "a", …}, {"identifier": "b", …}]"#))

  static func duplicate(_ id: PackID, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "duplicate identifier '\(path: id.text)'", at: span,
      labels: [.init(first, "first written here")])
  }

  static func duplicate(address: String, at span: SourceSpan, first: SourceSpan) -> Finding {
    duplicate.finding(
      "duplicate address '\(path: publicAddress(address))'", at: span,
      labels: [.init(first, "first written here")])
  }

  static func duplicate(_ id: PackID, given path: String, and other: String) -> Finding {
    duplicate.finding(
      "'\(path: id.text)' is in both '\(path: path)' and '\(path: other)'", at: nil,
      fixes: [Fix("specify the folder that contains both", .shownOnly)])
  }

  static let order = Rule(
    "unmanaged.order", .always(.warning),
    what: "An essential asset is listed after other assets.",
    why: """
      Extensions request downloads in the order of the manifest. The app waits for essential \
      assets, so they should be first.
      """,
    example: .init(
      wrong: #""assets": [{"essential": false, …}, {"essential": true, …}]"#,
      right: #""assets": [{"essential": true, …}, {"essential": false, …}]"#))

  static func order(_ id: PackID, at span: SourceSpan) -> Finding {
    order.finding(
      "'\(path: id.text)' is essential, but is listed after assets that are not", at: span,
      fixes: [Fix("move it to the front of the list", .shownOnly)])
  }

  static let file = Rule(
    "unmanaged.file",
    what: "A file is missing, or its size or digest differs from the manifest.",
    why: """
      A download with another size fails on every device. The app discards a file with another \
      digest.
      """,
    example: .init(
      wrong: #""assets": [{"fileSize": 11, …}]"#, right: #""assets": [{"fileSize": 10, …}]"#))

  static func file(missingFor id: PackID, at span: SourceSpan) -> Finding {
    file.finding("there is no file '\(path: id.text)'", at: span)
  }

  static func file(
    of id: PackID, size: UInt64, not written: UInt64, at span: SourceSpan
  ) -> Finding {
    file.finding(
      "'\(path: id.text)' has \(size) bytes, but the manifest specifies \(written)", at: span,
      fixes: [Fix("update the manifest", .shownOnly)])
  }

  static func file(of id: PackID, otherBytesAt span: SourceSpan) -> Finding {
    file.finding(
      "'\(path: id.text)' does not match its SHA-256", at: span,
      fixes: [Fix("update the manifest", .shownOnly)])
  }

  static let unlisted = Rule(
    "unmanaged.unlisted", .always(.warning),
    what: "A file is not in the manifest.",
    why: "The app cannot download the file. It may be new.",
    example: .init(
      wrong: "level-2.dat, which is not in the manifest", right: "only files in the manifest"))

  static func unlisted(_ id: PackID, at span: SourceSpan?) -> Finding {
    unlisted.finding("the file '\(path: id.text)' is not in the manifest", at: span)
  }

  static let managed = Rule(
    "unmanaged.managed", .usually(.error, .warning, when: "the value is false"),
    what: """
      The Info.plist of an app without managed packs contains 'BAHasManagedAssetPacks' or \
      'BAUsesAppleHosting'.
      """,
    why: """
      With these keys, the system reads the manifest as a download manifest of packs, or searches \
      for packs in the App Store. It does not call the extension. Apple's documentation for such \
      apps lists neither key.
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
        "is true: the app would request packs from the App Store"
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
