import Arguments
import BAPackCommands
import Foundation
import Glibc
import SystemIO
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

  @Test
  func `safe fixes are written; comments, layout, permissions and a link are kept`() throws {
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

  @Test
  func `a second run changes nothing, not even the file's time`() throws {
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

  @Test
  func `the number of findings without an automatic fix is printed`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Levels/map.json", "{}")
    try folder.makeFile("Levels/.DS_Store", "x")
    try folder.makeFile(
      "m.json",
      #"""
      {"assetPackID": "Tutorial", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"directory": "Levels"}], "platforms": ["ios"]}
      """#)
    let arguments = ["validate", folder.path("m.json"), "--source-root", folder.path, "--fix"]
    #expect(
      Captured(arguments).messages.hasSuffix("1 manifest: 1 warning; 1 fixed, 1 needs a decision\n")
    )
    #expect(
      Captured(arguments).messages.hasSuffix("1 manifest: 1 warning; 0 fixed, 1 needs a decision\n")
    )
    let plain = Captured(arguments.dropLast())
    #expect(plain.messages.hasSuffix("1 manifest: 1 warning\n"))
  }

  @Test
  func `a manifest from standard input goes to standard output`() {
    let run = Captured("validate", "--fix", "--no-files", "-", input: Self.wrong)
    #expect(run.ending == .status(.done))
    #expect(run.output == Self.right)
    #expect(run.messages.hasPrefix("Fixed 2 problems in '<stdin>'.\n"))
    let mixed = Captured("validate", "--fix", "--format", "json", "-", input: Self.wrong)
    #expect(mixed.ending == .status(.usage))
    #expect(
      mixed.messages.hasPrefix(
        "Error: With '--fix' standard output is used for the manifest from '-', so '--format json' "
          + "cannot write its report\n"))
  }

  @Test
  func `a folder is no manifest with --fix, either`() throws {
    let folder = try TemporaryFolder()
    let run = Captured("validate", "--fix", folder.path)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("the folder contains no manifest"))
  }

  @Test
  func `a pipe is not replaced, and is not read`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("Manifest.json")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let run = Captured("validate", "--fix", "--no-files", pipe)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("cannot rewrite '\(pipe)': Operation not supported"))
    #expect(run.messages.contains("use '--fix -' to fix standard input and print the result"))
    let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
    #expect(attributes[.type] as? FileAttributeType == .typeUnknown)
  }

  @Test
  func `an obstacle to writing is reported with a hint that 'validate' supports`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Manifest.json")
    try folder.makeFile("Manifest.json", Self.wrong)
    let run = ForcedFailures.inject(.always(.open, EACCES, path: "")) { () -> Captured in
      Captured("validate", "--fix", "--no-files", path)
    }
    #expect(run.ending == .status(.failed))
    #expect(!run.messages.contains("-o"))
    #expect(run.messages.contains("run this as the owner of the file"))
    #expect(try folder.contents("Manifest.json") == Array(Self.wrong.utf8))
  }

  @Test
  func `a text that is too large is not written`() {
    let run = Captured(
      "validate", "--fix", "--no-files", "-",
      input: Self.wrong + String(repeating: " ", count: 17 << 20))
    #expect(run.ending == .status(.failed))
    #expect(run.output == "")
    #expect(run.messages.contains("the text is larger than 16 MiB, the maximum"))
  }

  @Test
  func `'--diff' prints the change, also of standard input, and writes no file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Manifest.json")
    try folder.makeFile("Manifest.json", Self.wrong)
    func change(_ name: String) -> String {
      [
        "--- a/\(name)", "+++ b/\(name)", "@@ -1,7 +1,7 @@", " {", "   // Keep me.",
        "   assetPackID: 'Tutorial',", "-  downloadPolicy: {onDemand: null},  /* and me */",
        "+  downloadPolicy: {onDemand: {}},  /* and me */",
        "   fileSelectors: [{file: 'a.txt'}],", "-  platforms: ['ios'],",
        "+  platforms: ['iOS'],", " }", "",
      ].joined(separator: "\n")
    }
    for arguments in [["--diff"], ["--fix", "--diff"]] {
      let run = Captured(["validate", "--no-files", path] + arguments)
      #expect(run.output == change(path))
      #expect(run.ending == .status(.failed))
    }
    #expect(try folder.contents("Manifest.json") == Array(Self.wrong.utf8))
    let piped = Captured("validate", "--no-files", "--diff", "-", input: Self.wrong)
    #expect(piped.output == change("<stdin>"))
    #expect(Captured("validate", "--no-files", "--diff", "-", input: Self.right).output == "")
  }

  @Test
  func `'--unsafe' also applies fixes that are probably correct`() {
    let text = Self.wrong.replacing("ios", with: "iPadOS")
    let run = Captured("validate", "--fix", "--unsafe", "--no-files", "-", input: text)
    #expect(run.ending == .status(.done))
    #expect(run.output == Self.right)
  }
}
