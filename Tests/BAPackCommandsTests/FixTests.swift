import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

@Suite("validate --fix")
struct FixTests {
  private static let wrong = """
    {
      // Keep me.
      assetPackID: 'Tutorial',
      downloadPolicy: {onDemand: null},  /* and me */
      fileSelectors: [{file: 'a.txt'}],
      platforms: ['ios'],
    }

    """
  private static let right = """
    {
      // Keep me.
      assetPackID: 'Tutorial',
      downloadPolicy: {onDemand: {}},  /* and me */
      fileSelectors: [{file: 'a.txt'}],
      platforms: ['iOS'],
    }

    """

  @Test("safe fixes are written back; comments, layout, permissions and a link stay")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "Manifest.json"
    let link = folder.path + "link.json"
    try Data(Self.wrong.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "Manifest.json")
    let run = Captured("validate", "--fix", "--no-files", link)
    #expect(run.ending == .status(.done))
    #expect(run.messages == "Fixed 2 problems in '\(link)'.\n1 manifest: no problems\n")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.right)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "Manifest.json")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test("a second run changes nothing, not even the file's time")
  func idempotence() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "Manifest.json"
    try Data(Self.right.utf8).write(to: URL(filePath: path))
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    let run = Captured("validate", "--fix", "--no-files", path)
    #expect(run.messages == "1 manifest: no problems\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.modificationDate] as? Date == old)
  }

  @Test("a manifest from standard input goes to standard output")
  func standardInput() {
    let run = Captured("validate", "--fix", "--no-files", "-", input: Self.wrong)
    #expect(run.ending == .status(.done))
    #expect(run.output == Self.right)
    #expect(run.messages.hasPrefix("Fixed 2 problems in '<stdin>'.\n"))
    let mixed = Captured("validate", "--fix", "--format", "json", "-", input: Self.wrong)
    #expect(mixed.ending == .status(.usage))
    #expect(
      mixed.messages.hasPrefix(
        "Error: With '--fix' the manifest from '-' goes to standard output, where '--format json' "
          + "would write its report\n"))
  }

  @Test("a folder is no manifest with --fix, either")
  func folder() throws {
    let folder = try TemporaryFolder()
    let run = Captured("validate", "--fix", folder.path)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("this is a folder with no manifest in it"))
  }
}
