import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// A project while an extension is added to one of its apps.
struct ExtensionDraft {
  private let request: ExtensionAddition.Request
  private let files: ResourceFolder
  private var edit: ProjectEdit
  private let configurations: [AppConfiguration]
  /// The settings that the configurations of the app get, keyed by their IDs.
  private var settings: [String: [(key: String, value: String)]] = [:]
  /// The target of the extension.
  private(set) var name = DownloaderExtension.targetName
  private(set) var addsTarget = false
  private(set) var newFiles: [ProposedFiles.Text] = []
  private(set) var edits: [FileChanges.Edit] = []
  private(set) var notes: [String] = []

  private var graph: XcodeProject { edit.graph }
  private var app: XcodeProject.Object { edit.app }
  private var appName: String { app["name"]?.text ?? "" }
  private var isForMac: Bool {
    configurations.contains { $0.sdk == "macosx" || $0.isForSeveralSystems }
  }

  private static let infoPlist = "INFOPLIST_FILE"
  private static let entitlements = "CODE_SIGN_ENTITLEMENTS"
  /// The versions of the format that are understood: from Xcode 3.2 to Xcode 16.
  private static let versions = 46...77

  // MARK: Reading

  init(
    _ source: SourceText, in project: FilePath, app name: String,
    _ request: ExtensionAddition.Request
  ) throws(PackError) {
    self.request = request
    guard PropertyListText.format(of: source.bytes) == .old else {
      throw .refusal("it is not in the format of Xcode", remedy: "open it in Xcode, and save it")
    }
    let list: PlacedValue
    let graph: XcodeProject
    do throws(Unreadable) {
      list = try OldPropertyList.read(source.bytes)
      graph = try XcodeProject(list)
    } catch {
      throw .refusal("\(error.reason)", remedy: .advice("\(error.remedy)"))
    }
    let version = list["objectVersion"]?.text ?? ""
    guard let number = Int(version), Self.versions.contains(number) else {
      throw .refusal(
        "its 'objectVersion' is '\(version)', and not from \(Self.versions.lowerBound) to "
          + "\(Self.versions.upperBound)",
        remedy: "select a project format of Xcode 16 or older in Xcode")
    }
    let named = graph.targets.filter { $0["name"]?.text == name }
    guard let app = named.first, named.count == 1 else {
      throw .refusal("it has \(named.count) targets with the name '\(name)'")
    }
    guard !graph.folder.isAbsolute, !graph.folder.leavesFolder else {
      throw .refusal("its files are in another folder ('projectDirPath')")
    }
    edit = try ProjectEdit(source.bytes, list, graph, app: app)
    let folder = project.folder.bytes.isEmpty ? "." : project.folder
    let files = try ResourceFolder(ofProjectIn: folder, at: graph.folder, named: nil)
    self.files = files
    let projectName = String(project.name.shown.dropLast(".xcodeproj".count))
    let all = graph.settings(of: app, named: projectName, in: files)
    let own = graph.objects(graph.object(app["buildConfigurationList"])?["buildConfigurations"])
    configurations = own.compactMap { object in
      all.first { $0.name == object["name"]?.text }.map { AppConfiguration(object, $0) }
    }
    guard !configurations.isEmpty, Set(configurations.map(\.name)).count == own.count else {
      throw .refusal("the target '\(name)' has no configurations with different names")
    }
    if configurations.contains(where: { $0.sdk.hasPrefix("watch") }) {
      throw .refusal("apps for watchOS have no packs")
    }
    guard AppKeyRules.isGroup(request.group, isMac: isForMac) else {
      throw .refusal("the app group '\(request.group)' does not begin with 'group.'")
    }
  }

  // MARK: The target

  /// Adds the target, its dependency and its copy phase, if they are missing.
  mutating func addExtension() throws(PackError) {
    let existing = try existingExtension()
    let (target, product): (String, String)
    if let existing {
      name = existing["name"]?.text ?? ""
      (target, product) = (existing.id, existing["productReference"]?.text ?? "")
      edit.setName(name, of: target)
      if case .missing = files.inspect(try path(name)), target == (try edit.id("target")) {
        try addFiles()
      } else {
        try addGroup(toExtension: existing)
      }
    } else {
      name = try freeName()
      addsTarget = true
      (target, product) = try addTarget()
    }
    if existing == nil || !depends(on: target) {
      try edit.addDependency(on: target, named: name)
    }
    let phases = existing.map { graph.copyPhases(of: app, copying: $0) } ?? []
    guard phases.isEmpty else {
      guard phases.allSatisfy({ graph.copiesToExtensions($0) != false }) else {
        throw .refusal(
          "the target '\(appName)' copies '\(name)' to another folder than 'Extensions'",
          remedy: "remove '\(name)' from the copy phase, and run the command again")
      }
      return
    }
    guard !product.isEmpty else {
      throw .refusal("the target '\(name)' has no product")
    }
    try edit.embed(product, named: name)
  }

  /// Returns the extension of the app; nil if it has none.
  private func existingExtension() throws(PackError) -> XcodeProject.Object? {
    let downloaders = graph.targets.filter { object in
      isDownloader(AppTarget(object, of: graph, in: files)?.info.list)
    }
    let embedded = downloaders.filter { !graph.copyPhases(of: app, copying: $0).isEmpty }
    guard embedded.count < 2 else {
      throw .refusal("the target '\(appName)' has several downloader extensions")
    }
    if let found = embedded.first ?? downloaders.first(where: { depends(on: $0.id) }) {
      return found
    }
    guard let own = graph.object(.new(try edit.id("target"))) else { return nil }
    // Any other object with this ID is refused when the target is added.
    guard graph.targets.contains(where: { $0.id == own.id }) else { return nil }
    return own
  }

  private func depends(on target: String) -> Bool {
    graph.objects(app["dependencies"]).contains { $0["target"]?.text == target }
  }

  /// Returns a name that neither another target nor another folder has.
  private func freeName() throws(PackError) -> String {
    // The name is a part of the bundle ID.
    let letters = appName.utf8.filter(\.isLetterOrDigit)
    let prefix = letters.isEmpty ? "App" : String(decoding: letters, as: UTF8.self)
    let names = [DownloaderExtension.targetName, prefix + DownloaderExtension.targetName]
    for name in names {
      let isUsed = graph.targets.contains { $0["name"]?.text == name }
      if !isUsed, try isFree(folder: name) { return name }
    }
    throw .refusal(
      "the names '\(names[0])' and '\(names[1])' belong to other targets or folders")
  }

  /// Whether a folder is missing, empty, or has the files of a downloader extension.
  private func isFree(folder name: String) throws(PackError) -> Bool {
    let path = try path(name)
    // A Mac does not distinguish names that differ in case.
    var spellings = OtherSpellings(in: files)
    if let other = spellings.path(of: path), other != path { return false }
    switch files.inspect(path) {
    case .missing: return true
    case .folder(let names) where names.isEmpty: return true
    case .folder:
      let info = files.text(try self.path(name + "/Info.plist"))
      return isDownloader(info.flatMap { try? InfoList($0) })
    case .outside, .file, .tooLarge: return false
    }
  }

  private func isDownloader(_ info: InfoList?) -> Bool {
    info?[DownloaderExtension.attributesKey]?.string(DownloaderExtension.pointKey)
      == DownloaderExtension.point
  }

  private mutating func addTarget() throws(PackError) -> (target: String, product: String) {
    let itself = DownloaderExtension(of: request.kind)
    var all: [(configuration: AppConfiguration, settings: ExtensionSettings)] = []
    for configuration in configurations {
      let path = try list(Self.infoPlist, of: configuration)
      let info = path.flatMap { files.text($0) }.flatMap { try? InfoList($0) }
      let settings = try ExtensionSettings(
        of: configuration, info: info, named: name, for: request.kind)
      all.append((configuration, settings))
      for note in settings.notes where !notes.contains(note) { notes.append(note) }
    }
    try addFiles()
    return try edit.addTarget(of: .init(name: name, itself: itself, settings: all))
  }

  /// Adds the files of the extension that are missing.
  private mutating func addFiles() throws(PackError) {
    let itself = DownloaderExtension(of: request.kind)
    for file in SetupFiles.files(
      of: itself, group: request.group, isSandboxed: isForMac, in: FilePath(name))
    {
      let path = try path(file.path.text)
      switch files.inspect(path) {
      case .missing: write(file.text, to: path)
      case .file where file.path.hasSuffix(".entitlements"): try addGroup(to: path)
      case .file: break
      case .outside, .folder, .tooLarge:
        throw .refusal("'\(file.path)' exists, and is not a file")
      }
    }
  }

  /// Adds the group to the entitlements of an existing extension.
  private mutating func addGroup(toExtension target: XcodeProject.Object) throws(PackError) {
    let own = AppTarget(target, of: graph, in: files)
    guard case .read? = own?.entitlements, let text = own?.value(Self.entitlements) else {
      notes.append("The entitlements of '\(name)' cannot be read: add the group to them.")
      return
    }
    try addGroup(to: try path(text))
  }

  // MARK: Property lists

  /// Adds the keys and the group to the lists of the app.
  mutating func changeLists() throws(PackError) {
    if request.keys == nil {
      notes.append("Add the keys that 'unmanaged info-plist' prints to the Info.plist.")
    }
    try changeLists(Self.infoPlist, new: "\(appName)-Info.plist") { draft, path throws(PackError) in
      try draft.addKeys(to: path)
    }
    let folder = files.inspect(try path(appName))
    let isFolder = if case .folder = folder { true } else { false }
    try changeLists(
      Self.entitlements, new: (isFolder ? appName + "/" : "") + "\(appName).entitlements"
    ) { draft, path throws(PackError) in
      try draft.addGroup(to: path)
    }
    for configuration in configurations {
      let id = configuration.object.id
      guard let values = settings[id]?.sorted(by: { $0.key < $1.key }) else { continue }
      guard let table = configuration.object["buildSettings"] else {
        throw .refusal("the configuration '\(configuration.name)' has no settings")
      }
      for (key, value) in values {
        try edit.insert(key, .new(value), into: table, at: [id, "buildSettings"])
      }
    }
  }

  /// Changes the list that a setting names in each configuration.
  ///
  /// If no list is named, a new one is created.
  private mutating func changeLists(
    _ setting: String, new name: String,
    _ change: (inout ExtensionDraft, FilePath) throws(PackError) -> Void
  ) throws(PackError) {
    if setting == Self.infoPlist, request.keys == nil { return }
    var changed: Set<FilePath> = []
    for configuration in configurations {
      if let path = try list(setting, of: configuration) {
        if changed.insert(path).inserted { try change(&self, path) }
        continue
      }
      if setting == Self.infoPlist, configuration.value("GENERATE_INFOPLIST_FILE") != "YES" {
        throw .refusal(
          "the target '\(appName)' has no '\(setting)' in the configuration "
            + "'\(configuration.name)'")
      }
      guard configuration.origin(of: setting) == .nowhere else {
        throw .refusal(
          "'\(setting)' of '\(appName)' is empty in the configuration '\(configuration.name)'",
          remedy: "specify a file in the setting, or delete it")
      }
      settings[configuration.object.id, default: []].append((setting, name))
      let path = try path(name)
      guard changed.insert(path).inserted else { continue }
      guard case .missing = files.inspect(path) else {
        try change(&self, path)
        continue
      }
      let value =
        setting == Self.infoPlist
        ? .dictionary(request.keys ?? []) : DownloaderExtension.entitlements(group: request.group)
      write(PropertyList.xml(value, comment: DownloaderExtension.mark), to: path)
    }
  }

  /// Returns the path of a list that a setting names; nil if the setting has no value.
  private func list(
    _ setting: String, of configuration: AppConfiguration
  ) throws(PackError) -> FilePath? {
    guard !configuration.hasConditions(setting), !configuration.isUnknown(setting) else {
      throw .refusal(
        "'\(setting)' of '\(appName)' depends on conditions or unknown values in the configuration "
          + "'\(configuration.name)'")
    }
    guard let value = configuration.value(setting) else { return nil }
    return try path(value)
  }

  private mutating func addKeys(to path: FilePath) throws(PackError) {
    let keys = request.keys ?? []
    try change(path) { list throws(PackError) in
      if let (key, found) = list.insert(keys) {
        throw .refusal(
          "'\(key)' of '\(path)' has another value" + (found.text.map { ": '\($0)'" } ?? ""),
          remedy: "correct it: 'app setup' prints the keys with their values")
      }
    }
  }

  private mutating func addGroup(to path: FilePath) throws(PackError) {
    let group = request.group
    try change(path) { list throws(PackError) in
      guard list.insert(group: group) else {
        throw .refusal("'\(DownloaderExtension.groupsKey)' of '\(path)' is not a list")
      }
    }
  }

  private mutating func change(
    _ path: FilePath, _ body: (inout PropertyListEdit) throws(PackError) -> Void
  ) throws(PackError) {
    guard let source = files.text(path) else {
      throw .refusal("'\(path)' does not exist, or is outside of the project")
    }
    var list: PropertyListEdit
    do throws(Unreadable) {
      list = try PropertyListEdit(source)
    } catch {
      throw .refusal("'\(path)': \(error.reason)", remedy: .advice("\(error.remedy)"))
    }
    try body(&list)
    let result = list.result
    guard let changed = try? InfoList(SourceText(result, named: source.name)),
      list.isResult(changed.root)
    else { throw .refusal("'\(path)' cannot be changed without a loss") }
    guard result != source.bytes else { return }
    edits.append(.init(path: files.path.appending(path), before: source.bytes, after: result))
  }

  // MARK: Results

  /// Returns the text of the project, after it was read again and compared.
  mutating func result() throws(PackError) -> [UInt8] {
    try edit.finish()
    let result = edit.result
    guard let list = try? OldPropertyList.read(result), edit.isResult(list) else {
      throw .refusal("the changed project has other objects than expected")
    }
    return result
  }

  /// Returns the path of a file of the project below the folder of all its files.
  private func path(_ text: String) throws(PackError) -> FilePath {
    guard let path = files.path(of: .project(FilePath(text).normalized)) else {
      throw .refusal("'\(text)' is outside of the folder of the project")
    }
    return path
  }

  private mutating func write(_ text: String, to path: FilePath) {
    newFiles.append(.init(path: files.path.appending(path), bytes: Array(text.utf8)))
  }
}
