package import BAPackKit
package import Proposing
import SourceDiagnostics

/// The tasks that make an app ready for its packs, and which of them are done.
package struct AppSetup: Sendable {
  /// Whether a task is done.
  package enum State: String, Sendable, CaseIterable {
    case done, missing
    /// The inspected files do not show it.
    case unknown
  }

  /// A task.
  package struct Item: Sendable {
    package let requirement: AppRequirement
    package let state: State
    /// The parts of the task, for example one key each.
    package var parts: [Part] = []
    /// The contents of the inspected files.
    package var notes: [String] = []
  }

  /// A part of a task.
  package struct Part: Sendable {
    package let text: String
    package let state: State
  }

  /// The name of the app or its project.
  package let name: String?
  package let kind: AppKind
  /// The keys of Info.plist; nil if they cannot be computed yet.
  package let keys: InfoPlistFragment?
  /// The group; nil if neither the user nor the project specifies one.
  package let group: String?
  package let language: DownloaderExtension.Language
  package let engine: Engine?
  /// Whether the app is for macOS, where the extension needs the sandbox.
  package let isForMac: Bool
  package private(set) var items: [Item] = []

  /// Compares a project with the requirements of an app.
  package init(
    of project: AppProject, as kind: AppKind, keys: InfoPlistFragment?, group: String?,
    language: DownloaderExtension.Language
  ) {
    name = project.name
    self.kind = kind
    self.keys = keys
    self.group = group
    self.language = language
    engine = project.engine?.engine
    isForMac = project.app?.settings["MACOSX_DEPLOYMENT_TARGET"] != nil
    let inspection = Inspection(project: project, setup: self)
    items = AppRequirement.all(of: kind, group: group, language: language)
      .map(inspection.item)
    if let engine {
      items.append(
        Item(
          requirement: AppRequirement(
            .engine, "Prepare the export of \(engine.name)", engine.exportSteps),
          state: .unknown))
    }
  }

  /// Returns the number of tasks in a state.
  package func count(_ state: State) -> Int { items.count { $0.state == state } }
}

/// A comparison of a project with the requirements.
private struct Inspection {
  let project: AppProject
  let setup: AppSetup

  func item(_ requirement: AppRequirement) -> AppSetup.Item {
    switch requirement.id {
    case .keys: keys(requirement)
    case .otherKeys: otherKeys(requirement)
    case .appGroup: group(requirement, in: project.entitlements, of: project.app)
    case .extensionGroup:
      group(requirement, in: project.downloaderEntitlements, of: project.downloader, isInside: true)
    case .target: target(requirement)
    case .place: place(requirement)
    case .point: point(requirement)
    case .bundleID: bundleID(requirement)
    case .versions: versions(requirement)
    case .minimumSystem: minimumSystem(requirement)
    case .framework: framework(requirement)
    case .signing: signing(requirement)
    case .engine: AppSetup.Item(requirement: requirement, state: .unknown)
    }
  }

  /// Whether the project shows that there is no extension.
  private var lacksExtension: Bool {
    project.project != nil && project.downloader == nil
  }

  private var hasExtension: Bool {
    project.downloader != nil || project.downloaderInfoPlist != nil
  }

  // MARK: The app

  private func keys(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let keys = setup.keys else {
      return .init(
        requirement: requirement, state: .unknown,
        notes: [
          setup.kind == .unmanaged
            ? "The keys contain the sizes of the files in the manifest."
            : "The keys contain the sizes of the packs: pack them first."
        ])
    }
    let found = project.infoPlist?.value
    var isMissing = project.app.map { $0.settings["INFOPLIST_FILE"] == nil } ?? false
    var notes: [String] = []
    if let path = project.infoPlist?.path {
      notes.append("Inspected: '\(path)'.")
      isMissing = true
    } else if project.app?.settings["INFOPLIST_FILE"] == nil,
      project.app?.settings["GENERATE_INFOPLIST_FILE"] == "YES"
    {
      notes.append(
        "The project generates Info.plist. Add a file with these keys, and name it in the setting "
          + "INFOPLIST_FILE; Xcode adds the generated keys to it.")
    }
    let parts = (keys.keys + keys.missingKeys.map { (key: $0.rawValue, value: .string("…")) })
      .map { key, value in
        AppSetup.Part(
          text: "\(key) = \(value.shown)",
          state: found?[key].map { value.isMet(by: $0) } ?? false
            ? .done : isMissing ? .missing : .unknown)
      }
    return .init(
      requirement: requirement, state: AppSetup.State(of: parts), parts: parts, notes: notes)
  }

  private func otherKeys(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let found = project.infoPlist?.value.members.map(\.key) else {
      return .init(requirement: requirement, state: .unknown)
    }
    let wrong =
      setup.kind == .appleHosted
      ? found.filter { name in
        name.hasPrefix("BA") && setup.keys?.keys.contains { $0.key == name } == false
          && name != "BAAppGroupID"
      }
      : found.filter { ["BAHasManagedAssetPacks", "BAUsesAppleHosting"].contains($0) }
    return .init(
      requirement: requirement, state: wrong.isEmpty ? .done : .missing,
      notes: wrong.isEmpty ? [] : ["Found: \(wrong.joined(separator: ", "))."])
  }

  private func group(
    _ requirement: AppRequirement, in list: AppProject.List?, of target: XcodeTargets.Target?,
    isInside: Bool = false
  ) -> AppSetup.Item {
    guard let list else {
      let isMissing =
        target.map { $0.settings["CODE_SIGN_ENTITLEMENTS"] == nil } ?? (isInside && lacksExtension)
      return .init(requirement: requirement, state: isMissing ? .missing : .unknown)
    }
    let hasGroup = setup.group.map(list.groups.contains) ?? false
    return .init(
      requirement: requirement, state: hasGroup ? .done : .missing,
      notes: ["Inspected: '\(list.path)'."])
  }

  // MARK: The extension

  private func target(_ requirement: AppRequirement) -> AppSetup.Item {
    .init(
      requirement: requirement,
      state: hasExtension ? .done : lacksExtension ? .missing : .unknown,
      notes: project.downloader.map { ["Found: target '\($0.name)'."] } ?? [])
  }

  private func place(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let app = project.app else { return .init(requirement: requirement, state: .unknown) }
    guard let name = project.downloader?.name,
      let phase = app.copyPhases.first(where: { $0.targets.contains(name) })
    else { return .init(requirement: requirement, state: .missing) }
    let isRight =
      phase.destination == "16" && phase.path == "$(EXTENSIONS_FOLDER_PATH)"
      || phase.destination == "1" && phase.path == "Extensions"
      || phase.destination == "ExtensionsFolder"
    let place = phase.destination == "13" ? "PlugIns" : "\(phase.destination) '\(phase.path)'"
    return .init(
      requirement: requirement, state: isRight ? .done : .missing,
      notes: isRight ? [] : ["The project copies it to \(place)."])
  }

  private func point(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let list = project.downloaderInfoPlist else {
      let isMissing =
        project.downloader.map { $0.settings["INFOPLIST_FILE"] == nil } ?? lacksExtension
      return .init(requirement: requirement, state: isMissing ? .missing : .unknown)
    }
    let attributes = list.value[DownloaderExtension.attributesKey]
    var problems: [String] = []
    if list.value["NSExtension"] != nil { problems.append("It contains NSExtension.") }
    if list.value["CFBundleDisplayName"] == nil {
      problems.append("CFBundleDisplayName is missing.")
    }
    if setup.language == .swift, attributes?["EXPrincipalClass"] != nil {
      problems.append("It contains EXPrincipalClass, which is only for Objective-C (ITMS-90979).")
    }
    return .init(
      requirement: requirement,
      state: list.isOfDownloader && problems.isEmpty ? .done : .missing,
      notes: ["Inspected: '\(list.path)'."] + problems)
  }

  /// Returns the value of a setting of the app and of its extension.
  private func values(_ setting: String) -> (app: String?, downloader: String?) {
    (project.app?.settings[setting], project.downloader?.settings[setting])
  }

  private func bundleID(_ requirement: AppRequirement) -> AppSetup.Item {
    let (app, downloader) = values("PRODUCT_BUNDLE_IDENTIFIER")
    guard let app, let downloader else {
      return .init(requirement: requirement, state: lacksExtension ? .missing : .unknown)
    }
    return .init(
      requirement: requirement, state: downloader.hasPrefix(app + ".") ? .done : .missing,
      notes: ["The IDs are '\(app)' and '\(downloader)'."])
  }

  private func versions(_ requirement: AppRequirement) -> AppSetup.Item {
    let keys = [
      ("CFBundleShortVersionString", "MARKETING_VERSION"),
      ("CFBundleVersion", "CURRENT_PROJECT_VERSION"),
    ]
    let pairs = keys.map { key, setting in
      let (app, downloader) = values(setting)
      return (
        app: project.infoPlist?.literal(key) ?? app,
        downloader: project.downloaderInfoPlist?.literal(key) ?? downloader
      )
    }
    if pairs.contains(where: { $0.app == nil || $0.downloader == nil }) {
      return .init(requirement: requirement, state: lacksExtension ? .missing : .unknown)
    }
    let isEqual = pairs.allSatisfy { $0.app == $0.downloader }
    return .init(requirement: requirement, state: isEqual ? .done : .missing)
  }

  private func minimumSystem(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let downloader = project.downloader else {
      return .init(requirement: requirement, state: lacksExtension ? .missing : .unknown)
    }
    let given = AppProject.deploymentTargets.compactMap { key in
      downloader.settings[key].map { (key, $0) }
    }
    guard !given.isEmpty else { return .init(requirement: requirement, state: .unknown) }
    let low = given.filter { key, value in
      OldestSystem.number(value) < OldestSystem.number(of: key, for: setup.kind)
    }
    return .init(
      requirement: requirement, state: low.isEmpty ? .done : .missing,
      notes: low.map { "\($0.0) is \($0.1)." })
  }

  private func framework(_ requirement: AppRequirement) -> AppSetup.Item {
    guard let app = project.app,
      let linked = app.linked.first(where: { $0.name == "BackgroundAssets.framework" })
    else {
      return .init(
        requirement: requirement, state: .unknown,
        notes: ["Swift links it without an entry in the project."])
    }
    let isOld = AppProject.deploymentTargets.contains { key in
      app.settings[key].map { OldestSystem.number($0) < 26 } ?? false
    }
    let isWrong = isOld && !linked.isWeak && setup.kind != .unmanaged
    return .init(
      requirement: requirement, state: isWrong ? .missing : .done,
      notes: isWrong ? ["It is linked as required, but the app supports older systems."] : [])
  }

  private func signing(_ requirement: AppRequirement) -> AppSetup.Item {
    let (app, downloader) = values("DEVELOPMENT_TEAM")
    guard let app, let downloader else {
      return .init(requirement: requirement, state: lacksExtension ? .missing : .unknown)
    }
    return .init(
      requirement: requirement, state: app == downloader ? .done : .missing,
      notes: [
        app == downloader
          ? "The team is '\(app)'. Profiles are not inspected."
          : "The teams are '\(app)' and '\(downloader)'."
      ])
  }
}

extension AppSetup.State {
  /// The state of a task with parts.
  fileprivate init(of parts: [AppSetup.Part]) {
    self =
      if parts.contains(where: { $0.state == .missing }) {
        .missing
      } else {
        parts.allSatisfy { $0.state == .done } ? .done : .unknown
      }
  }
}

extension PropertyList.Value {
  /// The value as Xcode shows it.
  fileprivate var shown: String {
    switch self {
    case .bool(let bool): bool ? "YES" : "NO"
    case .integer(let number): String(number)
    case .string(let text): text
    case .array(let elements): "(" + elements.map(\.shown).joined(separator: ", ") + ")"
    case .dictionary(let members):
      "{ " + members.map { "\($0.key) = \($0.value.shown)" }.joined(separator: ", ") + " }"
    }
  }

  /// Returns whether a found value is sufficient: a size may be larger, and a list longer.
  func isMet(by found: PlacedValue) -> Bool {
    switch self {
    case .bool(let bool): found.kind == .bool(bool)
    case .integer(let number):
      if case .number(let text) = found.kind {
        UInt64(text).map { $0 >= number } ?? false
      } else {
        false
      }
    case .string(let text): text == "…" ? found.text != nil : found.kind == .string(text)
    case .array(let elements):
      DomainAllowList(found.texts.map(\.text)).coversAll(elements.map(\.shown))
    case .dictionary(let members):
      members.allSatisfy { member in found[member.key].map(member.value.isMet) ?? false }
    }
  }
}

extension DomainAllowList {
  fileprivate func coversAll(_ hosts: [String]) -> Bool { hosts.allSatisfy(covers) }
}
