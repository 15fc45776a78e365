package import BAPackKit
package import Proposing
package import SourceDiagnostics
package import SystemIO

/// The parts of an app's project that a setup inspects: targets, property lists and entitlements.
package struct AppProject: Sendable {
  /// A property list of the project.
  package struct List: Sendable {
    package let path: FilePath
    package let value: PlacedValue
  }

  /// The engine that writes the project; nil without one.
  package private(set) var engine: (engine: Engine, marker: FilePath)?
  /// The Xcode project; nil if there is none.
  package private(set) var project: XcodeTargets?
  /// The target of the app.
  package private(set) var app: XcodeTargets.Target?
  /// The target of the downloader extension.
  package private(set) var downloader: XcodeTargets.Target?
  package private(set) var infoPlist: List?
  package private(set) var entitlements: List?
  package private(set) var downloaderInfoPlist: List?
  package private(set) var downloaderEntitlements: List?
  /// The errors in the files.
  package private(set) var findings = Ledger()

  /// Inspects projects, property lists and entitlements, and the folders that contain them.
  ///
  /// Without inputs, the current folder is inspected.
  package init(
    inspecting inputs: [FilePath], target: String? = nil, _ work: Work
  ) throws(PackError) {
    var lists: [List] = []
    for input in inputs.isEmpty ? ["."] : inputs {
      let status = try mapFailure(.reading) { () throws(Failure) in
        try FileStatus(ofFileAt: input.text)
      }
      guard status.kind == .directory else {
        if input.name == "project.pbxproj" {
          try read(project: input.folder, target, work)
        } else {
          lists += [try read(list: input, work)].compactMap(\.self)
        }
        continue
      }
      if !input.hasSuffix(".xcodeproj") {
        engine = engine ?? FoundProject.engine(of: input)
        lists += Self.lists(in: input).compactMap { try? read(list: $0, work) }
      }
      for project in Self.projects(in: input) where self.project == nil {
        try read(project: project, target, work)
      }
    }
    if let path = project?.path, engine == nil { engine = FoundProject.engine(of: path.folder) }
    if engine?.engine == .xcode { engine = nil }
    assign(lists)
  }

  /// The settings of targets that are inspected.
  static let settings =
    [
      "INFOPLIST_FILE", "GENERATE_INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS",
      "PRODUCT_BUNDLE_IDENTIFIER", "DEVELOPMENT_TEAM", "MARKETING_VERSION",
      "CURRENT_PROJECT_VERSION",
    ] + deploymentTargets

  /// The settings with the minimum systems.
  static let deploymentTargets = [
    "IPHONEOS_DEPLOYMENT_TARGET", "MACOSX_DEPLOYMENT_TARGET", "TVOS_DEPLOYMENT_TARGET",
    "XROS_DEPLOYMENT_TARGET",
  ]

  /// The folders of an engine's Xcode project, below the project of the engine.
  private static let exports = ["ios", "proj.ios_mac", "build/ios", "Builds/iOS", "build/ios/proj"]

  private static func projects(in folder: FilePath) -> [FilePath] {
    let own = XcodeWorkspace.projects(in: folder)
    guard own.isEmpty else { return own }
    return exports.lazy.map { XcodeWorkspace.projects(in: folder.appending(FilePath($0))) }
      .first { !$0.isEmpty } ?? []
  }

  /// Returns the property lists and entitlements in a folder and its subfolders.
  private static func lists(in folder: FilePath) -> [FilePath] {
    var found: [FilePath] = []
    func search(_ folder: FilePath, _ depth: Int) {
      guard let opened = try? FileDescriptor.open(folder.text, for: .directory),
        let listing = try? opened.list()
      else { return }
      // The folder of files that a setup wrote is not a part of the project.
      if listing.items.contains(where: { listing.fileName(of: $0) == SetupFiles.fragmentName }) {
        return
      }
      for item in listing.items.prefix(Self.mostNames) {
        let name = listing.fileName(of: item)
        let path = folder.appending(name)
        let text = name.shown
        if text.hasSuffix(".entitlements") || text.hasSuffix("Info.plist") {
          found.append(path)
        } else if depth > 0, !text.contains("."),
          (try? FileStatus(ofLinkAt: path.text).kind) == .directory
        {
          search(path, depth - 1)
        }
      }
    }
    search(folder, 1)
    return found
  }

  private static let mostNames = 500
  private static let largestList = 4 << 20
}

// MARK: - Reading

extension AppProject {
  private static func refuse(_ reason: Unreadable) -> Finding {
    AppProjectRules.project(reason.reason, reason.remedy, at: reason.span)
  }

  /// Reads a property list; nil if it cannot be parsed, which is a finding.
  private mutating func read(list path: FilePath, _ work: Work) throws(PackError) -> List? {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path.text, for: .waiting(work))
        .readToEnd(atMost: Self.largestList)
    }
    let source = SourceText(bytes, named: path.text)
    return PropertyListText.read(source, into: &findings, refusing: Self.refuse)
      .map { List(path: path, value: $0) }
  }

  private mutating func read(
    project path: FilePath, _ name: String?, _ work: Work
  ) throws(PackError) {
    guard
      let project = try XcodeTargets(
        reading: path, settings: Self.settings, into: &findings, refusing: Self.refuse, work)
    else { return }
    self.project = project
    let apps = project.targets.filter { $0.productType == "com.apple.product-type.application" }
    let named = apps.filter { name == nil || $0.name == name }
    guard let app = named.first, named.count == 1 || name != nil else {
      let names = apps.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PackError(
        .ambiguous,
        apps.isEmpty
          ? "'\(path)' has no target of an app"
          : name.map { "'\(path)' has no target '\($0)' of an app" }
            ?? "'\(path)' has several apps: \(names)",
        remedy: apps.isEmpty ? nil : .advice("select one of the targets: \(names)"))
    }
    self.app = app
    infoPlist = file("INFOPLIST_FILE", of: app, work)
    entitlements = file("CODE_SIGN_ENTITLEMENTS", of: app, work)
    let extensions = project.targets.filter {
      [DownloaderExtension.productType, "com.apple.product-type.app-extension"]
        .contains($0.productType)
    }
    let lists = extensions.map { file("INFOPLIST_FILE", of: $0, work) }
    let found =
      zip(extensions, lists).first { $0.1?.isOfDownloader == true }
      ?? zip(extensions, lists).first {
        $0.1 == nil && $0.0.productType == DownloaderExtension.productType
      }
    guard let found else { return }
    downloader = found.0
    downloaderInfoPlist = found.1
    downloaderEntitlements = file("CODE_SIGN_ENTITLEMENTS", of: found.0, work)
  }

  /// Reads the property list that a setting of a target names.
  private mutating func file(
    _ setting: String, of target: XcodeTargets.Target, _ work: Work
  ) -> List? {
    guard let name = target.settings[setting], let project else { return nil }
    return (try? read(list: project.folder.appending(FilePath(name)), work)) ?? nil
  }

  /// Assigns lists that were found or given to the app and its extension.
  private mutating func assign(_ lists: [List]) {
    let downloaders = lists.filter(\.isOfDownloader)
    downloaderInfoPlist = downloaderInfoPlist ?? downloaders.first
    let folder = downloaderInfoPlist?.path.folder
    for list in lists where !list.isOfDownloader {
      if list.path.hasSuffix(".entitlements") {
        if list.path.folder == folder {
          downloaderEntitlements = downloaderEntitlements ?? list
        } else {
          entitlements = entitlements ?? list
        }
      } else if list.value[DownloaderExtension.attributesKey] == nil,
        list.value["NSExtension"] == nil, list.isOfApp
      {
        infoPlist = infoPlist ?? list
      }
    }
  }

  /// The group that the files of the project name: a key of Info.plist, or an entitlement.
  package var group: String? {
    infoPlist?.value["BAAppGroupID"]?.text
      ?? [entitlements, downloaderEntitlements].lazy.compactMap { $0?.groups.first }.first
  }

  /// The name of the app or its project.
  package var name: String? { app?.name ?? engine.map { $0.marker.shown } ?? infoPlist?.path.shown }
}

extension AppProject.List {
  /// Whether it is the Info.plist of a downloader extension.
  var isOfDownloader: Bool {
    value[DownloaderExtension.attributesKey]?[DownloaderExtension.pointKey]?.text
      == DownloaderExtension.point
  }

  /// Returns the text of a key; nil if it refers to a setting.
  func literal(_ key: String) -> String? {
    value[key]?.text.flatMap { $0.contains("$") ? nil : $0 }
  }

  fileprivate var isOfApp: Bool {
    value.members.contains { $0.key.hasPrefix("CFBundle") || $0.key.hasPrefix("BA") }
  }

  /// The groups of entitlements.
  var groups: [String] { value[DownloaderExtension.groupsKey]?.texts.map(\.text) ?? [] }
}
