import BAPackKit
import SourceDiagnostics

/// The build settings of an extension in one configuration, derived from those of its app.
struct ExtensionSettings {
  /// The settings, sorted by their names.
  var values: [(key: String, value: PlacedValue)] {
    settings.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
  }
  /// Whether the extension needs the settings file of the app, which has the versions.
  private(set) var sharesFile = false
  /// The hints about the settings.
  private(set) var notes: [String] = []
  private var settings: [String: PlacedValue] = [:]
  private let app: AppConfiguration
  private let info: InfoList?

  /// The settings that an extension has in common with its app.
  private static let common = [
    "ARCHS", "CODE_SIGN_IDENTITY", "CODE_SIGN_STYLE", "DEVELOPMENT_TEAM", "ENABLE_HARDENED_RUNTIME",
    "SDKROOT", "SUPPORTED_PLATFORMS", "SUPPORTS_MACCATALYST",
    "SUPPORTS_MAC_DESIGNED_FOR_IPHONE_IPAD", "SUPPORTS_XR_DESIGNED_FOR_IPHONE_IPAD",
    "SWIFT_VERSION", "TARGETED_DEVICE_FAMILY",
  ]
  /// The settings of a shared file that are only for the app.
  private static let onlyForApps = ["OTHER_LDFLAGS", "SWIFT_OBJC_BRIDGING_HEADER"]

  /// Derives the settings of the extension `name`, whose files are in a folder of this name.
  init(
    of app: AppConfiguration, info: InfoList?, named name: String, for kind: AppKind
  ) throws(PackError) {
    self.app = app
    self.info = info
    set("APPLICATION_EXTENSION_API_ONLY", "YES")
    set("CODE_SIGN_ENTITLEMENTS", "\(name)/\(DownloaderExtension.targetName).entitlements")
    set("GENERATE_INFOPLIST_FILE", "NO")
    set("INFOPLIST_FILE", "\(name)/Info.plist")
    set("PRODUCT_BUNDLE_IDENTIFIER", try bundleID() + "." + name)
    set("PRODUCT_NAME", "$(TARGET_NAME)")
    set("SKIP_INSTALL", "YES")
    settings["MARKETING_VERSION"] = try version(
      "CFBundleShortVersionString", "MARKETING_VERSION", default: "1.0")
    settings["CURRENT_PROJECT_VERSION"] = try version(
      "CFBundleVersion", "CURRENT_PROJECT_VERSION", default: "1")
    copyCommonSettings()
    setMinimumSystems(for: kind)
    setSearchPaths()
    if sharesFile { for key in Self.onlyForApps { set(key, "") } }
  }

  private mutating func set(_ key: String, _ value: String) { settings[key] = .new(value) }

  // MARK: Identity

  /// Returns the bundle ID of the app.
  private func bundleID() throws(PackError) -> String {
    let key = "PRODUCT_BUNDLE_IDENTIFIER"
    if let value = app.value(key) { return value }
    if app.origin(of: key) == .nowhere, let id = info?.string("CFBundleIdentifier"),
      !id.isEmpty, !id.contains("$")
    {
      return id
    }
    throw .refusal(
      "the bundle ID of the app is unknown in the configuration '\(app.name)'",
      remedy: .advice("set '\(key)' to a value without unknown references"))
  }

  // MARK: Versions

  /// Returns the value of a version that is equal to the one of the app; nil if it is inherited.
  ///
  /// `key` is the key of Info.plist with the version of the app.
  private mutating func version(
    _ key: String, _ setting: String, default fallback: String
  ) throws(PackError) -> PlacedValue? {
    var text = info?.string(key) ?? "$(\(setting))"
    for _ in 0..<8 {
      guard let name = SettingKey.reference(text) else { break }
      switch app.origin(of: name) {
      case .target:
        guard let own = app.own.last(where: { $0.key == name })?.value.text else {
          throw Self.unknown(name, app.name)
        }
        text = own
        continue
      case .project: break
      case .targetFile: sharesFile = true
      case .nowhere where app.hasFile: sharesFile = true
      case .nowhere where name == setting:
        notes.append("The app has no '\(setting)'; the extension has '\(fallback)'.")
        return .new(fallback)
      case .nowhere: throw Self.unknown(name, app.name)
      }
      return name == setting ? nil : .new("$(\(name))")
    }
    guard !text.isEmpty, !text.contains("$") || sharesFile else {
      throw Self.unknown(setting, app.name)
    }
    return .new(text)
  }

  private static func unknown(_ setting: String, _ configuration: String) -> PackError {
    .refusal(
      "the version of the app depends on '\(setting)', which is unknown in the configuration "
        + "'\(configuration)'",
      remedy: "set 'MARKETING_VERSION' and 'CURRENT_PROJECT_VERSION' in the target of the app")
  }

  // MARK: Systems and signing

  private mutating func copyCommonSettings() {
    for member in app.own {
      guard let key = SettingKey(member.key), Self.common.contains(key.name) else { continue }
      settings[member.key] = member.value
    }
    for key in Self.common where app.origin(of: key) == .targetFile && !sharesFile {
      if let value = app.value(key) { set(key, value) }
    }
    if app.origin(of: "SWIFT_VERSION") == .nowhere { set("SWIFT_VERSION", "5.0") }
    let profile = "PROVISIONING_PROFILE_SPECIFIER"
    if app.value("CODE_SIGN_STYLE") == "Manual" || app.value(profile) != nil
      || app.isUnknown(profile)
    {
      notes.append("Set '\(profile)' of the extension: it needs its own profile.")
    }
  }

  private mutating func setMinimumSystems(for kind: AppKind) {
    let keys = AppProject.deploymentTargets
    var given = keys.filter { app.origin(of: $0) != .nowhere }
    if given.isEmpty { given = keys.filter { $0 == Self.deploymentTargets[app.sdk] } }
    if given.isEmpty { given = [keys[0]] }
    for key in given {
      let oldest = OldestSystem.number(of: key, for: kind)
      guard let value = app.value(key), OldestSystem.number(value) >= oldest else {
        set(key, "\(oldest)")
        continue
      }
      if app.origin(of: key) != .project { set(key, value) }
    }
  }

  private static let deploymentTargets = [
    "iphoneos": "IPHONEOS_DEPLOYMENT_TARGET", "macosx": "MACOSX_DEPLOYMENT_TARGET",
    "appletvos": "TVOS_DEPLOYMENT_TARGET", "xros": "XROS_DEPLOYMENT_TARGET",
  ]

  private mutating func setSearchPaths() {
    let key = "LD_RUNPATH_SEARCH_PATHS"
    let shallow = ["@executable_path/Frameworks", "@executable_path/../../Frameworks"]
    let deep = ["@executable_path/../Frameworks", "@executable_path/../../../../Frameworks"]
    let isMac = app.sdk == "macosx"
    settings[key] = .new(["$(inherited)"] + (isMac ? deep : shallow))
    if app.isForSeveralSystems { settings[key + "[sdk=macosx*]"] = .new(["$(inherited)"] + deep) }
  }
}
