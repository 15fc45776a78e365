import AppSide
import BAPackKit
import ForeignArchives
import Glibc
import SourceDiagnostics
import SystemIO

/// A product of Xcode: the files of an app's asset packs, and the property lists that describe
/// them.
struct BuiltApp {
  /// Limits of a product.
  struct Bounds {
    /// The maximum number of entries of an archive.
    var entries = ResourceFolder.mostFiles
    /// The maximum number of decoded bytes of a property list.
    ///
    /// No other entry is decoded.
    var list = ResourceFolder.largestText
    /// The maximum number of decoded bytes of all property lists.
    var lists = 64 << 20
  }

  /// The files, sorted by the bytes of their paths.
  private(set) var files: [FilePath] = []
  /// The property lists that describe packs.
  private(set) var lists: [FilePath: [UInt8]] = [:]
  /// The entries of an archive that are in no pack, and the reasons.
  private(set) var refused: [(path: FilePath, reason: String)] = []
  private let bounds: Bounds
  private var listBytes = 0

  /// The property list of the app itself, if the input is the app's folder.
  private var ownList: FilePath?

  /// Whether a file is one of those property lists.
  private func isList(_ path: FilePath) -> Bool {
    switch path.name {
    case "OnDemandResources.plist", "AssetPackManifest.plist", "AssetPackManifestTemplate.plist":
      true
    case "Info.plist": path.folder.hasSuffix(".assetpack") || isOfApp(path)
    default: false
    }
  }

  /// Whether a property list belongs to an app.
  fileprivate func isOfApp(_ path: FilePath) -> Bool {
    path == ownList || path.name == "Info.plist" && path.folder.hasSuffix(".app")
  }

  /// Reads a folder.
  ///
  /// `list` is a property list with another name that describes the packs in it.
  init(
    inFolder folder: ResourceFolder, list: FileName? = nil, within bounds: Bounds = Bounds()
  ) throws(Failure) {
    self.bounds = bounds
    let name = folder.path.text
    if folder.path.hasSuffix(".app") { ownList = FilePath("Info.plist") }
    switch folder.inspect(FilePath(".")) {
    case .folder(let found): files = found
    case .tooLarge:
      throw Failure(
        .malformed(
          "it has too many files, is nested too deep, or contains a folder that cannot be opened"),
        name)
    default: return
    }
    for file in files where isList(file) || list.map({ FilePath($0.bytes) }) == file {
      guard let text = folder.text(file) else {
        throw Failure(
          .malformed("it is too large for a property list, or cannot be opened"),
          folder.path.appending(file).text)
      }
      lists[file] = text.bytes
      try count(text.bytes.count, of: name)
    }
  }

  private mutating func count(_ bytes: Int, of name: String) throws(Failure) {
    listBytes += bytes
    guard listBytes <= bounds.lists else {
      throw Failure(.malformed("its property lists are too large"), name)
    }
  }

  /// Reads an archive in one pass and within the limits.
  init(inArchive path: FilePath, within bounds: Bounds = Bounds(), _ work: Work) throws(Failure) {
    self.bounds = bounds
    let file = try FileDescriptor.open(path.text, for: .reading)
    var reader = try ForeignArchiveReader(file, name: path.text, work)
    var found: Set<FilePath> = []
    var count = 0
    while let entry = try reader.next() {
      count += 1
      guard count <= bounds.entries else {
        throw Failure(.malformed("it has more than \(bounds.entries) entries"), path.text)
      }
      let name = FilePath(entry.path)
      if let flaw = entry.pathFlaw {
        refused.append((name, flaw))
        continue
      }
      guard entry.kind == .file else {
        if entry.kind != .directory, name.isInAssetPack {
          refused.append((name, "is not a regular file"))
        }
        continue
      }
      found.insert(name)
      guard isList(name) else { continue }
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      var list: [UInt8] = []
      while true {
        let count = try reader.read(into: &bytes)
        if count == 0 { break }
        list += bytes.prefix(count)
        try self.count(count, of: path.text)
        guard list.count <= bounds.list else {
          throw Failure(.malformed("its property lists are too large"), path.text)
        }
      }
      lists[name] = list
    }
    files = found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension OnDemandDraft {
  /// Converts a product in a folder.
  init(
    ofBuiltFolder path: FilePath, _ list: FileName?, _ options: ConversionOptions
  ) throws(PackError) {
    // An asset pack without an app is a subfolder of the folder that is read.
    let isPack = path.hasSuffix(".assetpack")
    let folder = try ResourceFolder(
      ofProjectIn: isPack ? path.folder : path, named: nil, leavingOut: options.outputs)
    var app = try mapFailure(.reading) { () throws(Failure) in
      try BuiltApp(inFolder: folder, list: list)
    }
    if isPack { app.keepOnly(path.name) }
    self.init(input: path)
    addPacks(app, from: folder.path, options)
  }

  /// Converts a product in an archive.
  init(ofBuiltArchive path: FilePath, _ options: ConversionOptions) throws(PackError) {
    let app = try mapFailure(.reading) { () throws(Failure) in
      try BuiltApp(inArchive: path, options.work)
    }
    self.init(input: path)
    addPacks(app, from: path, options)
  }

  /// An asset pack of an app.
  private struct BuiltPack {
    var folder: FilePath
    var id: String
    var tags: [String]
    var priority: Double?
    var source: SourceText
  }

  private mutating func addPacks(_ app: BuiltApp, from root: FilePath, _ options: ConversionOptions)
  {
    sourceRoot = root
    var packsOfApp: [BuiltPack] = []
    var priorities: [String: Double] = [:]
    var listed: (packs: [PlacedValue.Member], source: SourceText)?
    let paths = app.lists.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var platforms: [String] = []
    for path in paths {
      let source = SourceText(app.lists[path] ?? [], named: root.appending(path).text)
      guard
        let list = PropertyListText.read(source, into: &findings)
      else { continue }
      if app.isOfApp(path) {
        platforms += (list["CFBundleSupportedPlatforms"]?.texts ?? []).map { $0.text.lowercased() }
      } else if path.name == "Info.plist" {
        packsOfApp.append(
          BuiltPack(
            folder: path.folder, id: list["CFBundleIdentifier"]?.text ?? path.folder.name.shown,
            tags: list["Tags"]?.texts.map(\.text) ?? [],
            priority: list["Priority"]?.text.flatMap { Double($0) }, source: source))
      } else if let resources = list["resources"] {
        for resource in resources.elements {
          guard let id = resource["bundleKey"]?.text else { continue }
          priorities[id] = resource["downloadPriority"]?.text.flatMap { Double($0) }
        }
      } else {
        let tags = list["NSBundleResourceRequestTags"]?.members ?? []
        knownTags = tags.map { SettingElement(text: $0.key, span: $0.keySpan) }
        listed = (list["NSBundleResourceRequestAssetPacks"]?.members ?? [], source)
        self.source = source
      }
    }
    self.platforms = Self.platforms(of: platforms)
    findings.turn(to: source)
    for entry in app.refused {
      findings.add(OnDemandRules.built(entry.path.shown, isNoFile: entry.reason))
    }
    assumesPolicy =
      !packsOfApp.isEmpty && priorities.isEmpty && packsOfApp.allSatisfy { $0.priority == nil }
    let files = app.filesByPack
    for pack in packsOfApp {
      addPacks(pack, files[pack.folder] ?? [], from: root, priorities, options)
    }
    findings.turn(to: source)
    reportCase()
    checkList(listed, against: packsOfApp, app)
  }

  private mutating func addPacks(
    _ pack: BuiltPack, _ files: [FilePath], from root: FilePath,
    _ priorities: [String: Double], _ options: ConversionOptions
  ) {
    findings.turn(to: pack.source)
    guard !pack.tags.isEmpty else {
      findings.add(
        OnDemandRules.built(
          incomplete: "'\(path: pack.folder.shown)' does not specify its tags", at: nil))
      return
    }
    let priority = pack.priority ?? priorities[pack.id] ?? 0
    let events = Set(InstallationEvent.allCases)
    let policy: DownloadPolicy =
      priority >= 1 ? .essential(events) : priority > 0 ? .prefetch(events) : .onDemand
    var hasCatalog = false
    var hasFiles = false
    for file in files {
      let inside = FilePath(joining: file.components.dropFirst(pack.folder.components.count))
      let first = inside.components.first
      if inside == FilePath("Info.plist") || first == "_CodeSignature" || first == "META-INF"
        || inside.name == ".DS_Store"
      {
        continue
      }
      if inside.name == "Assets.car" {
        findings.add(OnDemandFileRules.catalog(file.shown, tags: pack.tags, at: nil))
        catalogItems.append(
          CatalogItem(
            tags: pack.tags, path: file, name: "Assets.car", files: [], source: pack.source,
            span: SourceSpan(0, 0)))
        hasCatalog = true
        continue
      }
      var item = TagPacks.Item(source: file, destination: inside)
      var language: LanguageTag?
      if options.splitsLanguages, let first, first.isLanguageFolder, first != "Base.lproj" {
        language = LanguageTag(languageFolder: first)
        if language == nil {
          findings.add(OnDemandRules.language(first.shown, at: nil))
        } else {
          item.destination = FilePath(joining: inside.components.dropFirst())
        }
      }
      packs.add(item, Set(pack.tags), language: language, [("", policy)])
      hasFiles = true
    }
    // Files cannot be added to an archive.
    let isFolder = (try? FileStatus(ofFileAt: root.text))?.kind == .directory
    if hasCatalog, !hasFiles, isFolder {
      packs.add(
        .exported(pack.folder.name, span: nil), Set(pack.tags), language: nil, [("", policy)])
    }
  }

  /// Compares the list of packs in the app with the existing packs.
  private mutating func checkList(
    _ listed: (packs: [PlacedValue.Member], source: SourceText)?, against built: [BuiltPack],
    _ app: BuiltApp
  ) {
    guard let listed else { return }
    findings.turn(to: listed.source)
    let folders = Dictionary(built.map { ($0.id, $0.folder) }) { first, _ in first }
    let files = Set(app.files)
    for member in listed.packs {
      let span: SourceSpan? = member.keySpan.length > 0 ? member.keySpan : nil
      guard let folder = folders[member.key] else {
        findings.add(OnDemandRules.built(missingPack: member.key, at: span))
        continue
      }
      for path in member.value.texts {
        let file = folder.appending(FilePath(path.text)).normalized
        func isFolder() -> Bool {
          app.files.contains { $0.components.starts(with: file.components) }
        }
        if !files.contains(file), !isFolder() {
          findings.add(
            OnDemandRules.built(
              incomplete: "'\(path: file.shown)' does not exist", at: path.span))
        }
      }
    }
  }
}

extension FilePath {
  /// Whether the path is below the folder of an asset pack.
  fileprivate var isInAssetPack: Bool {
    components.dropLast().contains { FilePath($0.bytes).hasSuffix(".assetpack") }
  }
}

extension BuiltApp {
  /// The files of each asset pack, keyed by its folder.
  fileprivate var filesByPack: [FilePath: [FilePath]] {
    var packs: [FilePath: [FilePath]] = [:]
    for file in files {
      let names = file.components
      guard let end = names.firstIndex(where: { FilePath($0.bytes).hasSuffix(".assetpack") }) else {
        continue
      }
      packs[FilePath(joining: names[...end]), default: []].append(file)
    }
    return packs
  }

  /// Removes all files except those of one asset pack.
  fileprivate mutating func keepOnly(_ pack: FileName) {
    files.removeAll { $0.components.first != pack }
    lists = lists.filter { $0.key.components.first == pack }
  }
}
