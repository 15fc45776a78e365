import SystemIO

/// The facts by which `init` recognizes an engine, and finds its assets, as data.
struct EngineRule: Sendable {
  let engine: Engine
  /// The alternatives; all markers of one of them must exist, and messages show the first of them.
  let markers: [[Marker]]
  var version: ProjectSetting?
  /// The settings with the primary language of the app, in order.
  var languages: [ProjectSetting] = []
  /// The settings with the oldest version of iOS that the app supports, in order.
  var systems: [ProjectSetting] = []
  /// The folders of assets that the app can load unchanged, in order; then the project folder.
  var assets: [AssetLocation] = []
  /// The folders of exported content, the most specific for Apple platforms first.
  var exported: [AssetLocation] = []
  /// The remedy if there is no exported content; nil if the app can load ``assets``.
  var exportAdvice: String?
  /// Advice about the engine.
  var advice: [Advice] = []

  /// A file or folder by which a project is recognized, as a pattern of
  /// ``InspectedFolder/matches(of:)``.
  enum Marker: Sendable {
    case file(String)
    case folder(String)
    /// A file that contains a text.
    case text(String, in: String)
  }

  /// A place of assets.
  enum AssetLocation: Sendable {
    /// A pattern; `{name}` is the name of the marker without its extension.
    case folder(String)
    /// The folders that settings of the project name.
    case settings(@Sendable (InspectedFolder) -> [FilePath])
  }

  /// Advice for some projects of an engine.
  struct Advice: Sendable {
    let condition: Condition
    let text: String

    enum Condition: Sendable {
      case always
      /// The project has exported content, or has none.
      case exported(Bool)
      /// A path exists; patterns as in ``AssetLocation/folder(_:)``.
      case exists([String])
    }

    init(_ text: String, if condition: Condition = .always) {
      self.text = text
      self.condition = condition
    }
  }
}

extension EngineRule {
  /// Returns the path of the first marker, if the project has all markers of an alternative.
  func marker(in folder: InspectedFolder) -> FilePath? {
    for alternative in markers {
      var paths: [FilePath] = []
      for marker in alternative {
        guard let path = marker.match(in: folder) else { break }
        paths.append(path)
      }
      if paths.count == alternative.count { return paths.first }
    }
    return nil
  }
}

extension EngineRule.Marker {
  fileprivate func match(in folder: InspectedFolder) -> FilePath? {
    switch self {
    case .file(let pattern):
      folder.matches(of: pattern).first { folder.kind(of: $0) == .file }
    case .folder(let pattern):
      folder.matches(of: pattern).first { folder.kind(of: $0) == .directory }
    case .text(let text, let pattern):
      folder.matches(of: pattern).first { path in
        folder.text(of: path).map { $0.utf8.firstRange(of: text.utf8) != nil } ?? false
      }
    }
  }
}

extension EngineRule.AssetLocation {
  /// Returns the folders with content, without names for engines and hidden files.
  func folders(in folder: InspectedFolder, name: String) -> [FilePath] {
    let paths =
      switch self {
      case .folder(let pattern): folder.matches(of: pattern.naming(name))
      case .settings(let read): read(folder)
      }
    return paths.filter { folder.hasContent(in: $0) }
  }
}

extension EngineRule.Advice {
  /// Returns whether the advice is about this project.
  func applies(to folder: InspectedFolder, name: String, isExported: Bool) -> Bool {
    switch condition {
    case .always: true
    case .exported(let expected): isExported == expected
    case .exists(let patterns):
      patterns.contains { !folder.matches(of: $0.naming(name)).isEmpty }
    }
  }
}

extension String {
  /// Replaces the placeholder `{name}` at the start of a pattern.
  fileprivate func naming(_ name: String) -> String {
    let placeholder = "{name}"
    return hasPrefix(placeholder) ? name + dropFirst(placeholder.count) : self
  }
}

extension InspectedFolder {
  /// Returns whether a path is a folder with a file or folder that is not hidden, and not an
  /// editor's description of another file.
  func hasContent(in place: FilePath) -> Bool {
    guard kind(of: place) == .directory else { return false }
    return !names(in: place) { name in
      name.first != dot && !name.suffix(5).elementsEqual(".meta".utf8)
    }.isEmpty
  }
}
