import BAPackKit
import SourceDiagnostics

/// The rules for signatures, entitlements and profiles.
enum AppSignatureRules {
  static let all: [AppRule] = [
    program, unsigned, group, profileGroup, profile, team, teamEntitlement, applicationID, sandbox,
  ]

  static let program = AppRule(
    "app.program",
    what: "A program of the app is missing, damaged, or not for Apple systems.",
    answer: "App Store Connect rejects the build", .low,
    example: .init(
      wrong: "Game.app/Game is missing", right: "Game.app/Game is a Mach-O program"))

  static func program(_ reason: Unreadable) -> Finding {
    program.finding("the program cannot be read: \(reason.reason)", change: reason.remedy)
  }

  static let unsigned = AppRule(
    "app.unsigned", .usually(.note, .error, when: "only the extension is unsigned"),
    what: "A program has no signature.",
    answer: """
      the system does not register an unsigned extension, and the app ends with 'The app lacks a \
      Background Assets downloader extension.'
      """, .medium,
    why: "Groups, team and application identifier are known only from the signature.",
    example: .init(
      wrong: "Downloader.appex/Downloader has no signature",
      right: "Downloader.appex/Downloader is signed by the team of the app"))

  static func unsigned(isOnlyExtension: Bool) -> Finding {
    isOnlyExtension
      ? unsigned.exception(
        "the app is signed, but its extension is not", change: "sign the extension, too")
      : unsigned.finding(
        "the program is unsigned: its app groups, its team and its identifier cannot be checked",
        change: "check the app again after it is signed for distribution")
  }

  static let group = AppRule(
    "app.group",
    what: "The signature does not allow the app group of BAAppGroupID.",
    answer: """
      App Store Connect answers ITMS-90958 if the extension lacks the group; on a device, the app \
      and its extension do not share the packs
      """, .medium,
    why: """
      The entitlement com.apple.security.application-groups must have the group in the app and in \
      the extension. Entitlements files in the sources prove nothing; those in the signature count.
      """,
    example: .init(
      wrong: "com.apple.security.application-groups = ();",
      right: "com.apple.security.application-groups = (group.com.example.game);"))

  static func group(_ wanted: String, has: [String]) -> Finding {
    group.finding(
      has.isEmpty
        ? "the signature has no app groups, but BAAppGroupID is '\(wanted)'"
        : "the signature has \(Finding.list(has)), but not the group '\(wanted)' of BAAppGroupID",
      change: """
        add the group to the entitlements of the app and of the extension, and assign it to both \
        App IDs
        """)
  }

  static let profileGroup = AppRule(
    "app.profile-group",
    what: "The provisioning profile does not allow the app group of BAAppGroupID.",
    answer: "signing fails, or the system refuses to install or to start the program", .medium,
    why: """
      The group must be assigned to the App ID of the app and to the App ID of the extension. A \
      wildcard App ID cannot have an app group.
      """,
    example: .init(
      wrong: "embedded.mobileprovision without com.apple.security.application-groups",
      right: "embedded.mobileprovision with the group 'group.com.example.game'"))

  static func profileGroup(_ wanted: String, _ name: String?, isWildcard: Bool) -> Finding {
    profileGroup.finding(
      (name.map { "the profile '\($0)'" } ?? "the profile")
        + " does not have the group '\(wanted)'"
        + (isWildcard ? ", because its App ID is a wildcard" : ""),
      change: """
        assign the group to the App ID in the developer portal, and generate the profile again
        """)
  }

  static let profile = AppRule(
    "app.profile",
    what: "A provisioning profile cannot be read.",
    answer: "the system refuses to install the app", .low,
    example: .init(
      wrong: "embedded.mobileprovision is empty",
      right: "embedded.mobileprovision from the developer portal"))

  static func profile(_ reason: Unreadable) -> Finding {
    profile.finding("the profile cannot be read: \(reason.reason)", change: reason.remedy)
  }

  static let team = AppRule(
    "app.team",
    what: "The signature has no team, or the app and its extension have different teams.",
    answer: "the app ends with 'The process lacks a team ID.'", .high,
    why: "Signatures that are ad hoc or written by a linker have no team.",
    example: .init(
      wrong: "codesign -s - Game.app", right: "codesign -s 'Apple Distribution' Game.app"))

  static func team(isAdHoc: Bool) -> Finding {
    team.finding(
      isAdHoc ? "the signature is ad hoc, without a team" : "the signature has no team",
      change: "sign with a certificate of the team")
  }

  static func team(_ own: String, app: String) -> Finding {
    team.finding(
      "the team of the extension is '\(own)', but the team of the app is '\(app)'",
      change: "sign both with the same team")
  }

  static let teamEntitlement = AppRule(
    "app.team-entitlement", .always(.warning),
    what: "The signature lacks the entitlement com.apple.developer.team-identifier.",
    answer: """
      downloads that the app requests never start ("Awaiting status updates…"); prefetch packs \
      still arrive
      """, .medium,
    why: "Xcode adds the entitlement; other packagers must add it.",
    example: .init(
      wrong: "entitlements without com.apple.developer.team-identifier",
      right: "com.apple.developer.team-identifier = ABCDE12345;"))

  static func teamEntitlement(of program: String) -> Finding {
    teamEntitlement.finding(
      "the signature of '\(path: program)' lacks 'com.apple.developer.team-identifier'",
      change: "add the entitlement with the team ID")
  }

  static let applicationID = AppRule(
    "app.application-identifier", .always(.warning),
    what: "The signature lacks the application identifier, or the extension its profile.",
    answer: """
      App Store Connect answers ITMS-90886 or ITMS-90885, and the build cannot be used in \
      TestFlight
      """, .high,
    example: .init(
      wrong: "codesign without entitlements",
      right: "application-identifier = ABCDE12345.com.example.game;"))

  static func applicationID(missing key: String) -> Finding {
    applicationID.finding(
      "the signature lacks '\(key)', which the profile has",
      change: "sign with the entitlements of the profile")
  }

  static func applicationID(withoutProfile name: String) -> Finding {
    applicationID.finding(
      "the app has a profile, but the extension has none",
      change: "embed the profile of the extension as '\(name)'")
  }

  static let sandbox = AppRule(
    "app.sandbox", .always(.warning),
    what: "An app for macOS without managed packs, or its extension, is not in the sandbox.",
    answer: "the system does not start the extension", .high,
    example: .init(
      wrong: "entitlements without com.apple.security.app-sandbox",
      right: "com.apple.security.app-sandbox = YES;"))

  static func sandbox(of program: String) -> Finding {
    sandbox.finding(
      "the signature of '\(path: program)' lacks 'com.apple.security.app-sandbox'",
      change: "add the entitlement to the app and to its extension")
  }
}
