// Inputs for the examples of the rules.

/// Returns a small project for an example.
func exampleProject(
  files: [String] = ["map.json"], tags: [String] = ["(level1)"], second: String? = nil,
  attributes: String = "", settings: String? = nil, debug: String? = nil, file: String? = nil
) -> String {
  let ids = files.indices.map { $0 == 0 ? "" : "\($0)" }
  var lines = [
    """
    P = { isa = PBXProject; mainGroup = G; targets = (T\(second == nil ? "" : ", T2")); \
    \(attributes)};
    """,
    """
    G = { isa = PBXGroup; children = (\(ids.map { "F\($0)" }.joined(separator: ", "))); \
    sourceTree = "<group>"; };
    """,
    """
    T = { isa = PBXNativeTarget; name = App; buildPhases = (R); \
    \(settings == nil ? "" : "buildConfigurationList = L; ")};
    """,
    """
    R = { isa = PBXResourcesBuildPhase; \
    files = (\(ids.map { "B\($0)" }.joined(separator: ", "))); };
    """,
  ]
  for (index, path) in files.enumerated() {
    let tags = tags[min(index, tags.count - 1)]
    lines.append(
      "F\(ids[index]) = { isa = PBXFileReference; path = \(path); sourceTree = \"<group>\"; };")
    lines.append(
      """
      B\(ids[index]) = { isa = PBXBuildFile; fileRef = F\(ids[index]); \
      settings = { ASSET_TAGS = \(tags); }; };
      """)
  }
  if let second {
    lines += [
      "T2 = { isa = PBXNativeTarget; name = Lite; buildPhases = (R2); };",
      "R2 = { isa = PBXResourcesBuildPhase; files = (B2); };",
      "B2 = { isa = PBXBuildFile; fileRef = F; settings = { ASSET_TAGS = \(second); }; };",
    ]
  }
  if let settings {
    let base = file == nil ? "" : "baseConfigurationReference = X; "
    lines += [
      "L = { isa = XCConfigurationList; buildConfigurations = (C1, C2); };",
      """
      C1 = { isa = XCBuildConfiguration; name = Release; \(base)buildSettings = \
      { \(settings) }; };
      """,
      """
      C2 = { isa = XCBuildConfiguration; name = Debug; \(base)buildSettings = \
      { \(debug ?? settings) }; };
      """,
    ]
    if let file { lines.append("X = { isa = PBXFileReference; path = \(file); };") }
  }
  return "{ rootObject = P; objects = {\n  " + lines.joined(separator: "\n  ") + "\n}; }"
}

/// A project with a synchronized folder.
let exampleWithFolder = """
  { rootObject = P; objects = {
    P = { isa = PBXProject; mainGroup = G; targets = (T); };
    G = { isa = PBXGroup; children = (S); sourceTree = "<group>"; };
    T = { isa = PBXNativeTarget; name = App; fileSystemSynchronizedGroups = (S); };
    S = { isa = PBXFileSystemSynchronizedRootGroup; path = Art; exceptions = (E);
          sourceTree = "<group>"; };
    E = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T;
          assetTagsByRelativePath = { map.json = (level1); menu.json = (level1); }; };
  }; }
  """

/// Returns the list of asset packs of a built app.
func exampleOfBuiltApp(_ pack: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <plist version="1.0"><dict>
    <key>NSBundleResourceRequestTags</key>
    <dict><key>level1</key><dict><key>NSAssetPacks</key>
      <array><string>\(pack)</string></array></dict></dict>
    <key>NSBundleResourceRequestAssetPacks</key>
    <dict><key>\(pack)</key><array><string>map.json</string></array></dict>
  </dict></plist>
  """
}
