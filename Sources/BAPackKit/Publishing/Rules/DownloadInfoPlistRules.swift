import SourceDiagnostics

/// What can be wrong with the property list of an app that has packs of its own.
enum DownloadInfoPlistRules {
  static let all: [Rule] = [
    infoPlist, allowance,
  ]

  /// The information property list of an app with packs of its own has certain keys.
  static let infoPlist = Rule(
    "download.info-plist",
    what: "A key of 'Info.plist' that a self-hosted app needs is missing or has a wrong value.",
    why: """
      The app crashes at its first use of Background Assets without BAInitialDownloadRestrictions, \
      or without an allowance in it, even one of 0. Without BAManifestURL nothing is downloaded, \
      and BAUsesAppleHosting sends the app to the App Store for its packs.
      """,
    example: .init(
      wrong: "<key>BAManifestURL</key><string>http://example.com/manifest.json</string>",
      right: "<key>BAManifestURL</key><string>https://example.com/manifest.json</string>"))

  /// The keys that every such app needs.
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
          Key.domains, because: "no host is allowed without it", isManaged: isManaged,
          at: plist.span(of: Key.restrictions)))
    }
    if isManaged, values.usesAppleHosting == true {
      findings.add(
        infoPlist(
          Key.usesAppleHosting, "is true: the app would ask the App Store for its packs",
          isManaged: isManaged, at: plist.span(of: Key.usesAppleHosting)))
    }
    // An extension of the app names the group in each download.
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
            Key.manifestURL, "takes a whole https address, not '\(url)'", isManaged: isManaged,
            at: plist.span(of: Key.manifestURL)))
      }
    } else if isMissing(Key.manifestURL) {
      findings.add(
        missing(
          Key.manifestURL, because: "devices find the manifest by it", isManaged: isManaged))
    }
  }

  /// A size that the packs of a first installation need, or that every app needs.
  static func infoPlist(
    withoutSize key: InfoPlist.SizeKey, for packs: [PackID], _ values: InfoPlist,
    in plist: InfoPlistDocument
  ) -> Finding? {
    // It would stand in a dictionary that is missing as a whole.
    let isInside = key.isDownload && !values.hasRestrictions
    guard !isInside, !plist.refusedKeys.contains(key.rawValue) else { return nil }
    guard key.isDownload || !packs.isEmpty else { return nil }
    let kind = key.kind(isManaged: plist.isManaged)
    return missing(
      key.rawValue,
      because: packs.isEmpty
        ? "the app crashes without it, even if it is 0"
        : "there are \(kind): \(Finding.list(packs.map(\.text), atMost: 8))",
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
    case InfoPlist.Key.manifestURL: .nameManifestAddress
    case InfoPlist.Key.appGroupID: .nameAppGroup
    default: isManaged ? .printInfoPlist : .printUnmanagedInfoPlist
    }
  }

  /// A key with another value than it takes.
  static func infoPlist(
    _ key: String, _ expectation: Finding.Message, isManaged: Bool, at span: SourceSpan?
  ) -> Finding {
    infoPlist.finding(
      "'\(key)' \(expectation)", at: span, fixes: [Fix([remedy(for: key, isManaged)])])
  }

  /// A file that is no property list.
  static func infoPlist(unreadable reason: String? = nil) -> Finding {
    infoPlist.finding(
      "this is not a property list with keys", at: nil,
      notes: reason.map { [.init(whole: $0)] } ?? [],
      fixes: [Fix("give the app's Info.plist, as XML or binary", .shownOnly)])
  }

  /// The packs of a first installation fit into what the app announces.
  static let allowance = Rule(
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

  static func allowance(
    _ key: InfoPlist.SizeKey, sum: UInt64, allowed: UInt64, packs: [PackID], isManaged: Bool,
    at span: SourceSpan?
  ) -> Finding? {
    guard sum > allowed else { return nil }
    // Only packs are archives.
    let state: Finding.Message = isManaged ? " \(key.state)" : ""
    return allowance.finding(
      "\(key.rawValue) is \(allowed), and the \(key.kind(isManaged: isManaged)) have \(sum) bytes"
        + state,
      at: span, notes: ["they are \(Finding.list(packs.map(\.text), atMost: 8))"],
      fixes: [Fix(["raise it", remedy(for: key.rawValue, isManaged)])])
  }
}
