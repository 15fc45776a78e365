import AppSide
import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// The limits of conversions, and the findings if they are exceeded.
@Suite struct OnDemandBoundTests {
  private static let list =
    "<plist><dict><key>Tags</key><array><string>t</string></array></dict></plist>"

  /// Creates an archive of an app with two asset packs and six files.
  private func archive(_ folder: borrowing TemporaryFolder) throws -> FilePath {
    for pack in ["a", "b"] {
      let place = "Payload/App.app/OnDemandResources/\(pack).assetpack"
      try folder.makeFile("\(place)/Info.plist", Self.list)
      try folder.makeFile("\(place)/map.json", "{}")
      try folder.makeFile("\(place)/zeros.dat", [UInt8](repeating: 0, count: 100_000))
    }
    let status = try Peer.run(
      """
      python3 -c "import zipfile, glob
      with zipfile.ZipFile('App.ipa', 'w', zipfile.ZIP_DEFLATED) as z:
        for path in sorted(glob.glob('Payload/**/*.*', recursive=True)):
          if not path.endswith(('.app', '.assetpack')): z.write(path)"
      """, in: folder.path)
    #expect(status == 0)
    return FilePath(folder.path("App.ipa"))
  }

  @Test(.needs("python3"))
  func `an archive has limits of entries and of decoded bytes in lists`() throws {
    let folder = try TemporaryFolder()
    let path = try archive(folder)
    let size = Self.list.utf8.count
    func refusal(_ change: (inout BuiltApp.Bounds) -> Void) -> String? {
      var bounds = BuiltApp.Bounds()
      change(&bounds)
      do throws(Failure) {
        let app = try BuiltApp(inArchive: path, within: bounds, .unstoppable)
        #expect(app.files.count == 6 && app.lists.count == 2)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(refusal { $0 = BuiltApp.Bounds(entries: 6, list: size, lists: 2 * size) } == nil)
    #expect(refusal { $0.entries = 5 }?.contains("it has more than 5 entries") == true)
    #expect(refusal { $0.list = size - 1 }?.contains("its property lists are too large") == true)
    #expect(
      refusal { $0.lists = 2 * size - 1 }?.contains("its property lists are too large") == true)
    #expect(BuiltApp.Bounds().entries == 200_000 && BuiltApp.Bounds().lists == 64 << 20)
  }

  @Test(.needs("python3")) func `only property lists in an archive are decoded`() throws {
    let folder = try TemporaryFolder()
    let path = try archive(folder)
    // The size of other decoded files does not matter.
    var bytes = try Data(contentsOf: URL(filePath: path.text))
    var place = bytes.startIndex
    while let name = bytes.range(of: Data("zeros.dat".utf8), in: place..<bytes.endIndex) {
      if bytes[name.upperBound] != 0x50 { bytes[name.upperBound] ^= 0xFF }
      place = name.upperBound
    }
    try bytes.write(to: URL(filePath: path.text))
    let conversion = try OnDemandProjectTests.convert(path.text)
    #expect(OnDemandProjectTests.packs(conversion).count == 1)
    #expect(conversion.findings.map(\.id.name) == ["convert.assumed-policy"])
  }

  @Test(.needs("python3")) func `the size of lists in a folder is limited`() throws {
    let folder = try TemporaryFolder()
    _ = try archive(folder)
    let root = try ResourceFolder(ofProjectIn: FilePath(folder.path("Payload")), named: nil)
    let size = Self.list.utf8.count
    #expect(throws: Failure.self) {
      try BuiltApp(inFolder: root, within: BuiltApp.Bounds(lists: 2 * size - 1))
    }
    #expect(try BuiltApp(inFolder: root, within: BuiltApp.Bounds(lists: 2 * size)).lists.count == 2)
    try folder.makeFile(
      "Payload/App.app/OnDemandResources/a.assetpack/Info.plist",
      [UInt8](repeating: 0x20, count: ResourceFolder.largestText + 1))
    #expect(throws: PackError.self) {
      try OnDemandProjectTests.convert(folder.path("Payload/App.app"))
    }
  }

  @Test func `a folder with a circular link is an error everywhere`() throws {
    let folder = try TemporaryFolder()
    let deep = String(repeating: "d/", count: ResourceFolder.deepest + 1)
    try folder.makeFile("App/Deep/\(deep)x.txt")
    try folder.makeFile("App/a.txt")
    try folder.makeFile("App/Art.xcassets/Contents.json", "{}")
    try folder.makeFile("App/Art.xcassets/\(deep)x.png")
    try folder.makeFile(
      "App/project.pbxproj",
      OnDemandProjectTests.project([("Deep", "t"), ("a.txt", "t"), ("Art.xcassets", "")]))
    let project = try OnDemandProjectTests.convert(folder.path("App/project.pbxproj"))
    #expect(project.findings.map(\.id.name) == ["odr.too-large", "odr.too-large"])
    #expect(project.findings.hasErrors)
    #expect(throws: PackError.self) {
      try SourceScan(of: [FilePath(folder.path("App"))])
    }
    try folder.makeFile("App.app/OnDemandResources/p.assetpack/\(deep)x.txt")
    #expect(throws: PackError.self) { try OnDemandProjectTests.convert(folder.path("App.app")) }
  }

  @Test(.heavy)
  func `a project of a hundred thousand lines is converted`() throws {
    let folder = try TemporaryFolder()
    let count = 33_000
    var lines = [
      "// !$*UTF8*$!", "{ rootObject = P; objects = {",
      "P = { isa = PBXProject; mainGroup = G; targets = (T); };",
      "T = { isa = PBXNativeTarget; name = App; buildPhases = (R); };",
      "G = { isa = PBXGroup; sourceTree = \"<group>\"; children = (",
    ]
    lines += (0..<count).map { "F\($0)," }
    lines += ["); };", "R = { isa = PBXResourcesBuildPhase; files = ("]
    lines += (0..<count).map { "B\($0)," }
    lines += ["); };"]
    for index in 0..<count {
      // Every fourth file is tagged.
      let tags = index % 4 == 0 ? "settings = { ASSET_TAGS = (level\(index % 500), ); }; " : ""
      lines.append(
        "B\(index) = { isa = PBXBuildFile; fileRef = F\(index); \(tags)}; F\(index) = { isa = "
          + "PBXFileReference; path = f\(index).json; sourceTree = \"<group>\"; };")
    }
    lines += ["}; }", ""]
    lines += Array(repeating: "", count: max(0, 100_000 - lines.count))
    try folder.makeFile("project.pbxproj", lines.joined(separator: "\n"))
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    #expect(conversion.manifests.count == 125)
  }

  @Test(.heavy)
  func `twenty thousand tags, and as many names with different case, are converted`() throws {
    let folder = try TemporaryFolder()
    let names = (0..<20_000).map { "File\($0).txt" }
    for name in names { try folder.makeFile(name) }
    try folder.makeFile(
      "project.pbxproj",
      OnDemandProjectTests.project(names.map { ($0.lowercased(), "\"\($0)\"") }))
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    #expect(conversion.manifests.count == 20_000)
  }
}
