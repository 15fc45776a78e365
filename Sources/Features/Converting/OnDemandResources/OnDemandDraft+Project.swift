import AppSide
package import BAPackKit
import Glibc
package import SourceDiagnostics
package import SystemIO

extension OnDemandDraft {
  /// Reads the text of a project in the given folder.
  package init(
    ofProject source: SourceText, in folder: FilePath, _ options: ConversionOptions
  ) throws(PackError) {
    self.init(input: FilePath(source.name), source: source)
    guard
      let list = PropertyListText.read(source, into: &findings)
    else { return }
    let project: XcodeProject
    do throws(Unreadable) {
      project = try XcodeProject(list)
    } catch {
      findings.add(OnDemandRules.unreadable(error))
      return
    }
    let root = try ResourceFolder(
      ofProjectIn: folder, at: project.folder, named: options.contentRoot,
      leavingOut: options.outputs)
    let bundle = FilePath(source.name).folder.name.shown
    let suffix = ".xcodeproj"
    let tagged = XcodeProjectTags.read(
      project, named: bundle.hasSuffix(suffix) ? String(bundle.dropLast(suffix.count)) : "",
      in: root, options, into: &findings)
    addPacks(tagged, in: root, options)
  }

  mutating func addPacks(
    _ tagged: TaggedProject, in root: ResourceFolder, _ options: ConversionOptions
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
    let schedule = TagPacks.Schedule(tagged.initialInstallTags, tagged.prefetchOrder)
    let schedules = Dictionary(
      tagged.schedules.map {
        ($0.target, TagPacks.Schedule($0.initialInstallTags, $0.prefetchOrder))
      }
    ) { first, _ in first }
    for taggedItem in gathering.taggedItems {
      var item = taggedItem.item
      var language: LanguageTag?
      if options.splitsLanguages {
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
      let policies = taggedItem.targets.map { target in
        let own = schedules.isEmpty ? schedule : schedules[target] ?? TagPacks.Schedule()
        return (target: target, policy: own.policy(for: taggedItem.tags))
      }
      packs.add(item, taggedItem.tags, language: language, policies)
    }
    reportCase(leavingOut: gathering.caseCollisions)
    for pack in packs.packs {
      let policies = pack.policies
      guard let other = policies.first(where: { $0.policy != pack.policy }),
        let earliest = policies.first(where: { $0.policy == pack.policy })
      else { continue }
      let elements = tagged.schedules.filter { $0.target == earliest.target }
        .flatMap { $0.initialInstallTags + $0.prefetchOrder }
      findings.add(
        OnDemandRules.schedules(
          pack.tags, earliest, other,
          at: elements.first { pack.tags.contains($0.text) }?.span ?? pack.items.first?.span))
    }
    checkTags(tagged, schedule)
  }

  /// Reports paths in one pack that differ only in case, except reported ones.
  mutating func reportCase(leavingOut reported: Set<FilePath> = []) {
    for pack in packs.packs {
      for (path, other) in pack.caseCollisions where !reported.contains(path) {
        findings.add(
          OnDemandFileRules.samePath(
            path.text, inOtherCaseThan: other.text, at: pack.items.first?.span, before: nil))
      }
    }
  }

  /// Reports unused tags and a prefetch order that cannot be converted.
  private mutating func checkTags(_ tagged: TaggedProject, _ schedule: TagPacks.Schedule) {
    // Missing files were reported, and keep their tags.
    let used = Set(tags.map(\.tag)).union(tagged.mentionedTags)
      .union(tagged.resources.flatMap(\.tags))
    var reported: Set<String> = []
    guard !tags.isEmpty else { return }
    for word in tagged.knownTags + tagged.initialInstallTags + tagged.prefetchOrder
    where !used.contains(word.text) && reported.insert(word.text).inserted {
      findings.add(OnDemandFileRules.unusedTag(word.text, at: word.span))
    }
    let order = tagged.prefetchOrder.filter {
      used.contains($0.text) && !schedule.initialInstall.contains($0.text)
    }
    var seen: Set<String> = []
    let tags = order.map(\.text).filter { seen.insert($0).inserted }
    if tags.count > 1 { findings.add(OnDemandRules.prefetchOrder(tags, at: order.first?.span)) }
  }

  /// Returns the platforms for the platform names of Xcode.
  static func platforms(of names: [String]) -> [Platform] {
    let known: [(String, Platform)] = [
      ("iphoneos", .iOS), ("macosx", .macOS), ("appletvos", .tvOS), ("xros", .visionOS),
    ]
    return known.filter { name, _ in names.contains { $0.hasPrefix(name) } }.map(\.1)
  }
}

/// Collects files with tags from all targets.
private struct Gathering {
  struct TaggedItem {
    var item: TagPacks.Item
    var tags: Set<String>
    /// The targets that copy the file.
    var targets: [String]
  }

  let root: ResourceFolder
  var findings: Ledger
  var taggedItems: [TaggedItem] = []
  var catalogItems: [CatalogItem] = []
  private var indices: [FilePath: Int] = [:]
  /// The ranges of indices in ``taggedItems`` of each catalog's items.
  private var seenCatalogs: [FilePath: Range<Int>] = [:]
  private var missing: [(path: FilePath, resource: TaggedProject.Resource)] = []
  private var found = 0
  /// The files that were reported because their paths differ from others only in case.
  private(set) var caseCollisions: Set<FilePath> = []
  private var spellings: OtherSpellings

  init(root: ResourceFolder, findings: Ledger) {
    self.root = root
    spellings = OtherSpellings(in: root)
    self.findings = findings
  }

  private mutating func path(of resource: TaggedProject.Resource) -> FilePath? {
    if case .elsewhere(let tree) = resource.place {
      findings.add(OnDemandFileRules.elsewhere(tree, at: resource.span))
      return nil
    }
    if let path = root.path(of: resource.place) {
      if path.canBePacked { return path }
      findings.add(OnDemandFileRules.noName(path.text, at: resource.span))
      return nil
    }
    let shown =
      switch resource.place {
      case .project(let path), .absolute(let path): path.text
      case .elsewhere: ""
      }
    findings.add(OnDemandFileRules.outside(shown, at: resource.span))
    return nil
  }

  mutating func add(_ resource: TaggedProject.Resource) {
    if resource.kind == .catalog { return addCatalog(resource) }
    guard var path = path(of: resource) else { return }
    if root.inspect(path) == .missing, let other = spellings.path(of: path), other != path {
      findings.add(OnDemandFileRules.letterCase(path.text, onDisk: other.text, at: resource.span))
      path = other
    }
    if let index = indices[path] {
      if !taggedItems[index].targets.contains(resource.target) {
        taggedItems[index].targets.append(resource.target)
      }
      let tags = Set(resource.tags)
      guard tags != taggedItems[index].tags else { return }
      taggedItems[index].tags.formUnion(tags)
      findings.add(
        OnDemandFileRules.twoSets(
          path.text, at: resource.span, before: taggedItems[index].item.span))
      return
    }
    var item = TagPacks.Item(
      source: path, destination: resource.bundlePath, span: resource.span)
    switch root.inspect(path) {
    case .missing:
      missing.append((path, resource))
      if resource.kind == .folder { item.folder = [] }
    case .outside:
      findings.add(OnDemandFileRules.outside(path.text, at: resource.span))
      return
    case .tooLarge:
      findings.add(OnDemandFileRules.tooLarge(path.text, at: resource.span))
      return
    case .file: found += 1
    case .folder(let files):
      found += 1
      item.folder = files
    }
    if let result = XcodeProduct.ofFile(named: path) {
      findings.add(OnDemandFileRules.compiled(path.text, into: result, at: resource.span))
    }
    indices[path] = taggedItems.count
    taggedItems.append(
      TaggedItem(item: item, tags: Set(resource.tags), targets: [resource.target]))
  }

  mutating func addCatalog(_ resource: TaggedProject.Resource) {
    guard let path = path(of: resource) else { return }
    if let places = seenCatalogs[path] {
      for index in places where !taggedItems[index].targets.contains(resource.target) {
        taggedItems[index].targets.append(resource.target)
      }
      return
    }
    let first = taggedItems.count
    defer { seenCatalogs[path] = first..<taggedItems.count }
    let items = AssetCatalog.items(at: path, in: root, into: &findings)
    for item in items {
      findings.add(OnDemandFileRules.catalog(item), about: item.source)
      for file in item.files {
        taggedItems.append(
          TaggedItem(
            item: TagPacks.Item(
              source: item.path.appending(file),
              destination: FilePath(item.name).appending(file), span: resource.span),
            tags: Set(item.tags), targets: [resource.target]))
      }
      found += item.files.count
    }
    catalogItems += items
    guard items.isEmpty, !resource.tags.isEmpty else { return }
    // The catalog is missing or has no tags: the tags of the project apply.
    findings.add(OnDemandFileRules.catalog(path.text, tags: resource.tags, at: resource.span))
    catalogItems.append(
      CatalogItem(
        tags: resource.tags, path: path, name: path.name.shown, files: [],
        source: SourceText([], named: ""), span: resource.span))
    taggedItems.append(
      TaggedItem(
        item: .exported(path.name, span: resource.span), tags: Set(resource.tags),
        targets: [resource.target]))
  }

  /// Reports missing files and removes them.
  ///
  /// Returns false if all files are missing; the selectors are then made from the text alone.
  mutating func settleMissing(in source: SourceText) -> Bool {
    findings.turn(to: source)
    guard found > 0 || missing.isEmpty else {
      findings.add(
        ConversionRules.unavailable(
          "none of the \(missing.count) files with tags exists", at: missing.first?.resource.span))
      return false
    }
    for (path, resource) in missing {
      findings.add(OnDemandFileRules.missing(path.text, at: resource.span))
    }
    let lost = Set(missing.map(\.path))
    taggedItems.removeAll { lost.contains($0.item.source) }
    return true
  }

  /// Restores the project paths of files that would have the same path in packs.
  mutating func settlePaths() {
    var isSettled = false
    while !isSettled {
      var first: [FilePath: Int] = [:]
      var changed: Set<Int> = []
      for index in taggedItems.indices where taggedItems[index].item.destination != FilePath(".") {
        // On most Macs, names that differ only in case are the same name.
        let path = taggedItems[index].item.destination
        guard let earlier = first.updateValue(index, forKey: FilePath(foldedCase(path.bytes)))
        else { continue }
        first[FilePath(foldedCase(path.bytes))] = earlier
        changed.formUnion([earlier, index])
        let (item, other) = (taggedItems[index].item, taggedItems[earlier].item)
        if item.source != other.source,
          foldedCase(item.source.bytes) == foldedCase(other.source.bytes)
        {
          // The paths in the project also collide: this is reported when both have them.
          let isOwn = item.destination == item.source && other.destination == other.source
          if isOwn, caseCollisions.insert(item.source).inserted {
            findings.add(
              OnDemandFileRules.samePath(
                item.source.text, inOtherCaseThan: other.source.text, at: item.span,
                before: other.span))
          }
          continue
        }
        findings.add(
          OnDemandFileRules.samePath(
            other.destination.text, keeps: item.source.text, at: item.span, before: other.span))
      }
      isSettled = changed.allSatisfy {
        taggedItems[$0].item.destination == taggedItems[$0].item.source
      }
      for index in changed { taggedItems[index].item.destination = taggedItems[index].item.source }
    }
  }
}

extension FilePath {
  /// Whether a pack can contain the path: no control characters, and no names longer than file
  /// systems support.
  fileprivate var canBePacked: Bool {
    bytes.count <= 1000 && components.allSatisfy { $0.bytes.count <= 255 }
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// The products that Xcode builds from resources that it does not copy unchanged.
enum XcodeProduct {
  private static let products: [(String, String)] = [
    (".xib", "nib"), (".storyboard", "storyboardc"), (".xcdatamodel", "mom"),
    (".xcdatamodeld", "momd"), (".xcmappingmodel", "cdm"), (".mlmodel", "mlmodelc"),
    (".mlpackage", "mlmodelc"), (".atlas", "atlasc"), (".xcstrings", "strings"),
    (".metal", "metallib"), (".rkassets", "reality"), (".rcproject", "reality"),
    (".intentdefinition", "intentdefinition"), (".iconset", "icns"), (".scncache", "scncache"),
  ]

  /// Returns the extension of the compiled file; nil if Xcode copies the file unchanged.
  static func ofFile(named path: FilePath) -> String? {
    products.first { path.hasSuffix($0.0) }?.1
  }
}

extension LanguageTag {
  /// Creates the language of a folder such as `de.lproj`, `zh_TW.lproj` or `English.lproj`; nil if
  /// it has none.
  init?(languageFolder folder: FileName) {
    let name = folder.shown.dropLast(".lproj".count)
    let old = [
      "English": "en", "French": "fr", "German": "de", "Japanese": "ja", "Spanish": "es",
      "Italian": "it", "Dutch": "nl",
    ]
    self.init(old[String(name)] ?? String(name).replacing("_", with: "-"))
  }
}
