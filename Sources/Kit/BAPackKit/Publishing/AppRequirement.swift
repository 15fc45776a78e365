/// An item that an app needs for its downloads, and what to do for it.
///
/// The texts are those of a setup and of a migration.
package struct AppRequirement: Sendable {
  /// The items, in the order of the work.
  package enum ID: String, Sendable, CaseIterable {
    case keys
    case otherKeys = "other-keys"
    case appGroup = "app-group"
    case target
    case place
    case point
    case bundleID = "bundle-id"
    case versions
    case extensionGroup = "extension-group"
    case minimumSystem = "minimum-system"
    case framework
    case signing
    case engine
  }

  /// The item.
  package let id: ID
  /// The task, as an imperative sentence without a full stop.
  package let title: String
  /// The details, each a sentence.
  package let details: [String]

  /// Creates an item.
  package init(_ id: ID, _ title: String, _ details: [String] = []) {
    self.id = id
    self.title = title
    self.details = details
  }

  /// Returns the items of an app in order, except those of its engine.
  package static func all(
    of kind: AppKind, group: String?, language: DownloaderExtension.Language
  ) -> [AppRequirement] {
    let shown = group ?? DownloaderExtension.exampleGroup
    let sizes =
      kind == .appleHosted
      ? []
      : ["Compute the sizes again before each version of the app: they limit larger downloads."]
    let keys = AppRequirement(
      .keys, "Add the keys to the Info.plist of the app",
      ["The keys belong to the app, not to its extension."] + sizes)
    let appGroup = AppRequirement(
      .appGroup, "Add the app group '\(shown)' to the entitlements of the app",
      ["The entitlement is \(DownloaderExtension.groupsKey), a list of groups."])
    return [keys] + otherKeys(of: kind) + [appGroup] + ofExtension(kind, group: shown, language)
  }

  private static func otherKeys(of kind: AppKind) -> [AppRequirement] {
    switch kind {
    case .appleHosted:
      [
        AppRequirement(
          .otherKeys, "Remove all other keys that begin with 'BA' from the Info.plist of the app",
          [
            "App Store Connect demands more keys if one of the three is missing (ITMS-90923): add "
              + "the missing one, not those that it demands."
          ])
      ]
    case .selfHosted: []
    case .unmanaged:
      [
        AppRequirement(
          .otherKeys, "Remove the keys 'BAHasManagedAssetPacks' and 'BAUsesAppleHosting'",
          ["They are only for asset packs."])
      ]
    }
  }

  /// Returns the items of the extension.
  private static func ofExtension(
    _ kind: AppKind, group: String, _ language: DownloaderExtension.Language
  ) -> [AppRequirement] {
    let itself = DownloaderExtension(of: kind, in: language)
    return [
      AppRequirement(
        .target, "Add a downloader extension to the project",
        [
          "The type of the target is \(DownloaderExtension.productType), and the app depends on "
            + "it. In Xcode, the template is 'Background Download'.",
          "Its code conforms to \(itself.protocolName).",
          "The command 'app add-extension' adds it to an Xcode project, with files and settings.",
        ]),
      AppRequirement(
        .place, "Embed the extension in the folder 'Extensions' of the app",
        [
          "Copy phase 'Embed ExtensionKit Extensions': destination 16, path "
            + "$(EXTENSIONS_FOLDER_PATH). App Store Connect rejects an extension in 'PlugIns' "
            + "(ITMS-91179)."
        ]),
      AppRequirement(
        .point, "Set the extension point in the Info.plist of the extension",
        [
          "\(DownloaderExtension.attributesKey) contains \(DownloaderExtension.pointKey) = "
            + "\(DownloaderExtension.point)"
            + (language == .objc
              ? ", and EXPrincipalClass = \(DownloaderExtension.typeName)." : "."),
          "There is no NSExtension (ITMS-91179), and no other identifier (ITMS-90349).",
          "CFBundleDisplayName is necessary (ITMS-90360).",
        ]),
      AppRequirement(
        .bundleID, "Begin the bundle ID of the extension with the bundle ID of the app and a dot"),
      AppRequirement(
        .versions, "Give the extension the versions of the app",
        ["CFBundleShortVersionString and CFBundleVersion must be equal (ITMS-90473)."]),
      AppRequirement(
        .extensionGroup, "Add the app group '\(group)' to the entitlements of the extension",
        ["The group must be in the signed entitlements of both (ITMS-90958)."]),
      minimumSystem(of: kind),
      AppRequirement(
        .framework, "Link BackgroundAssets.framework",
        [
          "An app for older systems links it as optional (weak), and checks the system before each "
            + "call."
        ]),
      AppRequirement(
        .signing, "Sign the app and its extension with the same team",
        [
          "Each has its own App ID, to which the group is assigned, and its own profile.",
          "Without the application identifier of the profile, TestFlight rejects the app "
            + "(ITMS-90886).",
          "The system does not register an unsigned extension: the app ends at its first call.",
        ]),
    ]
  }

  private static func minimumSystem(of kind: AppKind) -> AppRequirement {
    AppRequirement(
      .minimumSystem,
      kind == .unmanaged
        ? "Set the minimum system of the extension to 16.1 on iOS, or 13.0 on macOS, or later"
        : "Set the minimum system of the extension to 26.0 or later",
      kind == .unmanaged
        ? []
        : [
          "The app may support older systems. Localized packs need 27.0.",
          "The minimum in Info.plist must be that of the binary (ITMS-90208).",
        ])
  }
}
