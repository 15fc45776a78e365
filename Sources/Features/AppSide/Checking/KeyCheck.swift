import BAPackKit
import SourceDiagnostics

/// The checks of property lists, which are the same for built apps and for projects.
///
/// A value with `$(` of a source file is known only after the build, and is not checked.
struct KeyCheck {
  typealias Key = InfoPlist.Key

  static let extensionPoint = "com.apple.background-asset-downloader-extension"
  private static let versions = ["CFBundleShortVersionString", "CFBundleVersion"]

  /// Whether the lists are source files, to which Xcode adds keys.
  var isSource = false
  /// Whether the app is for macOS.
  var isMac = false
  var team: String?

  // MARK: App

  /// Checks the keys of an app; `plan` are the downloads of self-hosted packs.
  func check(
    app list: InfoList, _ hosting: AppHosting?, against plan: DownloadPlan,
    _ findings: inout Ledger
  ) {
    findings.turn(to: list.source)
    switch hosting {
    case .none: findings.add(AppKeyRules.noKeys(at: nil))
    case .apple: checkAppleHosting(list, &findings)
    case .selfHosted, .unmanaged:
      let isManaged = hosting == .selfHosted
      let document = InfoPlistDocument(
        parsing: list.source.bytes, named: list.source.name, isManaged: isManaged)
      var own = Ledger()
      document.check(against: plan, allowingHTTP: false, &own)
      own.revise(Self.addAnswer)
      findings.add(contentsOf: own)
      findings.turn(to: list.source)
      if !isManaged { checkUnmanaged(list, &findings) }
    }
    if let group = list.string(Key.appGroupID) { check(group: group, of: list, &findings) }
  }

  /// Adds the text with which the system ends an app to a finding about its keys.
  static func addAnswer(_ finding: inout Finding) {
    guard finding.id.name == "download.info-plist" else { return }
    finding.notes.append(
      "the app ends with 'BUG IN CLIENT OF BackgroundAssets: …' (certainty: medium)")
  }

  private func checkAppleHosting(_ list: InfoList, _ findings: inout Ledger) {
    let booleans = [Key.hasManagedAssetPacks, Key.usesAppleHosting]
    for key in booleans {
      let span = list.span(of: key)
      switch list[key]?.kind {
      case .bool(true): break
      case .bool(false), nil: findings.add(AppKeyRules.missingKey(key, at: span))
      default: findings.add(AppKeyRules.keyType(key, "true or false", at: span))
      }
    }
    if list[Key.appGroupID] == nil {
      findings.add(AppKeyRules.missingKey(Key.appGroupID, at: nil))
    } else if list.string(Key.appGroupID) == nil {
      findings.add(
        AppKeyRules.keyType(Key.appGroupID, "a string", at: list.span(of: Key.appGroupID)))
    }
    let allowed = Set(booleans + [Key.appGroupID])
    for key in Self.keys(of: list) where !allowed.contains(key) {
      findings.add(AppKeyRules.foreignKey(key, "Apple's hosting", at: list.span(of: key)))
    }
  }

  private func checkUnmanaged(_ list: InfoList, _ findings: inout Ledger) {
    for key in [Key.hasManagedAssetPacks, Key.usesAppleHosting] where list[key] != nil {
      findings.add(AppKeyRules.foreignKey(key, "unmanaged downloads", at: list.span(of: key)))
    }
  }

  /// The keys of Background Assets in a list.
  static func keys(of list: InfoList) -> [String] {
    list.root.members.map(\.key).filter { key in
      // Other keys of Apple begin with two letters of their framework, too.
      key.hasPrefix("BA") && key.utf8.dropFirst(2).first.map { (0x41...0x5A).contains($0) } == true
    }
  }

  private func check(group: String, of list: InfoList, _ findings: inout Ledger) {
    guard !group.contains("$(") else { return }
    if !AppKeyRules.isGroup(group, isMac: isMac, team: team) {
      findings.add(
        AppKeyRules.groupForm(group, isMac: isMac, at: list.span(of: Key.appGroupID)))
    }
  }

  // MARK: Extension

  /// Checks the property list of a downloader extension against the one of the app.
  func check(
    extension list: InfoList, of app: InfoList?, isDeep: Bool, _ findings: inout Ledger
  ) {
    findings.turn(to: list.source)
    let attributes = list["EXAppExtensionAttributes"]
    if list["NSExtension"] != nil {
      findings.add(AppExtensionRules.oldKind(at: list.span(of: "NSExtension")))
    } else if attributes?.string("EXExtensionPointIdentifier") != Self.extensionPoint {
      findings.add(
        AppExtensionRules.point(
          attributes?.string("EXExtensionPointIdentifier"),
          at: list.span(of: "EXAppExtensionAttributes")))
    }
    if !isSource { checkValues(list, isDeep: isDeep, &findings) }
    let own = Self.keys(of: list)
    if !own.isEmpty { findings.add(AppKeyRules.keyPlace(own, at: list.span(of: own[0]))) }
    guard let app else { return }
    for key in Self.versions {
      guard let value = Self.known(key, list), let wanted = Self.known(key, app), value != wanted
      else { continue }
      findings.add(AppExtensionRules.version(key, value, app: wanted, at: list.span(of: key)))
    }
    if let value = Self.known("CFBundleIdentifier", list),
      let wanted = Self.known("CFBundleIdentifier", app), !value.hasPrefix(wanted + ".")
    {
      findings.add(
        AppExtensionRules.identifier(value, app: wanted, at: list.span(of: "CFBundleIdentifier")))
    }
  }

  private func checkValues(_ list: InfoList, isDeep: Bool, _ findings: inout Ledger) {
    let keys =
      ["CFBundleIdentifier", "CFBundleExecutable", "CFBundleName", "CFBundleDisplayName"]
      + Self.versions + [isDeep ? "LSMinimumSystemVersion" : "MinimumOSVersion"]
    for key in keys where list.string(key)?.isEmpty ?? true {
      findings.add(AppExtensionRules.listKey(key, at: list.span(of: key)))
    }
    let kind = list.string("CFBundlePackageType")
    if kind != "XPC!" {
      findings.add(
        AppExtensionRules.listKey(
          "CFBundlePackageType", at: list.span(of: "CFBundlePackageType"), value: kind))
    }
  }

  /// Returns a text that does not depend on build settings.
  private static func known(_ key: String, _ list: InfoList) -> String? {
    list.string(key).flatMap { $0.contains("$(") ? nil : $0 }
  }

  /// Whether an extension is intended to be a downloader, also if a part of it is wrong.
  static func isDownloader(_ list: InfoList?) -> Bool {
    let point =
      list?["EXAppExtensionAttributes"]?.string("EXExtensionPointIdentifier")
      ?? list?["NSExtension"]?.string("NSExtensionPointIdentifier")
    guard let point = point?.lowercased() else { return false }
    return point.contains("background") && point.contains("asset")
  }
}
