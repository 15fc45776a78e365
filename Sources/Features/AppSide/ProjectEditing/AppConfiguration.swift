import SourceDiagnostics

/// A build configuration of an app's target, with the places of its settings.
struct AppConfiguration {
  /// The place of a setting.
  enum Origin {
    /// The target itself, in the project.
    case target
    /// The settings file of the target.
    case targetFile
    /// The project or its settings file: all targets inherit it.
    case project
    case nowhere
  }

  let object: XcodeProject.Object
  private let settings: XcodeProject.Settings
  /// Whether the configuration is based on a settings file.
  let hasFile: Bool
  private let countOfOwnLayers: Int

  init(_ object: XcodeProject.Object, _ settings: XcodeProject.Settings) {
    self.object = object
    hasFile =
      object["baseConfigurationReference"] != nil
      || object["baseConfigurationReferenceRelativePath"] != nil
    countOfOwnLayers = (object["buildSettings"] == nil ? 0 : 1) + (hasFile ? 1 : 0)
    var settings = settings
    for key in ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"] { settings.known[key] = "." }
    if let base = settings["SDKROOT"].first?.text, base != "auto" { settings.sdk = base }
    self.settings = settings
  }

  var name: String { settings.name }
  var sdk: String { settings.sdk }
  /// Whether the target is for several systems.
  var isForSeveralSystems: Bool { settings["SDKROOT"].first?.text == "auto" }

  /// The settings of the target itself.
  var own: [PlacedValue.Member] { object["buildSettings"]?.members ?? [] }

  /// Returns the value of a setting; nil if it has none or depends on unknown values.
  func value(_ key: String) -> String? {
    let text = settings[key].map(\.text).joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Whether a setting has a value that depends on unknown ones.
  func isUnknown(_ key: String) -> Bool {
    do throws(SettingFault) {
      _ = try settings.elements(of: key)
      return false
    } catch {
      return true
    }
  }

  /// Whether a setting has a value only for some systems or architectures.
  func hasConditions(_ key: String) -> Bool {
    settings.assignments(of: key).contains { !$0.key.conditions.isEmpty }
  }

  func origin(of key: String) -> Origin {
    for (index, layer) in settings.layers.enumerated() {
      let isAssigned =
        switch layer {
        case .project(let values): values.members.contains { SettingKey($0.key)?.name == key }
        case .file(let file): file.elements?[key] != nil
        }
      guard isAssigned else { continue }
      if index >= countOfOwnLayers { return .project }
      if case .project = layer { return .target }
      return .targetFile
    }
    return .nowhere
  }
}
