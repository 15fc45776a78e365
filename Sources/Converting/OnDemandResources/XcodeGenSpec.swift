import BAPackKit
import SourceDiagnostics
import SystemIO

/// Reads what a spec of XcodeGen says about tags: `resourceTags` of a target's sources.
struct XcodeGenSpec {
  private let folder: ResourceFolder
  private let wishedTarget: String?
  private var result = TaggedProject()
  private var findings: Ledger

  /// Reads it; `wishedTarget` leaves the others out.
  static func read(
    _ spec: PlacedValue, target wishedTarget: String?, in folder: ResourceFolder,
    into findings: inout Ledger
  ) -> TaggedProject {
    var reader = XcodeGenSpec(folder: folder, wishedTarget: wishedTarget, findings: findings)
    reader.read(spec)
    findings = reader.findings
    return reader.result
  }

  private init(folder: ResourceFolder, wishedTarget: String?, findings: Ledger) {
    self.folder = folder
    self.wishedTarget = wishedTarget
    self.findings = findings
  }

  private mutating func read(_ spec: PlacedValue) {
    let attributes = spec["attributes"]
    for key in ["KnownAssetTags", "knownAssetTags"] {
      result.knownTags += (attributes?[key]?.texts ?? []).map {
        SettingWord(text: $0.text, span: $0.span)
      }
    }
    let targets = (spec["targets"]?.members ?? []).filter {
      wishedTarget == nil || $0.key == wishedTarget
    }
    if let wishedTarget, targets.isEmpty {
      findings.add(
        OnDemandRules.noTarget(
          wishedTarget, among: (spec["targets"]?.members ?? []).map(\.key),
          at: spec["targets"]?.span))
    }
    for target in targets {
      var before = result.resources.count
      for template in target.value["templates"]?.texts ?? [] {
        guard let sources = spec["targetTemplates"]?[template.text]?["sources"] else { continue }
        readSources(sources, of: target.key)
        if result.resources.count > before {
          findings.add(
            OnDemandRules.spec(
              "the template '\(template.text)' is taken without its variables", at: template.span))
        }
        before = result.resources.count
      }
      if let sources = target.value["sources"] { readSources(sources, of: target.key) }
      readSettings(target.value["settings"])
      readSettings(spec["settings"])
      result.platforms += (target.value["platform"]?.texts ?? []).compactMap {
        Self.platforms[$0.text]
      }
      result.platforms += (target.value["supportedDestinations"]?.texts ?? []).compactMap {
        Self.platforms[$0.text]
      }
    }
  }

  /// What Xcode calls them.
  private static let platforms = [
    "iOS": "iphoneos", "tvOS": "appletvos", "macOS": "macosx", "visionOS": "xros",
  ]

  private mutating func readSettings(_ settings: PlacedValue?) {
    let release = settings?["configs"]?.members.first { $0.key.lowercased().contains("release") }
    for layer in [release?.value, settings?["base"], settings].compactMap(\.self) {
      func words(_ key: String) -> [SettingWord] {
        (layer[key]?.texts ?? []).flatMap { text, span in
          XcodeProject.Settings.split(text).map { SettingWord(text: $0, span: span) }
        }.filter { $0.text != "$(inherited)" }
      }
      result.initialInstallTags += words("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS")
      result.prefetchOrder += words("ON_DEMAND_RESOURCES_PREFETCH_ORDER")
    }
  }

  // MARK: Sources

  private mutating func readSources(_ sources: PlacedValue, of target: String) {
    for source in sources.elements.isEmpty ? [sources] : sources.elements {
      let path = source["path"] ?? source
      guard let text = path.text else { continue }
      let given = source["resourceTags"] ?? source["assetTags"]
      let tags = given?.texts.map(\.text) ?? []
      guard !text.contains("${") else {
        if !tags.isEmpty {
          findings.add(OnDemandRules.spec("'\(path: text)' has a variable in it", at: path.span))
        }
        continue
      }
      let place = FilePath(text).withoutWaysBack
      let type = source["type"]?.text
      let span = given?.span ?? path.span
      switch source["buildPhase"]?.text ?? "resources" {
      case "resources": break
      case "none": continue
      default:
        if !tags.isEmpty { findings.add(OnDemandRules.phase(at: span)) }
        continue
      }
      if type == "folder" {
        add(place, FilePath(joining: [place.name]), .folder, tags, of: target, at: span)
      } else {
        addGroup(place, type, Filter(source), tags, of: target, at: span)
      }
    }
  }

  /// What a source leaves out.
  private struct Filter {
    var excluded: [PathPattern] = []
    var included: [PathPattern] = []

    init(_ source: PlacedValue) {
      excluded = Self.patterns(source["excludes"])
      included = Self.patterns(source["includes"])
    }

    private static func patterns(_ list: PlacedValue?) -> [PathPattern] {
      (list?.texts ?? []).compactMap { try? PathPattern(forFiles: $0.text) }
    }

    /// Whether a path below the source is taken; a pattern may name a folder around it.
    func takes(_ path: FilePath) -> Bool {
      let names = path.components
      let around = (1...max(names.count, 1)).map { FilePath(joining: names.prefix($0)).bytes }
      func matches(_ pattern: PathPattern) -> Bool { around.contains { pattern.matches($0) } }
      return !excluded.contains(where: matches)
        && (included.isEmpty || included.contains(where: matches))
    }
  }

  /// A file, or every resource in a folder: each is copied by its name.
  private mutating func addGroup(
    _ place: FilePath, _ type: String?, _ filter: Filter, _ tags: [String], of target: String,
    at span: SourceSpan
  ) {
    let found = folder.path(of: .project(place)).map { folder.look($0) }
    if found == .tooLarge, !tags.isEmpty {
      findings.add(OnDemandRules.tooLarge(place.text, at: span))
      return
    }
    guard case .folder(let files)? = found, !isUnit(place.name) || type == "group" else {
      if isResource(place) || type == "file" {
        add(place, Self.bundlePath(of: place), .either, tags, of: target, at: span)
      }
      return
    }
    var units: Set<FilePath> = []
    for file in files where filter.takes(file) {
      // A folder with an extension is one thing: a catalog, a bundle.
      let names = file.components
      let unit = names.dropLast().firstIndex(where: { isUnit($0) }).map {
        FilePath(joining: names[...$0])
      }
      guard units.insert(unit ?? file).inserted else { continue }
      let path = place.appending(unit ?? file)
      guard unit != nil || isResource(path) else { continue }
      add(path, Self.bundlePath(of: path), .either, tags, of: target, at: span)
    }
  }

  private mutating func add(
    _ place: FilePath, _ bundlePath: FilePath, _ form: TaggedProject.Resource.Form,
    _ tags: [String], of target: String, at span: SourceSpan
  ) {
    let isCatalog = place.hasSuffix(".xcassets")
    guard isCatalog || !tags.isEmpty else { return }
    let resource = TaggedProject.Resource(
      tags: tags, place: .project(place), bundlePath: bundlePath,
      form: isCatalog ? .catalog : form, target: target, span: span)
    if tags.isEmpty { result.catalogs.append(resource) } else { result.resources.append(resource) }
  }

  private static func bundlePath(of place: FilePath) -> FilePath {
    XcodeProjectTags.bundlePath(of: .project(place), FilePath(joining: [place.name]))
  }

  /// Whether a folder is copied, or compiled, as one thing.
  private func isUnit(_ name: FileName) -> Bool {
    name.bytes.contains(UInt8(ascii: ".")) && name.bytes.first != UInt8(ascii: ".")
      && !name.isLanguageFolder
  }

  /// Whether XcodeGen makes it a resource: what is not compiled, and no setting of the project.
  private func isResource(_ path: FilePath) -> Bool {
    let others = [
      ".swift", ".m", ".mm", ".c", ".cc", ".cpp", ".cxx", ".s", ".h", ".hh", ".hpp", ".ipp", ".tpp",
      ".hxx", ".def", ".metal", ".modulemap", ".xcconfig", ".entitlements", ".gpx", ".apns", ".pch",
      ".lproj", ".framework", ".xcframework", ".a", ".dylib", ".xcodeproj", ".intentdefinition",
      ".mlmodel", ".mlpackage", ".xcdatamodeld",
    ]
    return path.name != "Info.plist" && path.name.bytes.first != UInt8(ascii: ".")
      && path.name.bytes.contains(UInt8(ascii: "."))
      && !others.contains { path.hasSuffix($0) }
  }
}

extension XcodeGenSpec {
  /// The value of a spec in YAML or JSON; nil if it cannot be read, which is reported.
  static func value(of source: SourceText, into findings: inout Ledger) -> PlacedValue? {
    if source.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      return PropertyListText.read(source, into: &findings, as: OnDemandRules.unreadable)
    }
    findings.turn(to: source)
    do throws(Unreadable) {
      return try YAMLText.read(source.bytes)
    } catch {
      findings.add(OnDemandRules.unreadable(error))
      return nil
    }
  }
}

extension OnDemandDraft {
  /// What the text of a spec says, whose folder this is.
  init(
    ofSpec source: SourceText, in folder: FilePath, _ wishes: ConversionWishes
  ) throws(PackError) {
    self.init(input: FilePath(source.name), source: source)
    guard let spec = XcodeGenSpec.value(of: source, into: &findings) else { return }
    let root = try ResourceFolder(
      ofProjectIn: folder, named: wishes.contentRoot, leavingOut: wishes.outputs)
    let whole = XcodeGenIncludes.resolved(spec, in: root, into: &findings)
    findings.turn(to: source)
    var tagged = XcodeGenSpec.read(whole, target: wishes.target, in: root, into: &findings)
    let targets = (whole["targets"]?.members ?? []).map(\.key)
    tagged.mentionedTags = whole.resourceTags
    if wishes.target == nil, targets.count > 1 {
      tagged.schedules = targets.map { target in
        var ignored = Ledger()
        let own = XcodeGenSpec.read(whole, target: target, in: root, into: &ignored)
        return .init(
          target: target, initialInstallTags: own.initialInstallTags,
          prefetchOrder: own.prefetchOrder)
      }
    }
    take(tagged, in: root, wishes)
  }
}

extension PlacedValue {
  /// All tags that a part of a spec gives to sources, whatever target they are of.
  fileprivate var resourceTags: Set<String> {
    var tags: Set<String> = []
    var open = [self]
    while let next = open.popLast() {
      open += next.elements
      for member in next.members {
        if ["resourceTags", "assetTags"].contains(member.key) {
          tags.formUnion(member.value.texts.map(\.text))
        }
        open.append(member.value)
      }
    }
    return tags
  }
}
