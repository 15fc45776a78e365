package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The checks of an Xcode project, and their findings.
package struct ProjectCheck: Sendable {
  package private(set) var findings = Ledger()
  /// The hosting of the first app.
  package private(set) var hosting: AppHosting?
  /// The names of the apps' targets.
  package private(set) var apps: [String] = []

  /// Checks the projects at a path: a `project.pbxproj`, an `.xcodeproj`, a workspace, or a folder.
  package init(
    at path: FilePath, packs: AppPacks?, hosting declared: Hosting?, _ work: Work
  ) throws(PackError) {
    let projects = Self.projects(at: path)
    for file in projects {
      try work.checkCancellation()
      let around = file.folder
      let folder = around.hasSuffix(".xcodeproj") ? around.folder : around
      let bytes = try mapFailure(.reading) { () throws(Failure) in
        try FileDescriptor.open(file.text, for: .reading)
          .readToEnd(atMost: PropertyListText.largest + 1)
      }
      try check(
        SourceText(bytes, named: file.text), in: folder, packs, declared)
    }
    guard apps.isEmpty, !findings.hasErrors else { return }
    throw PackError(
      .missing, "no project in '\(path.shown)' has a target for an app",
      remedy: "specify the Xcode project of the app")
  }

  /// Returns the files with the projects at a path.
  private static func projects(at path: FilePath) -> [FilePath] {
    let file: FileName = "project.pbxproj"
    if path.hasSuffix(".pbxproj") { return [path] }
    if path.hasSuffix(".xcodeproj") { return [path.appending(file)] }
    return XcodeWorkspace.projects(in: path).map { $0.appending(file) }
  }

  private mutating func check(
    _ source: SourceText, in folder: FilePath, _ packs: AppPacks?, _ declared: Hosting?
  ) throws(PackError) {
    let list = PropertyListText.read(source, into: &findings) { error in
      AppProjectRules.project(
        "this is not an Xcode project: \(error.reason)", error.remedy, at: error.span)
    }
    guard let list else { return }
    let project: XcodeProject
    do throws(Unreadable) {
      project = try XcodeProject(list)
    } catch {
      findings.add(AppProjectRules.project(error.reason, error.remedy, at: error.span))
      return
    }
    let files = try ResourceFolder(ofProjectIn: folder, at: project.folder, named: nil)
    let targets = project.targets.compactMap { AppTarget($0, of: project, in: files) }
    let downloaders = targets.filter { KeyCheck.isDownloader($0.info.list) }
    for app in targets where app.isApp {
      apps.append(app.name)
      check(app, downloaders, of: project, source, packs, declared)
    }
  }

  // MARK: Targets

  private mutating func check(
    _ app: AppTarget, _ downloaders: [AppTarget], of project: XcodeProject, _ source: SourceText,
    _ packs: AppPacks?, _ declared: Hosting?
  ) {
    let isMac = app.value("SDKROOT") == "macosx"
    let keys = KeyCheck(isSource: true, isMac: isMac, team: app.value("DEVELOPMENT_TEAM"))
    guard let list = list(app.info, of: app, source) else { return }
    let own = AppHosting(of: list, [], declared: declared)
    hosting = hosting ?? own
    keys.check(app: list, own, against: packs?.plan ?? DownloadPlan(ofAll: []), &findings)
    findings.turn(to: source)
    let embedded = downloaders.filter {
      !project.copyPhases(of: app.object, copying: $0.object).isEmpty
    }
    if downloaders.isEmpty {
      findings.add(
        AppProjectRules.target(
          "no target has the extension point of a downloader extension", at: nil))
    } else if embedded.isEmpty {
      let names = Finding.list(downloaders.map(\.name))
      findings.add(
        AppProjectRules.target(
          "the target '\(app.name)' does not embed \(names)", at: app.object["name"]?.span))
    }
    let group = list.string(InfoPlist.Key.appGroupID)
    checkEntitlements(of: app, group, source)
    for each in embedded {
      for phase in project.copyPhases(of: app.object, copying: each.object) {
        guard project.copiesToExtensions(phase) == false else { continue }
        findings.turn(to: source)
        findings.add(
          AppProjectRules.phase(
            phase["name"]?.text ?? "Copy Files",
            at: (phase["dstPath"] ?? phase["dstSubfolderSpec"])?.span))
      }
      if let other = each.info.list {
        keys.check(extension: other, of: list, isDeep: isMac, &findings)
      }
      checkEntitlements(of: each, group, source)
      checkSettings(of: each, app, own, source)
    }
  }

  /// Returns a property list of a target; reports why it cannot be read.
  private mutating func list(
    _ file: AppTarget.ListFile, of target: AppTarget, _ source: SourceText
  ) -> InfoList? {
    findings.turn(to: source)
    switch file {
    case .read(let list): return list
    case .none:
      findings.add(AppProjectRules.listFile(target.name, at: target.object["name"]?.span))
    case .unread(let path, let reason, let span):
      findings.add(
        AppProjectRules.project(
          "'\(path: path)' of the target '\(target.name)' cannot be read: \(reason)",
          "correct the setting, or the file", at: span))
    }
    return nil
  }

  private mutating func checkEntitlements(
    of target: AppTarget, _ group: String?, _ source: SourceText
  ) {
    findings.turn(to: source)
    let span = target.object["name"]?.span
    if case .none = target.entitlements {
      findings.add(AppProjectRules.entitlements(target.name, group: nil, at: span))
    } else if list(target.entitlements, of: target, source) != nil, let group,
      !group.contains("$("), let groups = target.groups, !groups.contains(group)
    {
      findings.add(AppProjectRules.entitlements(target.name, group: group, at: span))
    }
  }

  /// Compares the settings of an extension with those of its app.
  private mutating func checkSettings(
    of target: AppTarget, _ app: AppTarget, _ hosting: AppHosting?, _ source: SourceText
  ) {
    findings.turn(to: source)
    let versions = [
      ("CFBundleShortVersionString", "MARKETING_VERSION"),
      ("CFBundleVersion", "CURRENT_PROJECT_VERSION"),
    ]
    for (key, setting) in versions {
      guard let value = target.version(key, setting), let wanted = app.version(key, setting),
        value != wanted,
        // Two texts of lists are compared there.
        [target, app].contains(where: { $0.info.list?.string(key)?.contains("$") ?? true })
      else { continue }
      findings.add(
        AppExtensionRules.version(
          setting, value, app: wanted, at: target.settings[setting].first?.span))
    }
    let key = "PRODUCT_BUNDLE_IDENTIFIER"
    if let value = target.value(key), let wanted = app.value(key), !value.hasPrefix(wanted + ".") {
      findings.add(
        AppExtensionRules.identifier(value, app: wanted, at: target.settings[key].first?.span))
    }
    guard hosting != .unmanaged else { return }
    for key in ["IPHONEOS", "MACOSX", "TVOS", "XROS"].map({ $0 + "_DEPLOYMENT_TARGET" }) {
      guard let element = target.settings[key].first, let found = SystemVersion(element.text),
        found < SystemVersion(26)
      else { continue }
      findings.add(
        AppSystemRules.extensionSystem(found, needs: SystemVersion(26), at: element.span))
    }
  }
}
