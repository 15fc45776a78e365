import SourceDiagnostics
import SystemIO

/// What a project says about tags, whatever kind of file says it.
struct TaggedProject {
  /// Something that the app copies, with its tags.
  struct Resource {
    enum Form: Equatable {
      case file
      /// A folder that is copied as it is.
      case folder
      case catalog
      /// Whatever is there: a synchronized folder does not say.
      case either
    }

    var tags: [String]
    /// Where it is, below the folder of the project or beside it.
    var place: XcodeProject.Place
    /// Where it was in the app.
    var bundlePath: FilePath
    var form: Form
    /// The target that copies it.
    var target: String
    /// Where the project says so.
    var span: SourceSpan
  }

  var resources: [Resource] = []
  /// Catalogs that have no tags of their own; what is in them may.
  var catalogs: [Resource] = []
  /// The tags that the project lists.
  var knownTags: [SettingWord] = []
  var initialInstallTags: [SettingWord] = []
  var prefetchOrder: [SettingWord] = []
  var platforms: [String] = []
  /// The folder that places start from, below the one of the file that was read.
  var folder = FilePath("")
}

// MARK: - From a project.pbxproj

/// Reads what a project of Xcode says about tags.
struct XcodeProjectTags {
  private let project: XcodeProject
  private let folder: ResourceFolder
  private let wishedTarget: String?
  private var result = TaggedProject()
  private var seenBuildFiles: Set<String> = []
  var findings: Ledger

  /// Reads it; `wishedTarget` leaves the others out.
  static func read(
    _ project: XcodeProject, target wishedTarget: String?, in folder: ResourceFolder,
    into findings: inout Ledger
  ) -> TaggedProject {
    var reader = XcodeProjectTags(
      project: project, folder: folder, wishedTarget: wishedTarget, findings: findings)
    reader.read()
    findings = reader.findings
    return reader.result
  }

  private init(
    project: XcodeProject, folder: ResourceFolder, wishedTarget: String?, findings: Ledger
  ) {
    self.project = project
    self.folder = folder
    self.wishedTarget = wishedTarget
    self.findings = findings
  }

  private mutating func read() {
    result.folder = project.folder
    result.knownTags = (project.root["attributes"]?["KnownAssetTags"]?.texts ?? []).map {
      SettingWord(text: $0.text, span: $0.span)
    }
    let named = project.targets.filter { wishedTarget == nil || $0["name"]?.text == wishedTarget }
    if let wishedTarget, named.isEmpty {
      findings.add(
        OnDemandRules.noTarget(
          wishedTarget, among: project.targets.compactMap { $0["name"]?.text },
          at: project.root["targets"]?.span))
    }
    for target in named { read(target) }
    guard wishedTarget == nil else { return }
    for file in project.objects(ofKind: "PBXBuildFile") where !seenBuildFiles.contains(file.id) {
      guard let tags = file["settings"]?["ASSET_TAGS"], !tags.texts.isEmpty else { continue }
      findings.add(OnDemandRules.phase(at: tags.span))
    }
  }

  private mutating func read(_ target: XcodeProject.Object) {
    let name = target["name"]?.text ?? ""
    let before = result.resources.count
    for phase in project.objects(target["buildPhases"])
    where phase.kind == "PBXResourcesBuildPhase" {
      for file in project.objects(phase["files"]) {
        seenBuildFiles.insert(file.id)
        read(file, of: name)
      }
    }
    for group in project.objects(target["fileSystemSynchronizedGroups"]) {
      readSynchronized(group, of: target, name)
    }
    readSettings(of: target, name, hasTags: result.resources.count > before)
  }

  // MARK: Build files

  private mutating func read(_ file: XcodeProject.Object, of target: String) {
    let given = file["settings"]?["ASSET_TAGS"]
    let tags = given?.texts.map(\.text) ?? []
    guard let reference = project.object(file["fileRef"]) else {
      if !tags.isEmpty {
        findings.add(OnDemandRules.dangling(at: file["fileRef"]?.span ?? file.span))
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
      findings.add(OnDemandRules.unsupported(reference.kind, at: span))
    }
  }

  private mutating func add(
    _ reference: XcodeProject.Object, _ tags: [String], of target: String, at span: SourceSpan,
    language: String?
  ) {
    let type = reference["lastKnownFileType"]?.text ?? reference["explicitFileType"]?.text ?? ""
    let path = FilePath(reference["path"]?.text ?? "")
    let form = Self.form(of: path, type)
    guard !tags.isEmpty || form == .catalog else { return }
    guard let place = project.place(of: reference) else {
      findings.add(OnDemandRules.ungrouped(path.text, at: reference.span))
      return
    }
    var bundlePath = Self.bundlePath(of: place, FilePath(joining: [path.name]))
    if let language, FilePath(language).components.count == 1, !language.contains("/"),
      language != "..", !bundlePath.components.contains(where: { $0.isLanguageFolder })
    {
      bundlePath = FilePath("\(language).lproj").appending(bundlePath)
    }
    let resource = TaggedProject.Resource(
      tags: tags, place: place, bundlePath: bundlePath, form: form, target: target, span: span)
    if form == .catalog, tags.isEmpty {
      result.catalogs.append(resource)
    } else {
      result.resources.append(resource)
    }
  }

  private static func form(of path: FilePath, _ type: String) -> TaggedProject.Resource.Form {
    if type == "folder.assetcatalog" || path.hasSuffix(".xcassets") { return .catalog }
    return type == "folder" ? .folder : .either
  }

  /// Where the app finds what is copied: by its name, below the folder of its language.
  static func bundlePath(of place: XcodeProject.Place, _ name: FilePath) -> FilePath {
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

  // MARK: Synchronized folders

  private mutating func readSynchronized(
    _ group: XcodeProject.Object, of target: XcodeProject.Object, _ name: String
  ) {
    let folders = Set(group["explicitFolders"]?.texts.map(\.text) ?? [])
    for set in project.objects(group["exceptions"]) {
      if let other = set["target"]?.text, other != target.id { continue }
      let left = Set(set["membershipExceptions"]?.texts.map(\.text) ?? [])
      for member in set["assetTagsByRelativePath"]?.members ?? [] {
        let tags = member.value.texts.map(\.text)
        guard !tags.isEmpty else { continue }
        guard !left.contains(member.key) else {
          findings.add(OnDemandRules.notMember(member.key, of: name, at: member.keySpan))
          continue
        }
        guard let around = project.place(of: group) else {
          findings.add(OnDemandRules.ungrouped(group["path"]?.text ?? "", at: group.span))
          continue
        }
        let place = around.appending(FilePath(member.key))
        let path = FilePath(member.key).withoutWaysBack
        guard !path.leavesFolder, !path.components.isEmpty else {
          findings.add(OnDemandRules.outside(member.key, at: member.keySpan))
          continue
        }
        let form: TaggedProject.Resource.Form = path.hasSuffix(".xcassets") ? .catalog : .either
        // In a folder that is copied as it is, files keep their paths from that folder on.
        let outer = folders.first { path.text.hasPrefix($0 + "/") }
        let bundlePath =
          if let outer {
            FilePath(joining: path.components.dropFirst(FilePath(outer).components.count - 1))
          } else {
            Self.bundlePath(of: place, path)
          }
        result.resources.append(
          .init(
            tags: tags, place: place, bundlePath: bundlePath, form: form, target: name,
            span: member.keySpan))
      }
    }
  }

  // MARK: Settings

  private mutating func readSettings(
    of target: XcodeProject.Object, _ name: String, hasTags: Bool
  ) {
    let all = project.settings(of: target) { SettingsFile($0, of: project, in: folder) }
    guard let settings = all.first else { return }
    let first = settings["ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"]
    let order = settings["ON_DEMAND_RESOURCES_PREFETCH_ORDER"]
    guard hasTags || !first.isEmpty || !order.isEmpty else { return }
    result.initialInstallTags += first
    result.prefetchOrder += order
    for key in ["SDKROOT", "SUPPORTED_PLATFORMS"] {
      result.platforms += settings[key].map(\.text)
    }
    for other in all.dropFirst() {
      for key in ["ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS", "ON_DEMAND_RESOURCES_PREFETCH_ORDER"]
      where other[key].map(\.text) != settings[key].map(\.text) {
        findings.add(
          OnDemandRules.configurations(
            key, taken: settings.name, other: other.name,
            at: (other[key].first ?? settings[key].first)?.span))
      }
    }
    if let word = settings["ENABLE_ON_DEMAND_RESOURCES"].last, word.text == "NO" {
      findings.add(OnDemandRules.disabled(in: name, at: word.span))
    }
    if let word = settings["ASSET_PACK_MANIFEST_URL_PREFIX"].last {
      findings.add(OnDemandRules.ownServer(word.text, at: word.span))
    }
    for file in settings.unread {
      findings.add(OnDemandRules.settingsFile(file.path, at: file.span))
    }
  }
}

extension FileName {
  /// Whether it is a folder of one language: `de.lproj`.
  var isLanguageFolder: Bool { FilePath(bytes).hasSuffix(".lproj") && bytes.count > 6 }
}
