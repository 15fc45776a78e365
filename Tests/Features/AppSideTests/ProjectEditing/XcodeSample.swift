import SystemIO
import TestSupport

/// A project in the layout of Xcode, with one or several apps and without an extension.
struct XcodeSample {
  /// The form of Xcode 16: the files of a folder belong to its target.
  var isSynchronized = false
  var apps = ["Game"]
  var objectVersion: String?
  var projectSettings = ["IPHONEOS_DEPLOYMENT_TARGET": "17.0", "SDKROOT": "iphoneos"]
  var appSettings = [
    "CODE_SIGN_ENTITLEMENTS": "Game/Game.entitlements", "CODE_SIGN_STYLE": "Automatic",
    "CURRENT_PROJECT_VERSION": "7", "DEVELOPMENT_TEAM": "ABCDE12345",
    "INFOPLIST_FILE": "Game/Info.plist", "MARKETING_VERSION": "1.2",
    "PRODUCT_BUNDLE_IDENTIFIER": "com.example.game", "SWIFT_VERSION": "6.0",
  ]
  /// The names of scripts that run after the other build phases.
  var scripts: [String] = []
  /// The settings file of the apps' configurations.
  var settingsFile: String?
  var info: String? = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>CFBundleShortVersionString</key>
    \t<string>$(MARKETING_VERSION)</string>
    \t<key>UILaunchScreen</key>
    \t<dict/>
    </dict>
    </plist>

    """
  var entitlements: String? = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
        <key>com.apple.security.application-groups</key>
        <array>
            <string>group.com.example.other</string>
        </array>
        <key>aps-environment</key> <!-- kept -->
        <string>development</string>
    </dict>
    </plist>
    """

  static let group = "group.com.example.game"

  /// Returns an ID of 24 digits, as Xcode makes them.
  private static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return "5A" + String(repeating: "0", count: 22 - digits.count) + digits
  }

  static let root = id(1)
  /// The ID of the first app.
  static let app = id(0x100)
  private static let configurations = ["Debug", "Release"]

  private struct Entry {
    var kind: String
    var id: String
    var comment: String
    var text: String
  }

  private static func settings(_ values: [String: String]) -> String {
    values.sorted { $0.key < $1.key }
      .map { "\t\t\t\t\($0.key.contains("[") ? "\"\($0.key)\"" : $0.key) = \"\($0.value)\";\n" }
      .joined()
  }

  private static func object(_ kind: String, _ members: String) -> String {
    "{\n\t\t\tisa = \(kind);\n\(members)\t\t}"
  }

  private static func list(_ elements: [(String, String)]) -> String {
    "(\n" + elements.map { "\t\t\t\t\($0.0) /* \($0.1) */,\n" }.joined() + "\t\t\t)"
  }

  private func entries(of name: String, at number: Int) -> [Entry] {
    let base = 0x100 * (number + 1)
    func id(_ offset: Int) -> String { Self.id(base + offset) }
    var entries: [Entry] = []
    var phases = [(id(1), "Sources")]
    entries.append(
      Entry(
        kind: "PBXSourcesBuildPhase", id: id(1), comment: "Sources",
        text: Self.object(
          "PBXSourcesBuildPhase",
          "\t\t\tbuildActionMask = 2147483647;\n\t\t\tfiles = (\n\t\t\t);\n"
            + "\t\t\trunOnlyForDeploymentPostprocessing = 0;\n")))
    for (index, script) in scripts.enumerated() {
      phases.append((id(0x20 + index), script))
      entries.append(
        Entry(
          kind: "PBXShellScriptBuildPhase", id: id(0x20 + index), comment: script,
          text: Self.object(
            "PBXShellScriptBuildPhase",
            "\t\t\tname = \"\(script)\";\n\t\t\tshellPath = /bin/sh;\n")))
    }
    let product = "\(name).app"
    entries.append(
      Entry(
        kind: "PBXFileReference", id: id(2), comment: product,
        text: "{isa = PBXFileReference; explicitFileType = wrapper.application; "
          + "includeInIndex = 0; path = \"\(product)\"; sourceTree = BUILT_PRODUCTS_DIR; }"))
    let listName = "Build configuration list for PBXNativeTarget \"\(name)\""
    let reference = "\t\t\tproductReference = \(id(2)) /* \(product) */;\n"
    let folders =
      isSynchronized
      ? "\t\t\tfileSystemSynchronizedGroups = \(Self.list([(id(5), name)]));\n" : ""
    entries.append(
      Entry(
        kind: "PBXNativeTarget", id: id(0), comment: name,
        text: Self.object(
          "PBXNativeTarget",
          "\t\t\tbuildConfigurationList = \(id(3)) /* \(listName) */;\n"
            + "\t\t\tbuildPhases = \(Self.list(phases));\n\t\t\tbuildRules = (\n\t\t\t);\n"
            + "\t\t\tdependencies = (\n\t\t\t);\n\(folders)\t\t\tname = \"\(name)\";\n"
            + "\t\t\tproductName = \"\(name)\";\n"
            + reference
            + "\t\t\tproductType = \"com.apple.product-type.application\";\n")))
    if isSynchronized {
      entries.append(
        Entry(
          kind: "PBXFileSystemSynchronizedRootGroup", id: id(5), comment: name,
          text: Self.object(
            "PBXFileSystemSynchronizedRootGroup",
            "\t\t\tpath = \(name);\n\t\t\tsourceTree = \"<group>\";\n")))
    }
    return entries + configurations(id(3), listName, appSettings, base + 0x10)
  }

  private func configurations(
    _ list: String, _ name: String, _ values: [String: String], _ base: Int
  ) -> [Entry] {
    let isOfProject = base < 0x100
    let file =
      isOfProject || settingsFile == nil
      ? "" : "\t\t\tbaseConfigurationReference = \(Self.id(9)) /* \(settingsFile ?? "") */;\n"
    var entries = Self.configurations.enumerated().map { index, name in
      Entry(
        kind: "XCBuildConfiguration", id: Self.id(base + index), comment: name,
        text: Self.object(
          "XCBuildConfiguration",
          file + "\t\t\tbuildSettings = {\n\(Self.settings(values))\t\t\t};\n"
            + "\t\t\tname = \(name);\n"))
    }
    let elements = Self.configurations.enumerated().map { (Self.id(base + $0), $1) }
    entries.append(
      Entry(
        kind: "XCConfigurationList", id: list, comment: name,
        text: Self.object(
          "XCConfigurationList",
          "\t\t\tbuildConfigurations = \(Self.list(elements));\n"
            + "\t\t\tdefaultConfigurationIsVisible = 0;\n"
            + "\t\t\tdefaultConfigurationName = Release;\n")))
    return entries
  }

  /// The text of the project.
  var project: String {
    var entries = apps.enumerated().flatMap { self.entries(of: $1, at: $0) }
    let listName = "Build configuration list for PBXProject \"Game\""
    entries += configurations(Self.id(2), listName, projectSettings, 0x10)
    let targets = apps.enumerated().map { (Self.id(0x100 * ($0 + 1)), $1) }
    let products = apps.enumerated().map { (Self.id(0x100 * ($0 + 1) + 2), "\($1).app") }
    let attributes = targets.map { id, _ in
      "\t\t\t\t\t\(id) = {\n\t\t\t\t\t\tCreatedOnToolsVersion = 16.0;\n\t\t\t\t\t};\n"
    }.joined()
    entries.append(
      Entry(
        kind: "PBXProject", id: Self.root, comment: "Project object",
        text: Self.object(
          "PBXProject",
          "\t\t\tattributes = {\n\t\t\t\tTargetAttributes = {\n\(attributes)\t\t\t\t};\n\t\t\t};\n"
            + "\t\t\tbuildConfigurationList = \(Self.id(2)) /* \(listName) */;\n"
            + "\t\t\tmainGroup = \(Self.id(3));\n"
            + "\t\t\tproductRefGroup = \(Self.id(4)) /* Products */;\n"
            + "\t\t\tprojectDirPath = \"\";\n\t\t\tprojectRoot = \"\";\n"
            + "\t\t\ttargets = \(Self.list(targets));\n")))
    let folders =
      isSynchronized ? apps.enumerated().map { (Self.id(0x100 * ($0 + 1) + 5), $1) } : []
    let files = settingsFile.map { [(Self.id(9), $0)] } ?? []
    entries.append(
      Entry(
        kind: "PBXGroup", id: Self.id(3), comment: "",
        text: Self.object(
          "PBXGroup",
          "\t\t\tchildren = \(Self.list(folders + files + [(Self.id(4), "Products")]));\n"
            + "\t\t\tsourceTree = \"<group>\";\n")))
    entries.append(
      Entry(
        kind: "PBXGroup", id: Self.id(4), comment: "Products",
        text: Self.object(
          "PBXGroup",
          "\t\t\tchildren = \(Self.list(products));\n\t\t\tname = Products;\n"
            + "\t\t\tsourceTree = \"<group>\";\n")))
    if let settingsFile {
      entries.append(
        Entry(
          kind: "PBXFileReference", id: Self.id(9), comment: settingsFile,
          text: "{isa = PBXFileReference; lastKnownFileType = text.xcconfig; "
            + "path = \(settingsFile); sourceTree = SOURCE_ROOT; }"))
    }
    return Self.text(entries, objectVersion ?? (isSynchronized ? "77" : "56"))
  }

  private static func text(_ entries: [Entry], _ version: String) -> String {
    var text =
      "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tclasses = {\n\t};\n"
      + "\tobjectVersion = \(version);\n\tobjects = {\n"
    for kind in Set(entries.map(\.kind)).sorted() {
      text += "\n/* Begin \(kind) section */\n"
      for entry in entries where entry.kind == kind {
        let comment = entry.comment.isEmpty ? "" : " /* \(entry.comment) */"
        text += "\t\t\(entry.id)\(comment) = \(entry.text);\n"
      }
      text += "/* End \(kind) section */\n"
    }
    return text + "\t};\n\trootObject = \(root) /* Project object */;\n}\n"
  }

  /// Writes the project into a folder, and returns its path.
  @discardableResult
  func write(to folder: borrowing TemporaryFolder) throws -> FilePath {
    try folder.makeFile("Game.xcodeproj/project.pbxproj", project)
    try folder.makeFile("Game/main.swift", "")
    if let info { try folder.makeFile("Game/Info.plist", info) }
    if let entitlements { try folder.makeFile("Game/Game.entitlements", entitlements) }
    return folder.filePath("Game.xcodeproj")
  }
}
