import BAPackKit
import SourceDiagnostics
import SystemIO

/// A target of an Xcode project, with the files that its settings name.
struct AppTarget {
  /// A property list that a setting names.
  enum ListFile {
    /// The setting has no value.
    case none
    /// The path, and the reason why the file cannot be read.
    case unread(String, Finding.Message, SourceSpan)
    case read(InfoList)

    var list: InfoList? { if case .read(let list) = self { list } else { nil } }
  }

  let object: XcodeProject.Object
  let name: String
  /// The settings for publishing.
  let settings: XcodeProject.Settings
  let info: ListFile
  let entitlements: ListFile

  var kind: String { object["productType"]?.text ?? "" }
  var isApp: Bool { kind == "com.apple.product-type.application" }

  /// The app groups of the entitlements; nil if they are unknown.
  var groups: [String]? {
    let groups = entitlements.list?["com.apple.security.application-groups"]?.texts.map(\.text)
    return groups?.contains { $0.contains("$(") } == true ? nil : groups ?? []
  }

  /// Reads a target and its files.
  init?(_ object: XcodeProject.Object, of project: XcodeProject, in folder: ResourceFolder) {
    self.object = object
    name = object["name"]?.text ?? ""
    guard var own = project.settings(of: object, named: "", in: folder).first else { return nil }
    for key in ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"] { own.known[key] = "." }
    settings = own
    info = Self.list("INFOPLIST_FILE", own, folder)
    entitlements = Self.list("CODE_SIGN_ENTITLEMENTS", own, folder)
  }

  /// Returns the value of a setting that does not depend on unknown values.
  func value(_ key: String) -> String? {
    let text = settings[key].map(\.text).joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Returns a version: the text of Info.plist, or the value of the setting that it names; nil if
  /// it is unknown.
  func version(_ key: String, _ setting: String) -> String? {
    let text = info.list?.string(key) ?? "$(\(setting))"
    return SettingKey.reference(text).map { value($0) } ?? (text.contains("$") ? nil : text)
  }

  private static func list(
    _ key: String, _ settings: XcodeProject.Settings, _ folder: ResourceFolder
  ) -> ListFile {
    guard let element = settings[key].first else { return .none }
    let path = settings[key].map(\.text).joined(separator: " ")
    guard let own = folder.path(of: .project(FilePath(path).normalized)),
      let source = folder.text(own)
    else { return .unread(path, "it does not exist, or is outside the project", element.span) }
    do throws(Unreadable) {
      return .read(try InfoList(source))
    } catch {
      return .unread(path, error.reason, element.span)
    }
  }
}

extension XcodeProject {
  /// Returns the copy phases of a target that copy the product of another target.
  func copyPhases(of target: Object, copying other: Object) -> [Object] {
    let product = other["productReference"]?.text
    return objects(target["buildPhases"]).filter { phase in
      phase.kind == "PBXCopyFilesBuildPhase"
        && objects(phase["files"]).contains { product != nil && $0["fileRef"]?.text == product }
    }
  }

  /// Returns whether a copy phase copies to the folder of extensions; nil if it is unknown.
  func copiesToExtensions(_ phase: Object) -> Bool? {
    // Newer projects name the folder with another key.
    guard let kind = phase["dstSubfolderSpec"]?.text else { return nil }
    let path = phase["dstPath"]?.text ?? ""
    let names = ["$(EXTENSIONS_FOLDER_PATH)", "${EXTENSIONS_FOLDER_PATH}"]
    return kind == "16" && names.contains(path)
      || kind == "1" && FilePath(path).name == "Extensions"
  }
}
