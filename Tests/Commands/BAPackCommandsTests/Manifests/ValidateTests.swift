import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

@Suite("validate")
struct ValidateTests {
  private static let valid = #"""
    {
      "assetPackID": "Tutorial",
      "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [{"file": "a.txt"}],
      "platforms": ["iOS"]
    }
    """#

  @Test
  func `a valid manifest has a summary, and no output with --quiet`() {
    let run = Captured("validate", "-", "--no-files", input: Self.valid)
    #expect(run.ending == .status(.done))
    #expect(run.output == "")
    #expect(run.messages == "1 manifest: no problems\n")
    #expect(Captured("validate", "-q", "-", "--no-files", input: Self.valid).messages == "")
  }

  @Test
  func `every finding is one line with its position and ID, then reasons and fixes`() {
    let text = Self.valid.replacing(#""iOS""#, with: #""ios""#)
    let run = Captured("validate", "-", "--no-files", input: text)
    #expect(run.ending == .status(.failed))
    #expect(run.output == "")
    #expect(
      run.messages == """
        <stdin>:5:17: error: there is no platform 'ios' for asset packs [platform.unknown]
        <stdin>:5:17: fix: write 'iOS'
        1 manifest: 1 error; '--fix' fixes 1

        """)
  }

  @Test
  func `warnings pass, unless --strict is given`() {
    let text = Self.valid.replacing("Tutorial", with: "Tutorial.1")
    #expect(Captured("validate", "-", "--no-files", input: text).ending == .status(.done))
    let run = Captured("validate", "-q", "-", "--no-files", "--strict", input: text)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.hasSuffix("1 manifest: 1 warning\n"))
    let apple = Captured("validate", "-", "--no-files", "--hosting", "apple", input: text)
    #expect(apple.ending == .status(.failed))
    #expect(
      Captured("validate", "-", "--no-files", "--hosting", "self", input: text).messages
        == "1 manifest: no problems\n")
  }

  @Test
  func `files are relative to the manifest's folder, its sourceRoot, or --source-root`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "assets", withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: folder.path + "assets/a.txt"))
    let manifest = folder.path + "Manifest.json"
    try Data(Self.valid.utf8).write(to: URL(filePath: manifest))
    let lost = Captured("validate", manifest)
    #expect(lost.ending == .status(.failed))
    #expect(lost.messages.contains("\(manifest):4:30: error: there is no file 'a.txt'"))
    let found = Captured("validate", manifest, "--source-root", folder.path + "assets")
    #expect(found.ending == .status(.done))
    let own = Self.valid.replacing("{\n  \"a", with: "{\n  \"sourceRoot\": \"assets\",\n  \"a")
    try Data(own.utf8).write(to: URL(filePath: manifest))
    #expect(Captured("validate", manifest).ending == .status(.done))
    let nowhere = Captured("validate", manifest, "--source-root", folder.path + "nowhere")
    #expect(nowhere.ending == .status(.failed))
    #expect(
      nowhere.messages.hasPrefix(
        "\(manifest): error: there is no source root '\(folder.path)nowhere' "
          + "[manifest.unreadable]\n"
      ))
  }

  @Test
  func `several manifests are checked together, and an unreadable one does not stop others`()
    throws
  {
    let folder = try TemporaryFolder()
    let paths = ["a.json", "b.json"].map { folder.path + $0 }
    for path in paths { try Data(Self.valid.utf8).write(to: URL(filePath: path)) }
    let run = Captured("validate", paths[0], folder.path + "c.json", paths[1], "--no-files")
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.contains(
        "c.json: error: cannot open '\(folder.path)c.json': No such file or directory "
          + "[manifest.unreadable]\n"))
    #expect(
      run.messages.contains(
        "b.json:2:18: error: the ID 'Tutorial' is already used by another manifest"))
    #expect(run.messages.hasSuffix("3 manifests: 2 errors\n"))
  }

  @Test
  func
    `other files than manifests are findings: a folder, an archive, an empty or an enormous file`()
    throws
  {
    let folder = try TemporaryFolder()
    let folderRun = Captured("validate", folder.path)
    #expect(folderRun.ending == .status(.failed))
    #expect(folderRun.messages.contains("error: the folder contains no manifest ["))
    #expect(
      Captured("validate", "-", input: "pbze\0\0").messages.contains(
        "<stdin>: error: the file is an Apple Archive, not a manifest ["))
    #expect(
      Captured("validate", "-", input: "\u{7F}ELF\0\0").messages.contains(
        "<stdin>: error: the file is a binary file, not a manifest ["))
    let empty = Captured("validate", "-", input: "")
    #expect(empty.messages.contains("the text is empty [json.empty]"))
    let large = Captured("validate", "-", input: String(repeating: " ", count: 16 << 20) + "1")
    #expect(large.ending == .status(.failed))
    #expect(large.messages.contains("<stdin>: error: the text is larger than 16 MiB"))
    let endless = Captured("validate", "/dev/zero")
    #expect(endless.messages.hasPrefix("/dev/zero: error: "))
  }

  @Test
  func `conflicting options are usage errors`() {
    let twice = Captured("validate", "-", "-")
    #expect(twice.ending == .status(.usage))
    #expect(twice.messages.hasPrefix("Error: Standard input ('-') can be read only once\n"))
    let both = Captured("validate", "x", "--no-files", "--source-root", "y")
    #expect(both.ending == .status(.usage))
    #expect(
      both.messages.hasPrefix("Error: '--source-root' and '--no-files' cannot be used together\n"))
  }
}
