import Arguments
import TestSupport
import Testing

@testable import BAPackCommands

@Suite final class ListInfoTests {
  private let folder: String
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
    try temporary.makeFile("a.aar", PackBytes.sample.container(blockSize: 256))
    folder = temporary.path("")
  }

  @Test("list names the files as the app sees them")
  func list() {
    let run = Captured("list", folder + "a.aar")
    #expect(run.ending == .status(.done))
    #expect(run.output == "Levels/one.json\nLevels/two.json\nrun.sh\n日本.txt\n")
    #expect(run.messages.isEmpty)
  }

  @Test("list --all names every entry of the archive")
  func listAll() {
    let run = Captured("list", "--all", folder + "a.aar")
    #expect(
      run.output == """
        .
        Contents
        Contents/Levels
        Contents/Levels/one.json
        Contents/Levels/two.json
        Contents/empty
        Contents/run.sh
        Contents/日本.txt
        Manifest.json

        """)
  }

  @Test("list --long shows type, permissions, size and time in columns")
  func listLong() {
    let run = Captured("list", "-l", folder + "a.aar")
    #expect(
      run.output == """
        -rw-r--r--            31  2001-01-01T00:00:00Z  Levels/one.json
        -rw-r--r--            31  2001-01-01T00:00:00Z  Levels/two.json
        -rwxr-xr-x            10  2001-01-01T00:00:00Z  run.sh
        -rw-r--r--             0  2001-01-01T00:00:00Z  日本.txt

        """)
  }

  @Test("list --format json writes one object a line")
  func listJSON() {
    let run = Captured("list", "--format", "json", folder + "a.aar")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[2] == """
        {"path":"run.sh","archivePath":"Contents/run.sh","type":"file","size":10,"mode":"0755",\
        "uid":501,"gid":20,"modified":"2001-01-01T00:00:00Z","created":"2001-01-01T00:00:00Z"}
        """)
  }

  @Test("list shows what can be read, and then says where it stopped")
  func listDamaged() throws {
    let whole = PackBytes.sample.container(blockSize: 256)
    try temporary.makeFile("cut.aar", Array(whole.prefix(12 + 2 * 272 + 100)))
    let run = Captured("list", folder + "cut.aar")
    #expect(run.ending == .status(.failed))
    #expect(run.output.hasPrefix("Levels/one.json\n"))
    #expect(
      run.messages
        == "Error: cannot read '\(folder)cut.aar': the file ends inside a block "
        + "(at byte 556 of the file, byte 512 decoded)\n")
  }

  @Test("what is no pack is refused with a word about what it is")
  func listOther() throws {
    try temporary.makeFile("b.aar", Array("PK\u{3}\u{4}rest".utf8))
    let run = Captured("list", folder + "b.aar")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("it is a ZIP archive, not an Apple Archive"))
    let absent = Captured("list", folder + "none.aar")
    #expect(
      absent.messages == "Error: cannot open '\(folder)none.aar': No such file or directory\n")
  }

  @Test("info shows the manifest, the container and what the files hold")
  func info() {
    let run = Captured("info", folder + "a.aar")
    #expect(run.ending == .status(.done))
    for line in [
      "Pack        sample", "Policy      on demand", "Platforms   all",
      "Container   lzfse, blocks of 256 bytes", "Contents    4 files, 2 folders, 72 bytes",
    ] {
      #expect(run.output.contains(line + "\n"))
    }
    #expect(run.output.contains(".json"))
    #expect(run.output.contains("did not compress"))
  }

  @Test("info --format json writes one object")
  func infoJSON() {
    let run = Captured("info", "--format", "json", folder + "a.aar")
    #expect(run.output.contains("\"compression\": \"lzfse\""))
    #expect(run.output.contains("\"contentSize\": 72"))
    #expect(run.output.contains("\"assetPackID\": \"sample\""))
    #expect(run.output.contains("\"problem\": null"))
  }
}
