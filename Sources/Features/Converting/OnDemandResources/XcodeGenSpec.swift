// Long because a target's sources, templates and settings are read together.
package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// Reads the tags in an XcodeGen spec: `resourceTags` of sources and file types, and the build
/// settings that specify when tags are downloaded.
struct XcodeGenSpec {
  private let spec: PlacedValue
  private let folder: ResourceFolder
  private let selectedTarget: String?
  private let isPolicyGiven: Bool
  private let fileTypes: [String: FileType]
  private var result = TaggedProject()
  private var taggedCatalogs = TaggedCatalogs()
  private var findings: Ledger
  /// The places in tag lists and settings files that were reported.
  private var reported: Set<String> = []

  /// Reads the tags of all targets, or of `selectedTarget` only.
  static func read(
    _ spec: PlacedValue, target selectedTarget: String?, isPolicyGiven: Bool,
    in folder: ResourceFolder, into findings: inout Ledger
  ) -> TaggedProject {
    var reader = XcodeGenSpec(
      spec, folder: folder, selectedTarget: selectedTarget, isPolicyGiven: isPolicyGiven,
      findings: findings)
    reader.read()
    findings = reader.findings
    return reader.result
  }

  private init(
    _ spec: PlacedValue, folder: ResourceFolder, selectedTarget: String?, isPolicyGiven: Bool,
    findings: Ledger
  ) {
    self.spec = spec
    self.folder = folder
    self.selectedTarget = selectedTarget
    self.isPolicyGiven = isPolicyGiven
    self.findings = findings
    fileTypes = Dictionary(
      (spec["options"]?["fileTypes"]?.members ?? []).map { ($0.key, FileType($0.value)) }
    ) { _, last in last }
  }

  /// The options of a spec for all files with an extension.
  private struct FileType {
    var tags: [(text: String, span: SourceSpan)]
    /// Whether a folder with the extension is copied as one unit.
    var isFile: Bool
    /// Whether files with the extension are copied; nil if the spec does not specify it.
    var isResource: Bool?

    init(_ value: PlacedValue) {
      tags = value["resourceTags"]?.texts ?? []
      isFile = value["file"]?.text != "NO"
      isResource = value["buildPhase"].map { $0.text == "resources" }
    }
  }

  private mutating func read() {
    let attributes = spec["attributes"]
    for key in ["KnownAssetTags", "knownAssetTags"] {
      result.knownTags += (attributes?[key]?.texts ?? []).map {
        SettingElement(text: $0.text, span: $0.span)
      }
    }
    for type in spec["options"]?["fileTypes"]?.members ?? [] {
      checkTags(type.value["resourceTags"])
    }
    let all = spec["targets"]?.members ?? []
    let targets = all.filter { selectedTarget == nil || $0.key == selectedTarget }
    if let selectedTarget, targets.isEmpty {
      findings.add(
        OnDemandRules.noTarget(
          selectedTarget, among: all.map(\.key), at: spec["targets"]?.span))
    }
    for target in targets {
      let whole = withTemplates(target.value, named: target.key)
      let before = result.counts
      if let sources = whole["sources"] { readSources(sources, of: target.key) }
      let hasTags = taggedCatalogs.hasTags(result, after: before, in: folder)
      readSettings(of: whole, hasTags: hasTags)
      // A target without tags adds no platform, because its sources are in no pack.
      guard hasTags else { continue }
      for key in ["platform", "supportedDestinations"] {
        result.platforms += (whole[key]?.texts ?? []).compactMap { Self.platforms[$0.text] }
      }
    }
  }

  /// The platform names of Xcode.
  private static let platforms = [
    "iOS": "iphoneos", "tvOS": "appletvos", "macOS": "macosx", "visionOS": "xros",
  ]

  // MARK: Templates

  /// Returns a target merged with its templates, with variables replaced.
  private mutating func withTemplates(_ target: PlacedValue, named name: String) -> PlacedValue {
    var values = ["target_name": name]
    for attribute in target["templateAttributes"]?.members ?? [] {
      if let text = attribute.value.text { values[attribute.key] = text }
    }
    return merged(target, []).replacing(values)
  }

  /// Returns a target or template merged with the templates that it names.
  private mutating func merged(_ value: PlacedValue, _ open: [String]) -> PlacedValue {
    var whole: PlacedValue?
    for name in value["templates"]?.texts ?? [] {
      guard let template = spec["targetTemplates"]?[name.text], !open.contains(name.text) else {
        findings.add(
          OnDemandRules.spec("there is no template '\(name.text)'", at: name.span))
        continue
      }
      let next = merged(template, open + [name.text])
      whole = whole.map { XcodeGenIncludes.merged($0, next) } ?? next
    }
    return whole.map { XcodeGenIncludes.merged($0, value) } ?? value
  }

  // MARK: Settings

  /// Reads the settings of a target in the configuration with which apps are published.
  private mutating func readSettings(of target: PlacedValue, hasTags: Bool) {
    let configurations = (spec["configs"]?.members ?? []).filter { $0.value.text == "release" }
    let isNamed = configurations.isEmpty || configurations.contains { $0.key == "Release" }
    let name = isNamed ? "Release" : configurations.first?.key ?? "Release"
    var layers: [XcodeProject.Settings.Layer] = []
    for owner in [target, spec] {
      if let settings = owner["settings"] {
        let members = members(of: settings, in: name, depth: 0)
        layers.append(.project(PlacedValue(.dictionary(members), at: settings.span)))
      }
      if let file = owner["configFiles"]?[name], let path = file.text {
        layers.append(.file(SettingsFile(at: FilePath(path), span: file.span, in: folder)))
      }
    }
    let settings = XcodeProject.Settings(name: name, layers: layers)
    result.initialInstallTags += elements("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS", settings)
    result.prefetchOrder += elements("ON_DEMAND_RESOURCES_PREFETCH_ORDER", settings)
    guard hasTags else { return }
    findings.add(settings, isPolicyGiven: isPolicyGiven, once: &reported)
  }

  /// Returns the value of a setting; an empty value and a finding if it cannot be evaluated.
  private mutating func elements(_ key: String, _ settings: XcodeProject.Settings)
    -> [SettingElement]
  {
    do throws(SettingFault) {
      return try settings.elements(of: key)
    } catch {
      findings.add(OnDemandRules.setting(key, error, at: error.assignment.span))
      return []
    }
  }

  /// Returns the settings of a configuration, the weakest first: those of groups, its own settings,
  /// and those of partial names.
  private mutating func members(
    of settings: PlacedValue, in name: String, depth: Int
  ) -> [PlacedValue.Member] {
    let keys = ["base", "configs", "groups", "presets"]
    guard settings.members.contains(where: { keys.contains($0.key) }) else {
      return settings.members
    }
    var members: [PlacedValue.Member] = []
    for group in ["groups", "presets"].flatMap({ settings[$0]?.texts ?? [] }) {
      guard let other = spec["settingGroups"]?[group.text] ?? spec["settingPresets"]?[group.text],
        depth < PlacedValue.depthLimit
      else {
        findings.add(
          OnDemandRules.spec("there is no setting group '\(group.text)'", at: group.span))
        continue
      }
      members += self.members(of: other, in: name, depth: depth + 1)
    }
    members += settings["base"]?.members ?? []
    for configuration in settings["configs"]?.members ?? []
    where name.lowercased().contains(configuration.key.lowercased()) {
      members += self.members(of: configuration.value, in: name, depth: depth + 1)
    }
    return members
  }

  // MARK: Sources

  private mutating func readSources(_ sources: PlacedValue, of target: String) {
    for source in sources.elements.isEmpty ? [sources] : sources.elements {
      let path = source["path"] ?? source
      guard let text = path.text else { continue }
      let given = source["resourceTags"] ?? source["assetTags"]
      checkTags(given)
      let tags = given?.texts.map(\.text) ?? []
      if given != nil, !tags.isEmpty, !Self.isKnown(source["type"]) {
        findings.add(
          OnDemandRules.spec(
            "tags are not supported for sources of the type "
              + "'\(source["type"]?.text ?? "")'", at: source["type"]?.span))
        continue
      }
      guard !text.contains("${") else {
        if !tags.isEmpty {
          findings.add(OnDemandRules.spec("'\(path: text)' contains a variable", at: path.span))
        }
        continue
      }
      let place = FilePath(text).withoutWaysBack
      let span = given?.span ?? path.span
      switch source["buildPhase"].map({ $0.text ?? "" }) ?? "resources" {
      case "resources": break
      case "none": continue
      default:
        if !tags.isEmpty { findings.add(OnDemandRules.phase(at: span)) }
        continue
      }
      let type = source["type"]?.text ?? defaultType(of: place)
      let tagging = Tagging(
        tags: tags, target: target, span: span, isOptional: source["optional"]?.text == "YES",
        isResource: source["buildPhase"].map { _ in true })
      if type == "folder" {
        add(place, FilePath(joining: [place.name]), .folder, tagging)
      } else {
        addGroup(place, type, Filter(source), tagging)
      }
    }
  }

  /// Reports elements of a tag list that are not tags, each place once.
  private mutating func checkTags(_ list: PlacedValue?) {
    guard let list, list.text == nil, list.kind != .null else { return }
    let entries = if case .array(let elements) = list.kind { elements } else { [list] }
    for entry in entries where entry.text == nil {
      guard reported.insert("tag \(entry.span.start)").inserted else { continue }
      findings.add(
        OnDemandRules.spec("a tag must be a string; ignoring this value", at: entry.span))
    }
  }

  private static func isKnown(_ type: PlacedValue?) -> Bool {
    type == nil || ["file", "folder", "group"].contains(type?.text)
  }

  /// Returns the type of a source for which the spec specifies none: folders may share a type.
  private func defaultType(of place: FilePath) -> String? {
    guard let type = spec["options"]?["defaultSourceDirectoryType"]?.text, !isUnit(place.name),
      case .folder? = folder.path(of: .project(place)).map({ folder.inspect($0) })
    else { return nil }
    return type
  }

  /// The tags and other settings of a source's files.
  private struct Tagging {
    var tags: [String]
    var target: String
    var span: SourceSpan
    /// Whether the source may be missing.
    var isOptional: Bool
    /// Whether its files are copied regardless of their types; nil if it depends on their types.
    var isResource: Bool?
  }

  /// The files that a source excludes.
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

    /// Whether a path below the source is included; a pattern may match an enclosing folder.
    func includes(_ path: FilePath) -> Bool {
      let names = path.components
      let around = (1...max(names.count, 1)).map { FilePath(joining: names.prefix($0)).bytes }
      func matches(_ pattern: PathPattern) -> Bool { around.contains { pattern.matches($0) } }
      return !excluded.contains(where: matches)
        && (included.isEmpty || included.contains(where: matches))
    }
  }

  /// Adds a file, or all resources in a folder, each by its name.
  private mutating func addGroup(
    _ place: FilePath, _ type: String?, _ filter: Filter, _ tagging: Tagging
  ) {
    let found = folder.path(of: .project(place)).map { folder.inspect($0) }
    if found == .missing, tagging.isOptional { return }
    if found == .tooLarge, !tagging.tags.isEmpty {
      findings.add(OnDemandRules.tooLarge(place.text, at: tagging.span))
      return
    }
    guard case .folder(let files)? = found, !isUnit(place.name) || type == "group" else {
      if tagging.isResource ?? isResource(place) || type == "file" {
        add(place, Self.bundlePath(of: place), .either, tagging)
      }
      return
    }
    var units: Set<FilePath> = []
    for file in files where filter.includes(file) {
      // A folder with an extension is one unit, such as a catalog or a bundle.
      let names = file.components
      let unit = names.dropLast().firstIndex(where: { isUnit($0) }).map {
        FilePath(joining: names[...$0])
      }
      guard units.insert(unit ?? file).inserted else { continue }
      let path = place.appending(unit ?? file)
      guard tagging.isResource ?? (unit != nil || isResource(path)) else { continue }
      add(path, Self.bundlePath(of: path), .either, tagging)
    }
  }

  private mutating func add(
    _ place: FilePath, _ bundlePath: FilePath, _ form: TaggedProject.Resource.Form,
    _ tagging: Tagging
  ) {
    let isCatalog = place.hasSuffix(".xcassets")
    let ofType = fileType(of: place.name)?.tags ?? []
    let tags = tagging.tags + ofType.map(\.text)
    guard isCatalog || !tags.isEmpty else { return }
    if tagging.isOptional, folder.path(of: .project(place)).map({ folder.inspect($0) }) == .missing
    {
      return
    }
    let resource = TaggedProject.Resource(
      tags: tags, place: .project(place), bundlePath: bundlePath,
      form: isCatalog ? .catalog : form, target: tagging.target,
      span: tagging.tags.isEmpty ? ofType.first?.span ?? tagging.span : tagging.span)
    if tags.isEmpty { result.catalogs.append(resource) } else { result.resources.append(resource) }
  }

  private static func bundlePath(of place: FilePath) -> FilePath {
    XcodeProjectTags.bundlePath(of: .project(place), FilePath(joining: [place.name]))
  }

  /// Whether a folder is copied or compiled as one unit.
  private func isUnit(_ name: FileName) -> Bool {
    name.bytes.contains(UInt8(ascii: ".")) && name.bytes.first != UInt8(ascii: ".")
      && !name.isLanguageFolder && fileType(of: name)?.isFile != false
  }

  /// Returns the options for files with the extension of a name.
  private func fileType(of name: FileName) -> FileType? {
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return fileTypes[String(decoding: name.bytes[(dot + 1)...], as: UTF8.self)]
  }

  /// Whether XcodeGen makes a file a resource: it is not compiled and is not a project setting.
  private func isResource(_ path: FilePath) -> Bool {
    if let isResource = fileType(of: path.name)?.isResource { return isResource }
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
  /// Parses a spec in YAML or JSON; returns nil and reports a finding if it cannot be parsed.
  static func value(of source: SourceText, into findings: inout Ledger) -> PlacedValue? {
    if source.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      return PropertyListText.read(source, into: &findings)
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
  /// Reads the text of a spec in the given folder.
  package init(
    ofSpec source: SourceText, in folder: FilePath, _ conversion: ConversionOptions
  ) throws(PackError) {
    self.init(input: FilePath(source.name), source: source)
    guard let spec = XcodeGenSpec.value(of: source, into: &findings) else { return }
    let root = try ResourceFolder(
      ofProjectIn: folder, named: conversion.contentRoot, leavingOut: conversion.outputs)
    let whole = XcodeGenIncludes.resolved(spec, in: root, into: &findings)
    findings.turn(to: source)
    let isPolicyGiven = conversion.downloadPolicy != nil
    var tagged = XcodeGenSpec.read(
      whole, target: conversion.target, isPolicyGiven: isPolicyGiven, in: root, into: &findings)
    let targets = (whole["targets"]?.members ?? []).map(\.key)
    tagged.mentionedTags = whole.resourceTags
    if conversion.target == nil, targets.count > 1 {
      tagged.schedules = targets.map { target in
        var ignored = Ledger()
        let own = XcodeGenSpec.read(
          whole, target: target, isPolicyGiven: isPolicyGiven, in: root, into: &ignored)
        return .init(
          target: target, initialInstallTags: own.initialInstallTags,
          prefetchOrder: own.prefetchOrder)
      }
    }
    addPacks(tagged, in: root, conversion)
  }
}

extension PlacedValue {
  /// The tags of all sources in a part of a spec, for all targets.
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
