import BAPackKit
import SourceDiagnostics

/// The rules for systems and platforms.
enum AppSystemRules {
  static let all: [AppRule] = [
    platform, minimumSystem, extensionSystem, packPlatform, localizedPacks, noLink, strongLink,
  ]

  static let platform = AppRule(
    "app.platform",
    what: "The app is for a platform without Background Assets.",
    answer: "the framework does not exist on this platform", .high,
    example: .init(wrong: "an app for watchOS", right: "an app for iOS, macOS, tvOS or visionOS"))

  static func platform(_ name: String) -> Finding {
    platform.finding(
      "the app is for \(name), which has no Background Assets",
      change: "check the app for iOS, macOS, tvOS or visionOS")
  }

  static let minimumSystem = AppRule(
    "app.minimum-system",
    what: "The minimum system in the Info.plist and in the program differ.",
    answer: "App Store Connect answers 90208", .medium,
    example: .init(
      wrong: "MinimumOSVersion = 26.0 and a program for 15.0 or later",
      right: "MinimumOSVersion = 26.0 and a program for 26.0 or later"))

  static func minimumSystem(
    _ list: SystemVersion, program: SystemVersion, at span: SourceSpan?
  ) -> Finding {
    minimumSystem.finding(
      "the minimum system is \(list) in the Info.plist, but \(program) in the program", at: span,
      change: "set the deployment target of the target, and remove the key from the source file")
  }

  static let extensionSystem = AppRule(
    "app.extension-system",
    what: "The minimum system of the extension is older than its protocol.",
    answer: "the extension does not start on systems before the protocol", .high,
    why: """
      Managed packs need version 26.0 of iOS, macOS, tvOS and visionOS. Unmanaged downloads need \
      iOS 16.1, macOS 13.0, tvOS 18.4 or visionOS 2.4. The app itself may support older systems.
      """,
    example: .init(
      wrong: "extension: MinimumOSVersion = 17.0", right: "extension: MinimumOSVersion = 26.0"))

  static func extensionSystem(
    _ found: SystemVersion, needs: SystemVersion, at span: SourceSpan?
  ) -> Finding {
    extensionSystem.finding(
      "the minimum system of the extension is \(found), but its protocol needs \(needs)", at: span,
      change: "set the deployment target of the extension to \(needs)")
  }

  static let packPlatform = AppRule(
    "app.pack-platform", .usually(.warning, .error, when: "no pack is for the app's platform"),
    what: "A pack is not for the platform of the app.",
    answer: """
      the system does not offer the pack to the app; App Store Connect warns with ITMS-91139 of a \
      platform that the app does not have
      """, .high,
    example: .init(
      wrong: "an app for macOS, and a pack with \"platforms\": [\"iOS\"]",
      right: "an app for macOS, and a pack with \"platforms\": [\"iOS\", \"macOS\"]"))

  static func packPlatform(_ packs: [String], _ platform: String, isAll: Bool) -> Finding {
    let change: Finding.Message = "add '\(platform)' to 'platforms' of the manifests"
    let count = packs.count
    if isAll {
      return packPlatform.exception("no pack is for \(platform)", change: change)
    }
    return packPlatform.finding(
      "\(Finding.list(packs)) \(count == 1 ? "is" : "are") not for \(platform)", change: change)
  }

  static let localizedPacks = AppRule(
    "app.localized-packs", .always(.warning),
    what: "The app supports systems without localized packs.",
    answer: "devices before version 27 do not receive localized packs", .medium,
    example: .init(
      wrong: "MinimumOSVersion = 26.0, and packs with \"language\": \"de\"",
      right: "MinimumOSVersion = 27.0, or files of all languages in packs without a language"))

  static func localizedPacks(_ packs: [String], minimum: SystemVersion, at span: SourceSpan?)
    -> Finding
  {
    let verb: Finding.Message = packs.count == 1 ? "needs" : "need"
    return localizedPacks.finding(
      "the app supports \(minimum), but \(Finding.list(packs)) \(verb) 27.0", at: span,
      change: "require 27.0, or handle the missing files on older systems")
  }

  static let noLink = AppRule(
    "app.no-link", .always(.warning),
    what: "Neither the app nor its libraries are linked with BackgroundAssets.",
    answer: "the app cannot read files of packs, unless it loads the framework itself", .low,
    example: .init(
      wrong: "a program without BackgroundAssets.framework",
      right: "a program that is linked with BackgroundAssets.framework"))

  static func noLink(of program: String) -> Finding {
    noLink.finding(
      "neither '\(path: program)' nor its libraries are linked with BackgroundAssets.framework",
      change: "import BackgroundAssets in the app, or link the framework")
  }

  static let strongLink = AppRule(
    "app.strong-link",
    what: "An app for systems before 26 requires BackgroundAssets.",
    answer: "the app does not start on systems without the symbols of managed packs", .medium,
    example: .init(
      wrong: "MinimumOSVersion = 17.0, BackgroundAssets.framework is required",
      right: "MinimumOSVersion = 17.0, BackgroundAssets.framework is linked weakly"))

  static func strongLink(_ program: String, minimum: SystemVersion) -> Finding {
    strongLink.finding(
      "'\(path: program)' requires BackgroundAssets.framework, but the app supports \(minimum)",
      change: "link the framework weakly ('Optional' in Xcode), or require 26.0")
  }
}
