import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// What describes an app's On-Demand Resources.
enum OnDemandInput {
  /// A `project.pbxproj`, and the folder that its paths start from.
  case project(FilePath, folder: FilePath)
  /// A spec of XcodeGen.
  case spec(FilePath, folder: FilePath)
  /// A folder with an app that Xcode built, or with asset packs.
  case builtFolder(FilePath, list: FileName? = nil)
  /// An archive of one.
  case builtArchive(FilePath)

  /// Whether an input describes them.
  static func recognizes(_ input: ConversionInput) -> Bool { of(input) != nil }

  /// What an input is; nil if it is nothing that we read.
  fileprivate static func of(_ input: ConversionInput) -> OnDemandInput? {
    switch input {
    case .text(let path, let bytes): of(file: path, bytes.prefix(ConversionInput.startSize))
    case .archive(let path): .builtArchive(path)
    case .folder(let path): of(folder: path)
    }
  }

  /// What a file is, by how it begins.
  private static func of(file path: FilePath, _ start: ArraySlice<UInt8>) -> OnDemandInput? {
    func says(_ words: String) -> Bool { start.firstRange(of: Array(words.utf8)) != nil }
    let folder = path.folder
    if says("NSBundleResourceRequestAssetPacks") || says("NSBundleResourceRequestTags")
      || (says("primaryContentHash") && says("bundleKey"))
    {
      return .builtFolder(folder, list: path.name)
    }
    let isXcode =
      says("!$*UTF8*$!") || says("rootObject") || says("archiveVersion")
      || (says("objects") && says("isa"))
    if isXcode || path.hasSuffix(".pbxproj") {
      let isInside = folder.hasSuffix(".xcodeproj")
      return .project(path, folder: isInside ? folder.folder : folder)
    }
    let isSpec = path.hasSuffix(".yml") || path.hasSuffix(".yaml")
    if isSpec || says("\ntargets:") || start.starts(with: "targets:".utf8) {
      return .spec(path, folder: folder)
    }
    // A spec in JSON has targets, too, and a manifest has none.
    return says("\"targets\"") && says("\"sources\"") ? .spec(path, folder: folder) : nil
  }

  /// What a folder is; nil if it is nothing that we read.
  private static func of(folder path: FilePath) -> OnDemandInput? {
    let path = path.name.bytes.isEmpty ? path : path.folder.appending(path.name)
    if path.hasSuffix(".xcodeproj") {
      return .project(path.appending("project.pbxproj"), folder: path.folder)
    }
    if path.hasSuffix(".app") || path.hasSuffix(".xcarchive") || path.hasSuffix(".assetpack") {
      return .builtFolder(path)
    }
    // The projects of a workspace are beside it.
    if path.hasSuffix(".xcworkspace") { return of(folder: path.folder) }
    let names = names(in: path)
    if let project = names.first(where: { $0.hasSuffix(".xcodeproj") }) {
      return .project(path.appending(project).appending("project.pbxproj"), folder: path)
    }
    if let spec = ["project.yml", "project.yaml"].first(where: { names.contains(FilePath($0)) }) {
      return .spec(path.appending(FilePath(spec)), folder: path)
    }
    let isBuilt = names.contains {
      $0.hasSuffix(".assetpack") || $0.hasSuffix(".app") || $0.name == "OnDemandResources.plist"
        || $0.name == "OnDemandResources" || $0.name == "Payload"
    }
    return isBuilt ? .builtFolder(path) : nil
  }
}

extension OnDemandInput {
  /// What is in a folder; nothing if it cannot be listed.
  fileprivate static func names(in path: FilePath) -> [FilePath] {
    guard let listing = try? FileDescriptor.open(path.text, for: .directory).list() else {
      return []
    }
    return listing.items.map { FilePath(listing.name(of: $0)) }
  }

  /// The projects in a folder of which one is meant.
  fileprivate static func projects(in path: FilePath) -> [FilePath] {
    if path.hasSuffix(".xcodeproj") { return [] }
    let folder = path.hasSuffix(".xcworkspace") ? path.folder : path
    return names(in: folder).filter { $0.hasSuffix(".xcodeproj") }
  }
}

extension Conversion {
  /// Converts a project, a spec, or what was built.
  init(
    ofOnDemandResources given: ConversionInput, _ wishes: ConversionWishes
  ) throws(PackError) {
    let path = given.path
    if case .folder = given {
      let projects = OnDemandInput.projects(in: path)
      if projects.count > 1 {
        self.init()
        findings.add(
          OnDemandRules.severalProjects(projects.map(\.text)),
          about: SourceText([], named: path.text))
        return
      }
    }
    /// The text of a file, which was read already if it was given by itself.
    func source(_ file: FilePath) throws(PackError) -> SourceText {
      if case .text(_, let bytes) = given { return SourceText(bytes, named: file.text) }
      return SourceText(try readText(file, atMost: ReadingLimits.bytes), named: file.text)
    }
    var draft: OnDemandDraft
    var heeds: Set<ConversionWishes.Part> = [.languages, .calls]
    switch OnDemandInput.of(given) {
    case .project(let file, let folder):
      heeds.formUnion([.contentRoot, .target])
      draft = try OnDemandDraft(ofProject: source(file), in: folder, wishes)
    case .spec(let file, let folder):
      heeds.formUnion([.contentRoot, .target])
      draft = try OnDemandDraft(ofSpec: source(file), in: folder, wishes)
    case .builtFolder(let folder, let list):
      draft = try OnDemandDraft(ofBuiltFolder: folder, list, wishes)
    case .builtArchive(let file): draft = try OnDemandDraft(ofBuiltArchive: file, wishes)
    case nil:
      self.init()
      findings.add(
        OnDemandRules.nothingTagged(in: path.text), about: SourceText([], named: path.text))
      return
    }
    draft.input = path
    if !wishes.scannedSources.isEmpty {
      var calls: [SourceCall] = []
      for source in wishes.scannedSources { calls += try SourceScan.calls(in: source) }
      draft.calls = calls
    }
    self = draft.conversion(wishes)
    heeded = heeds
  }
}

// MARK: - Projects

extension OnDemandDraft {
  /// What the text of a project says, whose folder this is.
  init(
    ofProject source: SourceText, in folder: FilePath, _ wishes: ConversionWishes
  ) throws(PackError) {
    self.init(input: FilePath(source.name), source: source)
    guard
      let list = PropertyListText.read(source, into: &findings, as: OnDemandRules.unreadable)
    else { return }
    let project: XcodeProject
    do throws(Unreadable) {
      project = try XcodeProject(list)
    } catch {
      findings.add(OnDemandRules.unreadable(error))
      return
    }
    let root = try ResourceFolder(
      ofProjectIn: folder, at: project.folder, named: wishes.contentRoot,
      leavingOut: wishes.outputs)
    let tagged = XcodeProjectTags.read(
      project, target: wishes.target, in: root, into: &findings)
    take(tagged, in: root, wishes)
  }

  /// Makes packs of what has tags.
  mutating func take(
    _ tagged: TaggedProject, in root: ResourceFolder, _ wishes: ConversionWishes
  ) {
    sourceRoot = root.path.bytes.isEmpty ? FilePath(".") : root.path
    platforms = Self.platforms(of: tagged.platforms)
    knownTags = tagged.knownTags
    var gathering = Gathering(root: root, findings: findings)
    for resource in tagged.resources { gathering.add(resource) }
    for catalog in tagged.catalogs { gathering.addCatalog(catalog) }
    isAtHand = gathering.settleMissing(in: source)
    catalogItems = gathering.catalogItems
    gathering.settlePaths()
    findings = gathering.findings
    findings.turn(to: source)
    let schedule = TagPacks.Schedule(
      initialInstall: Set(tagged.initialInstallTags.map(\.text)),
      prefetched: tagged.prefetchOrder.map(\.text))
    for thing in gathering.things {
      var item = thing.item
      var language: LanguageTag?
      if wishes.splitsLanguages {
        let folder = item.destination.components.first
        if let folder, folder.isLanguageFolder, folder != "Base.lproj" {
          language = LanguageTag(languageFolder: folder)
          if language == nil {
            findings.add(OnDemandRules.language(folder.shown, at: item.span))
          } else {
            item.destination = FilePath(joining: item.destination.components.dropFirst())
          }
        }
      }
      packs.add(item, thing.tags, language: language, schedule.policy(for: thing.tags))
    }
    checkTags(tagged, schedule)
  }

  /// Reports tags that nothing has, and an order that is lost.
  private mutating func checkTags(_ tagged: TaggedProject, _ schedule: TagPacks.Schedule) {
    let used = Set(tags.map(\.tag))
    var reported: Set<String> = []
    guard !used.isEmpty else { return }
    for word in tagged.knownTags + tagged.initialInstallTags + tagged.prefetchOrder
    where !used.contains(word.text) && reported.insert(word.text).inserted {
      findings.add(OnDemandRules.unusedTag(word.text, at: word.span))
    }
    let order = tagged.prefetchOrder.filter {
      used.contains($0.text) && !schedule.initialInstall.contains($0.text)
    }
    var seen: Set<String> = []
    let tags = order.map(\.text).filter { seen.insert($0).inserted }
    if tags.count > 1 { findings.add(OnDemandRules.prefetchOrder(tags, at: order.first?.span)) }
  }

  /// The platforms that Xcode's names stand for.
  static func platforms(of names: [String]) -> [Platform] {
    let known: [(String, Platform)] = [
      ("iphoneos", .iOS), ("macosx", .macOS), ("appletvos", .tvOS), ("xros", .visionOS),
    ]
    return known.filter { name, _ in names.contains { $0.hasPrefix(name) } }.map(\.1)
  }
}

/// Files with tags, brought together from all targets.
private struct Gathering {
  struct Thing {
    var item: TagPacks.Item
    var tags: [String]
  }

  let root: ResourceFolder
  var findings: Ledger
  var things: [Thing] = []
  var catalogItems: [CatalogItem] = []
  private var indices: [FilePath: Int] = [:]
  private var seenCatalogs: Set<FilePath> = []
  private var missing: [(path: FilePath, resource: TaggedProject.Resource)] = []
  private var found = 0
  private var spellings: OtherSpellings

  init(root: ResourceFolder, findings: Ledger) {
    self.root = root
    spellings = OtherSpellings(in: root)
    self.findings = findings
  }

  private mutating func path(of resource: TaggedProject.Resource) -> FilePath? {
    if case .elsewhere(let tree) = resource.place {
      findings.add(OnDemandRules.elsewhere(tree, at: resource.span))
      return nil
    }
    if let path = root.path(of: resource.place) {
      if !path.bytes.contains(0) { return path }
      findings.add(OnDemandRules.noName(path.text, at: resource.span))
      return nil
    }
    let shown =
      switch resource.place {
      case .project(let path), .absolute(let path): path.text
      case .elsewhere: ""
      }
    findings.add(OnDemandRules.outside(shown, at: resource.span))
    return nil
  }

  mutating func add(_ resource: TaggedProject.Resource) {
    if resource.form == .catalog { return addCatalog(resource) }
    guard var path = path(of: resource) else { return }
    if root.look(path) == .missing, let other = spellings.path(of: path), other != path {
      findings.add(OnDemandRules.letterCase(path.text, onDisk: other.text, at: resource.span))
      path = other
    }
    if let index = indices[path] {
      let before = things[index]
      let tags = TagPacks.sorted(before.tags + resource.tags)
      guard tags != TagPacks.sorted(before.tags) || tags != TagPacks.sorted(resource.tags) else {
        return
      }
      things[index].tags = tags
      findings.add(
        OnDemandRules.twoSets(path.text, at: resource.span, before: before.item.span))
      return
    }
    var item = TagPacks.Item(
      source: path, destination: resource.bundlePath, span: resource.span)
    switch root.look(path) {
    case .missing:
      missing.append((path, resource))
      if resource.form == .folder { item.folder = [] }
    case .outside:
      findings.add(OnDemandRules.outside(path.text, at: resource.span))
      return
    case .tooLarge:
      findings.add(OnDemandRules.tooLarge(path.text, at: resource.span))
      return
    case .file: found += 1
    case .folder(let files):
      found += 1
      item.folder = files
    }
    if let result = XcodeProduct.ofFile(named: path) {
      findings.add(OnDemandRules.compiled(path.text, into: result, at: resource.span))
    }
    indices[path] = things.count
    things.append(Thing(item: item, tags: resource.tags))
  }

  mutating func addCatalog(_ resource: TaggedProject.Resource) {
    guard let path = path(of: resource), seenCatalogs.insert(path).inserted else { return }
    let items = AssetCatalog.items(at: path, in: root, into: &findings)
    for item in items {
      findings.add(OnDemandRules.catalog(item), about: item.source)
    }
    catalogItems += items
    guard items.isEmpty, !resource.tags.isEmpty else { return }
    // The catalog is not there, or says nothing: then the project's word counts.
    findings.add(OnDemandRules.catalog(path.text, tags: resource.tags, at: resource.span))
    catalogItems.append(
      CatalogItem(
        tags: resource.tags, path: path, name: path.name.shown, files: [],
        source: SourceText([], named: ""), span: resource.span))
  }

  /// Reports what is missing, and leaves it out; if nothing at all is there, the text alone counts.
  mutating func settleMissing(in source: SourceText) -> Bool {
    findings.turn(to: source)
    guard found > 0 || missing.isEmpty else {
      findings.add(
        ConversionRules.notAtHand(
          "none of the \(missing.count) files with tags is here", at: missing.first?.resource.span))
      return false
    }
    for (path, resource) in missing {
      findings.add(OnDemandRules.missing(path.text, at: resource.span))
    }
    let lost = Set(missing.map(\.path))
    things.removeAll { lost.contains($0.item.source) }
    return true
  }

  /// Gives files that would have the same path in packs their own paths again.
  mutating func settlePaths() {
    var first: [FilePath: Int] = [:]
    var changed: Set<Int> = []
    for index in things.indices {
      let path = things[index].item.destination
      guard let earlier = first[path] else {
        first[path] = index
        continue
      }
      changed.formUnion([earlier, index])
      findings.add(
        OnDemandRules.samePath(
          path.text, keeps: things[index].item.source.text, at: things[index].item.span,
          before: things[earlier].item.span))
    }
    for index in changed { things[index].item.destination = things[index].item.source }
  }
}

/// What Xcode makes of resources that it does not copy as they are.
enum XcodeProduct {
  private static let products: [(String, String)] = [
    (".xib", "nib"), (".storyboard", "storyboardc"), (".xcdatamodel", "mom"),
    (".xcdatamodeld", "momd"), (".xcmappingmodel", "cdm"), (".mlmodel", "mlmodelc"),
    (".mlpackage", "mlmodelc"), (".atlas", "atlasc"), (".xcstrings", "strings"),
    (".metal", "metallib"), (".rkassets", "reality"), (".rcproject", "reality"),
    (".intentdefinition", "intentdefinition"), (".iconset", "icns"), (".scncache", "scncache"),
  ]

  /// What a file becomes; nil if the app gets it as it is.
  static func ofFile(named path: FilePath) -> String? {
    products.first { path.hasSuffix($0.0) }?.1
  }
}

extension LanguageTag {
  /// The language of a folder: `de.lproj`, `zh_TW.lproj`, `English.lproj`; nil if it has none.
  init?(languageFolder folder: FileName) {
    let name = folder.shown.dropLast(".lproj".count)
    let old = [
      "English": "en", "French": "fr", "German": "de", "Japanese": "ja", "Spanish": "es",
      "Italian": "it", "Dutch": "nl",
    ]
    self.init(old[String(name)] ?? String(name).replacing("_", with: "-"))
  }
}
