package import BAPackKit
package import SystemIO
import TerminalText

extension FoundProject {
  /// Recognizes the kind of the project in a folder, and finds the folder of its assets.
  ///
  /// Only the folder itself and a few fixed places in it are inspected, and at most 1 MiB of each
  /// file of settings is read.
  ///
  /// - Throws: ``PackError`` if it is not a readable folder, or if the app can load only exported
  ///   content and the project has none.
  package static func find(
    at folder: FilePath, _ work: Work
  ) throws(PackError) -> FoundProject {
    try work.checkCancellation()
    let opened = try open(folder: folder)
    let listing = try mapFailure(.reading) { () throws(Failure) in try opened.list() }
    let inspected = InspectedFolder(folder, listing)
    for rule in EngineRule.all {
      if let marker = rule.marker(in: inspected) {
        return try FoundProject(rule, marker, in: inspected)
      }
    }
    var project = FoundProject(withoutEngine: inspected)
    project.readSettings(above: folder)
    return project
  }

  /// Returns the engine of the project in a folder, and the file or folder by which it was
  /// recognized; nil without an engine.
  package static func engine(of folder: FilePath) -> (engine: Engine, marker: FilePath)? {
    guard let opened = try? open(folder: folder), let listing = try? opened.list() else {
      return nil
    }
    let inspected = InspectedFolder(folder, listing)
    return EngineRule.all.lazy
      .compactMap { rule in rule.marker(in: inspected).map { (rule.engine, $0) } }.first
  }

  private init(
    _ rule: EngineRule, _ marker: FilePath, in folder: InspectedFolder
  ) throws(PackError) {
    self.init(engine: rule.engine)
    self.marker = marker.shown
    version = rule.version?.value(in: folder)?.text
    readSettings(rule, in: folder, above: "")
    let name = String(decoding: marker.name.bytes.prefix { $0 != dot }, as: UTF8.self)
    let exported = rule.exported.flatMap { $0.folders(in: folder, name: name) }
    if let first = exported.first {
      assets = first
      advice = Self.advice(aboutExported: exported)
    } else if let remedy = rule.exportAdvice {
      throw PackError(
        .missing,
        "found \(rule.engine.article) \(rule.engine.name) project ('\(marker.shown)'), but no "
          + "content that the app can load",
        remedy: .advice(remedy))
    } else {
      assets = rule.assets.lazy.flatMap { $0.folders(in: folder, name: name) }.first ?? ""
    }
    advice += rule.advice
      .filter { $0.applies(to: folder, name: name, isExported: !exported.isEmpty) }
      .map { Reason(EngineRules.engine, $0.text) }
  }

  /// Reads the settings about the app; `path` leads to the folder of the project.
  private mutating func readSettings(
    _ rule: EngineRule, in folder: InspectedFolder, above path: FilePath
  ) {
    for setting in rule.languages {
      guard let (text, file) = setting.value(in: folder),
        let language = LanguageName(Array(text.utf8)[...])
      else { continue }
      primaryLanguage = language.tag
      primaryLanguageOrigin =
        "the setting '\(setting.name)' of '\(path.appending(file).shown)'"
      break
    }
    for setting in rule.systems {
      // Such as "17.0" or "IOS_17".
      guard let (text, file) = setting.value(in: folder),
        let version = Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
      else { continue }
      oldestSystem = version
      oldestSystemOrigin = "the setting '\(setting.name)' of '\(path.appending(file).shown)'"
      break
    }
  }

  /// Reads the settings of a project that contains the inspected folder, such as the Xcode project
  /// next to `Assets`; the nearest one, not above the root of a repository.
  private mutating func readSettings(above folder: FilePath) {
    guard var place = (try? realPath(of: folder.text)).map({ FilePath($0) }) else { return }
    var path: FilePath = ""
    for _ in 0..<Self.mostLevels {
      let repository = try? FileStatus(ofLinkAt: place.appending(".git" as FileName).text)
      guard repository == nil, place.components.count > 1 else { return }
      place = place.folder
      path = path.appending(".." as FileName)
      guard let opened = try? open(folder: place), let listing = try? opened.list() else { return }
      let inspected = InspectedFolder(place, listing)
      for rule in EngineRule.all where rule.marker(in: inspected) != nil {
        readSettings(rule, in: inspected, above: path)
        return
      }
    }
  }

  /// The number of folders above the inspected one that may contain the project.
  private static let mostLevels = 3

  /// Returns the advice for the exported content, of which the first folder is packed.
  private static func advice(aboutExported folders: [FilePath]) -> [Reason] {
    var seen = Set(folders.prefix(1))
    let others = folders.filter { seen.insert($0).inserted }
    let packed = "the exported content in '\(folders[0].shown)' is packed"
    guard let other = others.first else { return [Reason(EngineRules.export, packed)] }
    let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
    return [
      Reason(
        EngineRules.export,
        packed + "; to pack the content in '\(other.shown)'\(rest), specify that folder")
    ]
  }
}

// MARK: - Without an engine

extension FoundProject {
  /// Creates the project of a folder of code with one folder of assets, or of a folder of files.
  private init(withoutEngine folder: InspectedFolder) {
    self.init()
    let candidates =
      folder.names(in: "") { Self.assetFolders.contains(Self.lowercased($0)) }.map {
        FilePath($0.bytes)
      } + folder.matches(of: "game/assets")
    var assets = candidates.filter { folder.kind(of: $0) == .directory }
    if assets.isEmpty {
      assets = Self.otherAssetFolders.flatMap { folder.matches(of: $0) }
        .filter { folder.kind(of: $0) == .directory }
    }
    guard assets.count == 1, folder.hasContent(in: assets[0]) else { return }
    let code = folder.names(in: "") { name in
      let name = Self.lowercased(name)
      let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
      return Self.codeNames.contains(name) || Self.codeExtensions.contains(String(ending))
    }
    guard let example = code.first else { return }
    self.assets = assets[0]
    advice = [
      Reason(
        EngineRules.folder,
        "'\(assets[0].shown)' is the folder of assets next to '\(example.shown)'")
    ]
  }

  private static func lowercased(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.map(\.lowercased), as: UTF8.self)
  }

  /// The usual names of folders of assets, in lower case.
  private static let assetFolders: Set<String> = [
    "assets", "resources", "res", "data", "content", "media",
  ]

  /// Places of assets that some frameworks and builds use, such as libGDX.
  private static let otherAssetFolders = [
    "core/src/main/assets", "core/assets", "android/assets", "app/src/main/assets", "datasrc",
  ]

  /// Names of files and folders of code and builds, in lower case.
  private static let codeNames: Set<String> = [
    "src", "source", "sources", "classes", "include", "lib", "code", "scripts", "tests",
    ".git", ".svn", ".hg", "makefile", "cmakelists.txt", "meson.build", "configure",
    "configure.ac", "sconstruct", "package.swift", "package.json", "cargo.toml", "go.mod",
    "build", "build.bazel", "workspace", "module.bazel", "build.gradle", "build.gradle.kts",
    "podfile", "gemfile", "bam.lua",
  ]

  /// Extensions of files of code, in lower case.
  private static let codeExtensions: Set<String> = [
    "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm", "swift", "rs", "go", "zig", "cs", "java",
    "kt", "lua", "py", "sln", "pro",
  ]
}
