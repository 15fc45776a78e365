import BAPackKit
import SourceDiagnostics
import SystemIO

extension ProjectEdit {
  /// An extension whose target is added.
  struct NewExtension {
    var name: String
    var itself: DownloaderExtension
    /// The settings of each configuration of the app.
    var settings: [(configuration: AppConfiguration, settings: ExtensionSettings)]
  }

  private static let mask = PlacedValue.new("2147483647")
  private static let embedName = "Embed ExtensionKit Extensions"

  /// Whether the files of new folders belong to their targets without entries in the project.
  private var hasSynchronizedFolders: Bool {
    !graph.objects(ofKind: "PBXFileSystemSynchronizedRootGroup").isEmpty
  }

  /// Adds the target of an extension, with its files, and returns the target and its product.
  mutating func addTarget(
    of new: NewExtension
  ) throws(PackError) -> (target: String, product: String) {
    let target = try id("target")
    setName(new.name, of: target)
    let product = try add(
      "product", named: new.name + ".appex", isOnOneLine: true,
      [
        "isa": .new("PBXFileReference"),
        "explicitFileType": .new("wrapper.extensionkit-extension"), "includeInIndex": .new("0"),
        "path": .new(new.name + ".appex"), "sourceTree": .new("BUILT_PRODUCTS_DIR"),
      ])
    let (folder, sources) = try addFiles(of: new, target)
    var phases: [String] = []
    for (kind, files) in [("Sources", sources), ("Frameworks", []), ("Resources", [])] {
      phases.append(
        try add(
          kind, named: kind,
          [
            "isa": .new("PBX\(kind)BuildPhase"), "buildActionMask": Self.mask,
            "files": .new(files), "runOnlyForDeploymentPostprocessing": .new("0"),
          ]))
    }
    var members: [(key: String, value: PlacedValue)] = [
      ("isa", .new("PBXNativeTarget")), ("buildConfigurationList", .new(try addSettings(of: new))),
      ("buildPhases", .new(phases)), ("buildRules", .new([String]())),
      ("dependencies", .new([String]())),
    ]
    if hasSynchronizedFolders { members.append(("fileSystemSynchronizedGroups", .new([folder]))) }
    members += [
      ("name", .new(new.name)), ("productName", .new(new.name)),
      ("productReference", .new(product)),
      ("productType", .new(DownloaderExtension.productType)),
    ]
    _ = try add("target", named: new.name, .new(members))
    try insert(target, into: "targets", of: graph.root)
    if let products = graph.object(graph.root["productRefGroup"]) {
      try insert(product, into: "children", of: products)
    }
    try addAttributes(of: target)
    return (target, product)
  }

  /// Adds the folder of the extension, and returns it with the files to compile.
  private mutating func addFiles(
    of new: NewExtension, _ target: String
  ) throws(PackError) -> (folder: String, sources: [String]) {
    var members: [(key: String, value: PlacedValue)] = []
    var sources: [String] = []
    if hasSynchronizedFolders {
      let exceptions = try add(
        "exceptions",
        named: "Exceptions for \"\(new.name)\" folder in \"\(new.name)\" target",
        [
          "isa": .new("PBXFileSystemSynchronizedBuildFileExceptionSet"),
          "membershipExceptions": .new(["Info.plist"]), "target": .new(target),
        ])
      members = [
        ("isa", .new("PBXFileSystemSynchronizedRootGroup")), ("exceptions", .new([exceptions])),
      ]
    } else {
      let code = new.itself.sourceName
      let files = [
        ("source", code, "sourcecode.swift"), ("info", "Info.plist", "text.plist.xml"),
        (
          "entitlements", DownloaderExtension.targetName + ".entitlements",
          "text.plist.entitlements"
        ),
      ]
      var children: [String] = []
      for (role, name, type) in files {
        children.append(
          try add(
            role, named: name, isOnOneLine: true,
            [
              "isa": .new("PBXFileReference"), "lastKnownFileType": .new(type), "path": .new(name),
              "sourceTree": .new("<group>"),
            ]))
      }
      sources = [
        try add(
          "build", named: "\(code) in Sources", isOnOneLine: true,
          ["isa": .new("PBXBuildFile"), "fileRef": .new(children[0])])
      ]
      members = [("isa", .new("PBXGroup")), ("children", .new(children))]
    }
    guard let main = graph.object(graph.root["mainGroup"]), let place = graph.place(of: main) else {
      throw PackError.refusal("it has no main group")
    }
    let isAtRoot = place == .project(FilePath(""))
    members += [
      ("path", .new(new.name)), ("sourceTree", .new(isAtRoot ? "<group>" : "SOURCE_ROOT")),
    ]
    let folder = try add("folder", named: new.name, .new(members))
    // The products are at the end, as in new projects.
    let products = graph.root["productRefGroup"]?.text
    try insert(
      folder, into: "children", of: main,
      before: main["children"]?.elements.first { products != nil && $0.text == products })
    return (folder, sources)
  }

  private mutating func addSettings(of new: NewExtension) throws(PackError) -> String {
    var all: [String] = []
    for (configuration, settings) in new.settings {
      var members: [(key: String, value: PlacedValue)] = [("isa", .new("XCBuildConfiguration"))]
      if settings.sharesFile {
        members += configuration.object.value.members.filter {
          $0.key.hasPrefix("baseConfigurationReference")
        }.map { ($0.key, $0.value) }
      }
      members += [("buildSettings", .new(settings.values)), ("name", .new(configuration.name))]
      all.append(
        try add(
          "configuration " + configuration.object.id, named: configuration.name, .new(members)))
    }
    let list = graph.object(app["buildConfigurationList"])
    return try add(
      "configurations", named: "Build configuration list for PBXNativeTarget \"\(new.name)\"",
      [
        "isa": .new("XCConfigurationList"), "buildConfigurations": .new(all),
        "defaultConfigurationIsVisible": .new("0"),
        "defaultConfigurationName": list?["defaultConfigurationName"] ?? .new("Release"),
      ])
  }

  /// Adds the attributes of the target, if the app has some.
  private mutating func addAttributes(of target: String) throws(PackError) {
    let kept = ["CreatedOnToolsVersion", "DevelopmentTeam", "ProvisioningStyle"]
    guard let table = graph.root["attributes"]?["TargetAttributes"], let own = table[app.id] else {
      return
    }
    let members = own.members.filter { kept.contains($0.key) }
    guard !members.isEmpty else { return }
    try insert(
      target, .new(members.map { ($0.key, $0.value) }), into: table,
      at: [graph.root.id, "attributes", "TargetAttributes"])
  }

  // MARK: The app

  /// Adds a dependency of the app on a target.
  mutating func addDependency(on target: String, named name: String) throws(PackError) {
    let proxy = try add(
      "proxy", named: "PBXContainerItemProxy",
      [
        "isa": .new("PBXContainerItemProxy"), "containerPortal": .new(graph.root.id),
        "proxyType": .new("1"), "remoteGlobalIDString": .new(target), "remoteInfo": .new(name),
      ])
    let dependency = try add(
      "dependency", named: "PBXTargetDependency",
      ["isa": .new("PBXTargetDependency"), "target": .new(target), "targetProxy": .new(proxy)])
    try insert(dependency, into: "dependencies", of: app)
  }

  /// Adds a product to the copy phase of the app for extensions; adds the phase if it has none.
  mutating func embed(_ product: String, named name: String) throws(PackError) {
    let phases = graph.objects(app["buildPhases"])
    let existing = phases.first {
      $0.kind == "PBXCopyFilesBuildPhase" && graph.copiesToExtensions($0) == true
    }
    let file = try add(
      "embedded", named: "\(name).appex in \(existing?["name"]?.text ?? Self.embedName)",
      isOnOneLine: true,
      [
        "isa": .new("PBXBuildFile"), "fileRef": .new(product),
        "settings": .new(["ATTRIBUTES": .new(["RemoveHeadersOnCopy"])]),
      ])
    if let existing {
      try insert(file, into: "files", of: existing)
      return
    }
    let phase = try add(
      "embed", named: Self.embedName,
      [
        "isa": .new("PBXCopyFilesBuildPhase"), "buildActionMask": Self.mask,
        "dstPath": .new("$(EXTENSIONS_FOLDER_PATH)"), "dstSubfolderSpec": .new("16"),
        "files": .new([file]), "name": .new(Self.embedName),
        "runOnlyForDeploymentPostprocessing": .new("0"),
      ])
    // Scripts that change the finished app must follow, or the build reports a cycle.
    let last = phases.first { phase in
      let name = phase["name"]?.text ?? ""
      return phase.kind == "PBXShellScriptBuildPhase"
        && (name == "Thin Binary" || name.hasPrefix("[CP] Embed"))
    }
    try insert(
      phase, into: "buildPhases", of: app,
      before: app["buildPhases"]?.elements.first { last != nil && $0.text == last?.id })
  }
}
