import BAPackKit
import SourceDiagnostics

/// The rules for the downloader extension.
enum AppExtensionRules {
  static let all: [AppRule] = [
    noExtension, severalExtensions, place, point, oldKind, principalClass, noEntry, listKey,
    version, identifier, hosting,
  ]

  static let point = AppRule(
    "app.extension-point",
    what: "The extension has an unknown extension point.",
    answer: """
      App Store Connect answers 90349: "Invalid Info.plist value. The value of the \
      EXExtensionPointIdentifier key, … is invalid."
      """, .high,
    example: .init(
      wrong: "EXExtensionPointIdentifier = com.apple.background-assets",
      right: "EXExtensionPointIdentifier = com.apple.background-asset-downloader-extension"))

  static func point(_ value: String?, at span: SourceSpan?) -> Finding {
    point.finding(
      value.map { "'\($0)' is not the extension point of a downloader extension" }
        ?? "the extension does not specify an extension point",
      at: span,
      change: """
        set EXExtensionPointIdentifier in EXAppExtensionAttributes to \
        'com.apple.background-asset-downloader-extension'
        """)
  }

  static let noExtension = AppRule(
    "app.no-extension",
    what: "The app has no downloader extension.",
    answer: """
      the app ends with 'Fatal error: The app couldn't be validated: The app lacks a Background \
      Assets downloader extension.'
      """, .high,
    example: .init(
      wrong: "Game.app has no folder Extensions",
      right: "Game.app/Extensions/Downloader.appex"))

  static func noExtension(of app: String) -> Finding {
    noExtension.finding(
      "'\(path: app)' has no downloader extension in its folder 'Extensions'",
      change: "add an ExtensionKit extension target for Background Assets to the project")
  }

  static let severalExtensions = AppRule(
    "app.several-extensions",
    what: "The app has several downloader extensions.",
    answer: "the system uses one of them, or none", .low,
    example: .init(
      wrong: "Game.app/Extensions/One.appex, Game.app/Extensions/Two.appex",
      right: "Game.app/Extensions/One.appex"))

  static func severalExtensions(_ names: [String]) -> Finding {
    severalExtensions.finding(
      "the app has \(names.count) downloader extensions: \(Finding.list(names))",
      change: "embed only one of them")
  }

  static let place = AppRule(
    "app.extension-place",
    what: "The downloader extension is not in the folder Extensions of the app.",
    answer: """
      App Store Connect answers ITMS-91179: the extension is built like an NSExtension, but its \
      extension point requires ExtensionKit
      """, .high,
    why: "PlugIns is the folder of extensions with NSExtension.",
    example: .init(
      wrong: "Game.app/PlugIns/Downloader.appex", right: "Game.app/Extensions/Downloader.appex"))

  static func place(_ folder: String) -> Finding {
    place.finding(
      "the downloader extension is in the folder '\(path: folder)'",
      change: """
        use the copy phase 'Embed ExtensionKit Extensions' with the path \
        '$(EXTENSIONS_FOLDER_PATH)'
        """)
  }

  static let oldKind = AppRule(
    "app.ns-extension",
    what: "The Info.plist of the downloader extension has the key NSExtension.",
    answer: """
      App Store Connect answers ITMS-91179: the extension is built like an NSExtension, but its \
      extension point requires ExtensionKit
      """, .high,
    example: .init(
      wrong: "NSExtension = { NSExtensionPointIdentifier = …; };",
      right: "EXAppExtensionAttributes = { EXExtensionPointIdentifier = …; };"))

  static func oldKind(at span: SourceSpan?) -> Finding {
    oldKind.finding(
      "the extension has the key 'NSExtension'", at: span,
      change: "remove the key, and write 'EXAppExtensionAttributes'")
  }

  static let principalClass = AppRule(
    "app.principal-class",
    what: "The extension has a principal class and an entry in Swift.",
    answer: """
      App Store Connect answers ITMS-90979: EXPrincipalClass is not allowed if the program has \
      the section __swift5_entry
      """, .medium,
    example: .init(
      wrong: "EXPrincipalClass = Downloader; with '@main struct Downloader' in Swift",
      right: "no EXPrincipalClass; '@main struct Downloader' in Swift"))

  static func principalClass(_ key: String, at span: SourceSpan?) -> Finding {
    principalClass.finding(
      "the extension has '\(key)' and an entry in Swift ('@main')", at: span,
      change: "remove '\(key)'; only extensions in Objective-C need it")
  }

  static let noEntry = AppRule(
    "app.no-entry", .always(.warning),
    what: "The extension has neither a principal class nor an entry in Swift.",
    answer: "the system cannot start the extension", .low,
    example: .init(
      wrong: "no EXPrincipalClass, and no type with '@main'",
      right: "a type with '@main', or EXPrincipalClass in EXAppExtensionAttributes"))

  static func noEntry(of program: String) -> Finding {
    noEntry.finding(
      "'\(path: program)' has no 'EXPrincipalClass' and no entry in Swift ('@main')",
      change: """
        add '@main' to the type of the extension, or 'EXPrincipalClass' to \
        'EXAppExtensionAttributes' for Objective-C
        """)
  }

  static let listKey = AppRule(
    "app.extension-key",
    what: "A key of the extension's Info.plist is missing or wrong.",
    answer: "App Store Connect answers ITMS-90360 or ITMS-90057: \"Missing Info.plist value\"",
    .high,
    why: """
      The extension needs CFBundleIdentifier, CFBundleExecutable, CFBundleName, \
      CFBundleDisplayName, CFBundleShortVersionString, CFBundleVersion, the package type 'XPC!', \
      and MinimumOSVersion or LSMinimumSystemVersion.
      """,
    example: .init(
      wrong: "CFBundleName = Downloader;",
      right: "CFBundleName = Downloader; CFBundleDisplayName = Downloader;"))

  static func listKey(_ key: String, at span: SourceSpan? = nil, value: String? = nil) -> Finding {
    listKey.finding(
      value.map { "'\(key)' is '\($0)', not 'XPC!'" } ?? "the key '\(key)' is missing", at: span,
      change: value == nil
        ? "add '\(key)' to the extension's Info.plist"
        : "set '\(key)' to '$(PRODUCT_BUNDLE_PACKAGE_TYPE)'")
  }

  static let version = AppRule(
    "app.extension-version", canLower: true,
    what: "The versions of the extension and of the app differ.",
    answer: "App Store Connect answers ITMS-90473, as a warning or as a rejection", .high,
    example: .init(
      wrong: "app: CFBundleVersion = 34; extension: CFBundleVersion = 1;",
      right: "app: CFBundleVersion = 34; extension: CFBundleVersion = 34;"))

  static func version(_ key: String, _ value: String, app: String, at span: SourceSpan?) -> Finding
  {
    version.finding(
      "'\(key)' is '\(value)', but '\(app)' in the app", at: span,
      change: "use the same value in both, for example a build setting of the project")
  }

  static let identifier = AppRule(
    "app.extension-identifier",
    what: "The bundle ID of the extension does not begin with the bundle ID of the app.",
    answer: """
      Xcode and App Store Connect answer: "Embedded binary's bundle identifier is not prefixed \
      with the parent app's"
      """, .high,
    example: .init(
      wrong: "app: com.example.game, extension: com.example.downloader",
      right: "app: com.example.game, extension: com.example.game.downloader"))

  static func identifier(_ value: String, app: String, at span: SourceSpan?) -> Finding {
    identifier.finding(
      "the bundle ID '\(value)' does not begin with '\(app).'", at: span,
      change: "set 'CFBundleIdentifier' to '\(app).' and a name")
  }

  static let hosting = AppRule(
    "app.extension-hosting", .always(.warning),
    what: "The protocol of the extension is for another hosting.",
    answer: "the system does not start the extension, or it does not download the packs", .low,
    why: """
      Packs on Apple's servers need StoreDownloaderExtension, packs on an own server \
      ManagedDownloaderExtension, and apps without managed packs BADownloaderExtension.
      """,
    example: .init(
      wrong: "BAUsesAppleHosting = YES; with 'ManagedDownloaderExtension'",
      right: "BAUsesAppleHosting = YES; with 'StoreDownloaderExtension'"))

  static func hosting(_ wanted: DownloaderProtocol, found: DownloaderProtocol?) -> Finding {
    hosting.finding(
      found.map { "the extension uses '\($0.rawValue)', but the app needs '\(wanted.rawValue)'" }
        ?? "the extension does not use '\(wanted.rawValue)'",
      change: "adopt '\(wanted.rawValue)', or correct the keys in the app's Info.plist")
  }
}
