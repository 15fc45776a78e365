import BAPackKit
import SourceDiagnostics

/// The rules for Xcode projects.
enum AppProjectRules {
  static let all: [AppRule] = [project, target, phase, listFile, entitlements]

  static let project = AppRule(
    "app.project",
    what: "A project or a file of its targets cannot be read.",
    answer: "Xcode cannot build the project", .low,
    example: .init(
      wrong: "INFOPLIST_FILE = Game/Info.plist, which does not exist",
      right: "INFOPLIST_FILE = Game/Info.plist, which exists"))

  static func project(_ message: Finding.Message, _ change: Finding.Message, at span: SourceSpan?)
    -> Finding
  {
    project.finding(message, at: span, change: change)
  }

  static let target = AppRule(
    "app.extension-target",
    what: "The project has no target for the downloader extension, or the app does not embed it.",
    answer: """
      the app ends with 'Fatal error: The app couldn't be validated: The app lacks a Background \
      Assets downloader extension.'
      """, .high,
    example: .init(
      wrong: "one target: com.apple.product-type.application",
      right: "a second target: com.apple.product-type.extensionkit-extension"))

  static func target(_ message: Finding.Message, at span: SourceSpan?) -> Finding {
    target.finding(
      message, at: span,
      change: """
        add a target of the kind 'Background Download' or 'Generic Extension' (ExtensionKit), and \
        embed it
        """)
  }

  static let phase = AppRule(
    "app.copy-phase",
    what: "The project embeds the downloader extension in another folder than Extensions.",
    answer: "App Store Connect answers ITMS-91179", .high,
    example: .init(
      wrong: "dstSubfolderSpec = 13;",
      right: "dstPath = \"$(EXTENSIONS_FOLDER_PATH)\"; dstSubfolderSpec = 16;"))

  static func phase(_ name: String, at span: SourceSpan?) -> Finding {
    phase.finding(
      "the copy phase '\(name)' does not copy to the folder 'Extensions'", at: span,
      change: """
        use the copy phase 'Embed ExtensionKit Extensions' with the path \
        '$(EXTENSIONS_FOLDER_PATH)' in the products folder
        """)
  }

  static let listFile = AppRule(
    "app.info-plist-file",
    what: "A target has no Info.plist file for the keys of Background Assets.",
    answer: "the built app lacks the keys, and ends at its first call", .low,
    why: """
      Xcode generates an Info.plist from settings 'INFOPLIST_KEY_…', but no such setting is known \
      for the keys of Background Assets.
      """,
    example: .init(
      wrong: "GENERATE_INFOPLIST_FILE = YES;",
      right: "GENERATE_INFOPLIST_FILE = YES; INFOPLIST_FILE = Game/Info.plist;"))

  static func listFile(_ target: String, at span: SourceSpan?) -> Finding {
    listFile.finding(
      "the target '\(target)' has no 'INFOPLIST_FILE'", at: span,
      change: "add an Info.plist file with the keys, and set 'INFOPLIST_FILE'")
  }

  static let entitlements = AppRule(
    "app.entitlements-file",
    what: "A target has no entitlements file with the app group.",
    answer: "App Store Connect answers ITMS-90958, or the packs are not shared", .medium,
    why: "The entitlements in the signature of the built app are decisive.",
    example: .init(
      wrong: "a target without CODE_SIGN_ENTITLEMENTS",
      right: "CODE_SIGN_ENTITLEMENTS = Game/Game.entitlements; with the app group"))

  static func entitlements(_ target: String, group: String?, at span: SourceSpan?) -> Finding {
    entitlements.finding(
      group.map { "the entitlements of the target '\(target)' do not have the group '\($0)'" }
        ?? "the target '\(target)' has no 'CODE_SIGN_ENTITLEMENTS'",
      at: span,
      change: "add 'com.apple.security.application-groups' with the group of BAAppGroupID")
  }
}
