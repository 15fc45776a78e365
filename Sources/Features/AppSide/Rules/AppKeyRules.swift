import BAPackKit
import SourceDiagnostics

/// The rules for the keys of the app's property list.
enum AppKeyRules {
  static let all: [AppRule] = [
    propertyList, noKeys, missingKey, keyType, foreignKey, keyPlace, groupForm,
  ]

  static let propertyList = AppRule(
    "app.property-list",
    what: "The Info.plist of an app or of an extension cannot be read.",
    answer: "App Store Connect rejects the build", .low,
    why: "Without its property list, most properties of a bundle are unknown.",
    example: .init(
      wrong: "Game.app/Info.plist: <plist><dict><key>CFBundleIdentifier</key>",
      right: "Game.app/Info.plist: a complete property list in XML or binary form"))

  static func propertyList(_ reason: Unreadable) -> Finding {
    propertyList.finding(
      "this is not a property list with a dictionary as its root: \(reason.reason)",
      at: reason.span.length > 0 ? reason.span : nil, change: reason.remedy)
  }

  static let noKeys = AppRule(
    "app.no-keys",
    what: "The app has no keys of Background Assets.",
    answer: """
      the app ends with 'Fatal error: The app couldn't be validated: The bundle's info dictionary \
      lacks a string value for the key "BAAppGroupID".'
      """, .high,
    why: "The keys belong in the Info.plist of the app, not in the one of the extension.",
    example: .init(
      wrong: "Game.app/Info.plist: no key begins with BA",
      right: "Game.app/Info.plist: BAAppGroupID, BAHasManagedAssetPacks, BAUsesAppleHosting"))

  static func noKeys(at span: SourceSpan?) -> Finding {
    noKeys.finding(
      "the app's Info.plist has no keys of Background Assets", at: span,
      change: """
        add 'BAAppGroupID', 'BAHasManagedAssetPacks' and 'BAUsesAppleHosting' for packs that Apple \
        hosts
        """)
  }

  static let missingKey = AppRule(
    "app.missing-key",
    what: "A key that packs of Apple's hosting need is missing or false.",
    answer: """
      App Store Connect answers ITMS-90923 or ITMS-90924, which demand the keys of a self-hosted \
      app; without BAAppGroupID, the app ends with 'Fatal error: The app couldn't be validated'
      """, .medium,
    why: """
      Packs on Apple's servers need BAAppGroupID, BAHasManagedAssetPacks and BAUsesAppleHosting. \
      Do not add the keys that App Store Connect demands.
      """,
    example: .init(
      wrong: "BAAppGroupID = group.com.example.game; BAHasManagedAssetPacks = YES;",
      right: """
        BAAppGroupID = group.com.example.game; BAHasManagedAssetPacks = YES;
        BAUsesAppleHosting = YES;
        """))

  static func missingKey(_ key: String, at span: SourceSpan?) -> Finding {
    let isGroup = key == "BAAppGroupID"
    return missingKey.finding(
      isGroup
        ? "the key '\(key)' is missing" : "the key '\(key)' must be true for Apple's hosting",
      at: span,
      change: isGroup
        ? "add '\(key)' with the app group of the app and of its extension"
        : "add '\(key)' with the value true")
  }

  static let keyType = AppRule(
    "app.key-type",
    what: "A key of Background Assets has a value of the wrong type.",
    answer: "App Store Connect rejects the build, or the app ends at its first call", .low,
    why: "BAAppGroupID is a string, BAHasManagedAssetPacks and BAUsesAppleHosting are booleans.",
    example: .init(
      wrong: "<key>BAUsesAppleHosting</key><string>YES</string>",
      right: "<key>BAUsesAppleHosting</key><true/>"))

  static func keyType(_ key: String, _ type: Finding.Message, at span: SourceSpan?) -> Finding {
    keyType.finding(
      "'\(key)' must be \(type)", at: span, change: "write \(type)")
  }

  static let foreignKey = AppRule(
    "app.foreign-key",
    what: "A key of Background Assets is for another kind of hosting.",
    answer: """
      App Store Connect or the system takes the app for one with another hosting, and its packs \
      are not downloaded
      """, .high,
    why: """
      With Apple's hosting, only BAAppGroupID, BAHasManagedAssetPacks and BAUsesAppleHosting are \
      allowed. An app without managed packs has neither of the last two.
      """,
    example: .init(
      wrong: """
        BAUsesAppleHosting = YES; BAManifestURL = "https://downloads.example.com/m.json";
        """,
      right: "BAUsesAppleHosting = YES;"))

  static func foreignKey(_ key: String, _ hosting: Finding.Message, at span: SourceSpan?) -> Finding
  {
    foreignKey.finding(
      "'\(key)' must not be in the Info.plist of an app with \(hosting)", at: span,
      change: "remove the key")
  }

  static let keyPlace = AppRule(
    "app.key-place", .always(.warning),
    what: "The Info.plist of an extension has keys of Background Assets.",
    answer: "the system reads these keys only from the app's Info.plist", .high,
    example: .init(
      wrong: "Downloader.appex/Info.plist: BAAppGroupID = group.com.example.game",
      right: "Game.app/Info.plist: BAAppGroupID = group.com.example.game"))

  static func keyPlace(_ keys: [String], at span: SourceSpan?) -> Finding {
    keyPlace.finding(
      "the extension's Info.plist has \(Finding.list(keys))", at: span,
      change: "move the keys to the app's Info.plist")
  }

  static let groupForm = AppRule(
    "app.group-form",
    what: "The value of BAAppGroupID is not the ID of an app group.",
    answer: """
      App Store Connect answers: "each string is the "group" value or your Team ID, followed by a \
      dot ("."), followed by the group name."
      """, .high,
    example: .init(
      wrong: "BAAppGroupID = com.example.game", right: "BAAppGroupID = group.com.example.game"))

  /// Whether a text has the form of a group's ID: `group.NAME`, or `TEAM.NAME` on macOS.
  static func isGroup(_ group: String, isMac: Bool, team: String? = nil) -> Bool {
    let prefix = group.prefix { $0 != "." }
    let isTeam =
      isMac
      && (team.map { $0 == prefix }
        ?? (prefix.utf8.count == 10 && prefix.allSatisfy { $0.isUppercase || $0.isNumber }))
    return prefix == "group" && prefix.endIndex != group.endIndex || isTeam
  }

  static func groupForm(_ group: String, isMac: Bool, at span: SourceSpan?) -> Finding {
    groupForm.finding(
      "the app group '\(group)' does not begin with 'group.'"
        + (isMac ? " or with the team ID" : ""),
      at: span, change: "use the ID of the group in the app's entitlements")
  }
}
