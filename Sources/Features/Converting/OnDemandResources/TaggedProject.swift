import AppSide
import SourceDiagnostics
import SystemIO

/// The tags in a project, independent of the project's file format.
struct TaggedProject {
  /// A resource that the app copies, with its tags.
  struct Resource {
    enum Kind: Equatable {
      case file
      /// A folder that is copied unchanged.
      case folder
      case catalog
      /// A file or folder: a synchronized folder does not specify the kind.
      case either
    }

    var tags: [String]
    /// The path relative to the project's folder.
    var place: XcodeProject.FileLocation
    /// The path in the app's bundle.
    var bundlePath: FilePath
    var kind: Kind
    /// The target that copies it.
    var target: String
    /// The place in the project.
    var span: SourceSpan
  }

  /// The download settings of a target's tags.
  struct Schedule {
    var target: String
    var initialInstallTags: [SettingElement] = []
    var prefetchOrder: [SettingElement] = []
  }

  var resources: [Resource] = []
  /// Catalogs without tags; their items may have tags.
  var catalogs: [Resource] = []
  /// The tags that the project lists.
  var knownTags: [SettingElement] = []
  var initialInstallTags: [SettingElement] = []
  var prefetchOrder: [SettingElement] = []
  /// The download settings by target; empty if all targets have the same ones.
  var schedules: [Schedule] = []
  /// The tags of all resources in all targets, including missing and excluded resources.
  var mentionedTags: Set<String> = []
  var platforms: [String] = []
  /// The folder to which places are relative, below the folder of the file that was read.
  var folder = FilePath("")

  /// The numbers of resources and catalogs.
  typealias Counts = (resources: Int, catalogs: Int)

  var counts: Counts { (resources.count, catalogs.count) }
}

// MARK: - From a project.pbxproj

/// Reads the tags in an Xcode project.
struct XcodeProjectTags {
  let project: XcodeProject
  /// The name of the project: `Game` for `Game.xcodeproj`.
  let name: String
  let folder: ResourceFolder
  let options: ConversionOptions
  var result = TaggedProject()
  private var taggedCatalogs = TaggedCatalogs()
  private var seenBuildFiles: Set<String> = []
  /// The findings about build settings and folders that several targets may share.
  var reported: Set<String> = []
  /// The synchronized folders of the project, and their contents.
  private let groups: [XcodeProject.Object]
  var inspected: [FilePath: ResourceFolder.Found] = [:]
  var findings: Ledger

  /// Reads the tags of all targets, or of the specified target only.
  static func read(
    _ project: XcodeProject, named name: String, in folder: ResourceFolder,
    _ options: ConversionOptions, into findings: inout Ledger
  ) -> TaggedProject {
    var reader = XcodeProjectTags(project, named: name, in: folder, options, findings)
    reader.read()
    findings = reader.findings
    return reader.result
  }

  private init(
    _ project: XcodeProject, named name: String, in folder: ResourceFolder,
    _ options: ConversionOptions, _ findings: Ledger
  ) {
    self.project = project
    self.name = name
    self.folder = folder
    self.options = options
    self.findings = findings
    groups = project.objects(ofKind: "PBXFileSystemSynchronizedRootGroup")
  }

  private mutating func read() {
    result.folder = project.folder
    result.knownTags = (project.root["attributes"]?["KnownAssetTags"]?.texts ?? []).map {
      SettingElement(text: $0.text, span: $0.span)
    }
    for file in project.objects(ofKind: "PBXBuildFile") {
      result.mentionedTags.formUnion(file["settings"]?["ASSET_TAGS"]?.texts.map(\.text) ?? [])
    }
    let selectedTarget = options.target
    let named = project.targets.filter {
      selectedTarget == nil || $0["name"]?.text == selectedTarget
    }
    if let selectedTarget, named.isEmpty {
      findings.add(
        OnDemandRules.noTarget(
          selectedTarget, among: project.targets.compactMap { $0["name"]?.text },
          at: project.root["targets"]?.span))
    }
    for target in named { read(target) }
    guard selectedTarget == nil else { return }
    for file in project.objects(ofKind: "PBXBuildFile") where !seenBuildFiles.contains(file.id) {
      guard let tags = file["settings"]?["ASSET_TAGS"], !tags.texts.isEmpty else { continue }
      findings.add(OnDemandFileRules.phase(at: tags.span))
    }
  }

  private mutating func read(_ target: XcodeProject.Object) {
    let name = target["name"]?.text ?? ""
    let before = result.counts
    for phase in project.objects(target["buildPhases"])
    where phase.kind == "PBXResourcesBuildPhase" {
      for file in project.objects(phase["files"]) {
        seenBuildFiles.insert(file.id)
        read(file, of: name)
      }
    }
    for group in groups {
      readSynchronized(group, of: target, name)
    }
    readSettings(
      of: target, name, hasTags: taggedCatalogs.hasTags(result, after: before, in: folder))
  }

  // MARK: Build files

  private mutating func read(_ file: XcodeProject.Object, of target: String) {
    let given = file["settings"]?["ASSET_TAGS"]
    let tags = given?.texts.map(\.text) ?? []
    guard let reference = project.object(file["fileRef"]) else {
      if !tags.isEmpty {
        findings.add(OnDemandFileRules.dangling(at: file["fileRef"]?.span ?? file.span))
      }
      return
    }
    let span = given?.span ?? file.span
    switch reference.kind {
    case "PBXVariantGroup":
      guard !tags.isEmpty else { return }
      for child in project.objects(reference["children"]) {
        add(child, tags, of: target, at: span, language: child["name"]?.text)
      }
    case "PBXFileReference": add(reference, tags, of: target, at: span, language: nil)
    default:
      guard !tags.isEmpty else { return }
      findings.add(OnDemandFileRules.unsupported(reference.kind, at: span))
    }
  }

  private mutating func add(
    _ reference: XcodeProject.Object, _ tags: [String], of target: String, at span: SourceSpan,
    language: String?
  ) {
    let type = reference["lastKnownFileType"]?.text ?? reference["explicitFileType"]?.text ?? ""
    let path = FilePath(reference["path"]?.text ?? "")
    let kind = Self.kind(of: path, type)
    guard !tags.isEmpty || kind == .catalog else { return }
    guard let place = project.place(of: reference) else {
      findings.add(OnDemandFileRules.ungrouped(path.text, at: reference.span))
      return
    }
    var bundlePath = Self.bundlePath(of: place, FilePath(joining: [path.name]))
    if let language, FilePath(language).components.count == 1, !language.contains("/"),
      language != "..", !bundlePath.components.contains(where: { $0.isLanguageFolder })
    {
      bundlePath = FilePath("\(language).lproj").appending(bundlePath)
    }
    let resource = TaggedProject.Resource(
      tags: tags, place: place, bundlePath: bundlePath, kind: kind, target: target, span: span)
    if kind == .catalog, tags.isEmpty {
      result.catalogs.append(resource)
    } else {
      result.resources.append(resource)
    }
  }

  private static func kind(of path: FilePath, _ type: String) -> TaggedProject.Resource.Kind {
    if type == "folder.assetcatalog" || path.hasSuffix(".xcassets") { return .catalog }
    return type == "folder" ? .folder : .either
  }

  /// Returns the path of a copied resource in the app: its name, below the folder of its language.
  static func bundlePath(of place: XcodeProject.FileLocation, _ name: FilePath) -> FilePath {
    let path =
      switch place {
      case .project(let path), .absolute(let path): path
      case .elsewhere: name
      }
    let folders = path.components.dropLast()
    guard let last = folders.last, last.isLanguageFolder else {
      return FilePath(joining: [path.name])
    }
    return FilePath(joining: [last, path.name])
  }
}

extension FileName {
  /// Whether the name is that of a language folder: `de.lproj`.
  var isLanguageFolder: Bool { FilePath(bytes).hasSuffix(".lproj") && bytes.count > 6 }
}
