import AppSide
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// A description of an app's On-Demand Resources.
enum OnDemandInput {
  /// A `project.pbxproj`, and the folder to which its paths are relative.
  case project(FilePath, folder: FilePath)
  /// A spec of XcodeGen, from which no manifest is made.
  case spec(FilePath)
  /// A folder with an app that Xcode built, or with asset packs.
  case builtFolder(FilePath, list: FileName? = nil)
  /// An archive with an app that Xcode built.
  case builtArchive(FilePath)

  /// Whether an input describes On-Demand Resources.
  static func recognizes(_ input: ConversionInput) -> Bool { of(input) != nil }

  /// Returns the kind of an input; nil if it is not supported.
  fileprivate static func of(_ input: ConversionInput) -> OnDemandInput? {
    switch input {
    case .text(let path, let bytes): of(file: path, bytes.prefix(ConversionInput.startSize))
    case .archive(let path): .builtArchive(path)
    case .folder(let path): of(folder: path)
    }
  }

  /// Returns the kind of a file, detected from its first bytes.
  private static func of(file path: FilePath, _ start: ArraySlice<UInt8>) -> OnDemandInput? {
    func contains(_ text: String) -> Bool { start.firstRange(of: Array(text.utf8)) != nil }
    let folder = path.folder
    if contains("NSBundleResourceRequestAssetPacks") || contains("NSBundleResourceRequestTags")
      || (contains("primaryContentHash") && contains("bundleKey"))
    {
      return .builtFolder(folder, list: path.name)
    }
    let isXcode =
      contains("!$*UTF8*$!") || contains("rootObject") || contains("archiveVersion")
      || (contains("objects") && contains("isa"))
    if isXcode || path.hasSuffix(".pbxproj") {
      let isInside = folder.hasSuffix(".xcodeproj")
      return .project(path, folder: isInside ? folder.folder : folder)
    }
    let isSpec = path.hasSuffix(".yml") || path.hasSuffix(".yaml")
    if isSpec || contains("\ntargets:") || start.starts(with: "targets:".utf8) {
      return .spec(path)
    }
    // An XcodeGen spec in JSON has targets, and a manifest does not.
    return contains("\"targets\"") && contains("\"sources\"") ? .spec(path) : nil
  }

  /// Returns the kind of a folder; nil if it is not supported.
  private static func of(folder path: FilePath) -> OnDemandInput? {
    let path = path.name.bytes.isEmpty ? path : path.folder.appending(path.name)
    if path.hasSuffix(".xcodeproj") {
      return .project(path.appending("project.pbxproj" as FileName), folder: path.folder)
    }
    if path.hasSuffix(".app") || path.hasSuffix(".xcarchive") || path.hasSuffix(".assetpack") {
      return .builtFolder(path)
    }
    if let project = projects(in: path).first {
      return .project(project.appending("project.pbxproj" as FileName), folder: project.folder)
    }
    // If a workspace names no project, the project around it or next to it is used.
    if path.hasSuffix(".xcworkspace") { return of(folder: path.folder) }
    let names = names(in: path)
    if let spec = ["project.yml", "project.yaml"].first(where: { names.contains(FilePath($0)) }) {
      return .spec(path.appending(FilePath(spec)))
    }
    let isBuilt = names.contains {
      $0.hasSuffix(".assetpack") || $0.hasSuffix(".app") || $0.name == "OnDemandResources.plist"
        || $0.name == "OnDemandResources" || $0.name == "Payload"
    }
    return isBuilt ? .builtFolder(path) : nil
  }
}

extension OnDemandInput {
  /// Returns the files in a folder; empty if it cannot be listed.
  fileprivate static func names(in path: FilePath) -> [FilePath] {
    guard let listing = try? FileDescriptor.open(path.text, for: .directory).list() else {
      return []
    }
    return listing.items.map { FilePath(listing.name(of: $0)) }
  }

  /// Returns the projects in a folder or in a workspace.
  static func projects(in path: FilePath) -> [FilePath] {
    path.hasSuffix(".xcodeproj") ? [] : XcodeWorkspace.projects(in: path)
  }
}

extension Conversion {
  /// Converts a project or a product of Xcode.
  init(
    ofOnDemandResources given: ConversionInput, _ options: ConversionOptions
  ) throws(PackError) {
    let path = given.path
    if case .folder = given {
      let projects = OnDemandInput.projects(in: path)
      let folders = NamedFolders(of: path, and: [path])
      let isOutside = projects.contains { $0.folder != path && !folders.contain($0) }
      if projects.count > 1 || isOutside {
        self.init()
        findings.add(
          OnDemandRules.severalProjects(projects.map(\.text)),
          about: SourceText([], named: path.text))
        return
      }
    }
    /// Returns the text of a file, which was already read if it is the input itself.
    func source(_ file: FilePath) throws(PackError) -> SourceText {
      if case .text(_, let bytes) = given { return SourceText(bytes, named: file.text) }
      return SourceText(
        try readText(file, atMost: ReadingLimits.bytes, options.work), named: file.text)
    }
    var draft: OnDemandDraft
    var supported: Set<ConversionOptions.Part> = [.languages, .calls]
    switch OnDemandInput.of(given) {
    case .project(let file, let folder):
      supported.formUnion([.contentRoot, .target])
      draft = try OnDemandDraft(ofProject: source(file), in: folder, options)
    case .spec(let file):
      self.init()
      findings.add(OnDemandRules.spec(file), about: SourceText([], named: file.text))
      return
    case .builtFolder(let folder, let list):
      draft = try OnDemandDraft(ofBuiltFolder: folder, list, options)
    case .builtArchive(let file): draft = try OnDemandDraft(ofBuiltArchive: file, options)
    case nil:
      self.init()
      findings.add(
        OnDemandRules.nothingTagged(in: path.text), about: SourceText([], named: path.text))
      return
    }
    draft.input = path
    if !options.scannedSources.isEmpty {
      let scan = try SourceScan(of: options.scannedSources)
      for file in scan.skipped {
        draft.findings.add(
          OnDemandRules.unsearched(file.text), about: SourceText([], named: file.text))
      }
      draft.scan = scan
    }
    self = draft.conversion(options)
    supportedParts = supported
  }
}
