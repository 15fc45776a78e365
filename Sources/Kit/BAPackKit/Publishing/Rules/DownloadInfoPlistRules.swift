import SourceDiagnostics
import TerminalText

/// The rules for the property list of an app with self-hosted packs.
enum DownloadInfoPlistRules {
  static let all: [Rule] = [
    infoPlist, allowance,
  ]

  static let infoPlist = Rule(
    "download.info-plist",
    what: "A key of 'Info.plist' that a self-hosted app needs is missing or has a wrong value.",
    why: """
      Without BAInitialDownloadRestrictions and its allowances, the app crashes when it first uses \
      Background Assets. An allowance may be 0. Without BAManifestURL the app downloads no packs. \
      With BAUsesAppleHosting the app requests its packs from the App Store.
      """,
    example: .init(
      wrong: "<key>BAManifestURL</key><string>http://example.com/manifest.json</string>",
      right: "<key>BAManifestURL</key><string>https://example.com/manifest.json</string>"))

  /// Reports the keys that every self-hosted app needs.
  static func infoPlist(
    _ values: InfoPlist, in plist: InfoPlistDocument, allowingHTTP: Bool,
    _ findings: inout Ledger
  ) {
    typealias Key = InfoPlist.Key
    let isManaged = plist.isManaged
    func isMissing(_ key: String) -> Bool { !plist.refusedKeys.contains(key) }
    if !values.hasRestrictions {
      findings.add(
        missing(Key.restrictions, because: "the app crashes without it", isManaged: isManaged))
    } else if values.domains == nil, isMissing(Key.domains) {
      findings.add(
        missing(
          Key.domains, because: "without it no host is allowed", isManaged: isManaged,
          at: plist.span(of: Key.restrictions)))
    }
    if isManaged, values.usesAppleHosting == true {
      findings.add(
        infoPlist(
          Key.usesAppleHosting, "is true: the app would request its packs from the App Store",
          isManaged: isManaged, at: plist.span(of: Key.usesAppleHosting)))
    }
    // The app's extension passes the group to each download.
    if isManaged, values.appGroupID == nil, isMissing(Key.appGroupID) {
      findings.add(
        missing(
          Key.appGroupID, because: "the app and its extension share their packs through it",
          isManaged: isManaged))
    }
    if let url = values.manifestURL {
      if WebAddress(url).map({ $0.isSecure || allowingHTTP }) != true {
        findings.add(
          infoPlist(
            Key.manifestURL, "must be a complete https address, not '\(publicAddress(url))'",
            isManaged: isManaged,
            at: plist.span(of: Key.manifestURL)))
      }
    } else if isMissing(Key.manifestURL) {
      findings.add(
        missing(
          Key.manifestURL, because: "devices download the manifest from this address",
          isManaged: isManaged))
    }
  }

  /// Returns a finding about a missing size that every app or the packs of a first installation
  /// need.
  static func infoPlist(
    withoutSize key: InfoPlist.SizeKey, for packs: [PackID], _ values: InfoPlist,
    in plist: InfoPlistDocument
  ) -> Finding? {
    // The key belongs in a dictionary that is missing.
    let isInside = key.isDownload && !values.hasRestrictions
    guard !isInside, !plist.refusedKeys.contains(key.rawValue) else { return nil }
    guard key.isDownload || !packs.isEmpty else { return nil }
    let kind = key.kind(isManaged: plist.isManaged)
    return missing(
      key.rawValue,
      because: packs.isEmpty
        ? "the app crashes without it, even if it is 0"
        : "the app has \(kind): \(Finding.list(packs.map(\.text), atMost: 8))",
      isManaged: plist.isManaged,
      at: key.isDownload ? plist.span(of: InfoPlist.Key.restrictions) : nil)
  }

  private static func missing(
    _ key: String, because reason: Finding.Message, isManaged: Bool, at span: SourceSpan? = nil
  ) -> Finding {
    infoPlist.finding(
      "the key '\(key)' is missing", at: span, notes: [reason],
      fixes: [Fix([remedy(for: key, isManaged)])])
  }

  /// The remedy for a missing key: a value from the user, or the command that computes the value.
  private static func remedy(for key: String, _ isManaged: Bool) -> Remedy {
    switch key {
    case InfoPlist.Key.manifestURL: .specifyManifestAddress
    case InfoPlist.Key.appGroupID: .specifyAppGroup
    default: isManaged ? .printInfoPlist : .printUnmanagedInfoPlist
    }
  }

  /// Returns a finding about a key with an invalid value.
  static func infoPlist(
    _ key: String, _ expectation: Finding.Message, isManaged: Bool, at span: SourceSpan?
  ) -> Finding {
    infoPlist.finding(
      "'\(key)' \(expectation)", at: span, fixes: [Fix([remedy(for: key, isManaged)])])
  }

  /// Returns a finding about a file that is not a property list.
  static func infoPlist(
    unreadable reason: Finding.Message? = nil, at span: SourceSpan? = nil
  ) -> Finding {
    infoPlist.finding(
      "this is not a property list with a dictionary as its root", at: span,
      notes: reason.map { [$0] } ?? [],
      fixes: [Fix("specify the app's Info.plist (XML or binary)", .shownOnly)])
  }

  static let allowance = Rule(
    "download.allowance",
    what: "The packs exceed a size limit in 'Info.plist'.",
    why: """
      These keys limit the bytes that the system downloads and unpacks before the first launch: \
      BAEssentialDownloadAllowance and BAEssentialMaxInstallSize for essential packs, \
      BADownloadAllowance and BAMaxInstallSize for prefetched packs. Packs that exceed the limit \
      are not available then.
      """,
    example: .init(
      wrong: "BADownloadAllowance = 1000000 and prefetched packs of 1200000 bytes",
      right: "BADownloadAllowance = 1500000 and prefetched packs of 1200000 bytes"))

  static func allowance(
    _ key: InfoPlist.SizeKey, sum: UInt64, allowed: UInt64, packs: [PackID], isManaged: Bool,
    at span: SourceSpan?
  ) -> Finding? {
    guard sum > allowed else { return nil }
    // Only packs have a packed and an unpacked size.
    let state: Finding.Message = isManaged ? " \(key.state)" : ""
    return allowance.finding(
      "\(key.rawValue) is \(allowed), but the \(key.kind(isManaged: isManaged)) have \(sum) bytes"
        + state,
      at: span, notes: ["the packs are \(Finding.list(packs.map(\.text), atMost: 8))"],
      fixes: [Fix(["increase the value", remedy(for: key.rawValue, isManaged)])])
  }
}
