import Arguments
import Foundation
import SystemIO
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

  @Test
  func `list names the files as the app sees them`() {
    let run = Captured("list", folder + "a.aar")
    #expect(run.ending == .status(.done))
    #expect(run.output == "Levels/one.json\nLevels/two.json\nrun.sh\n日本.txt\n")
    #expect(run.messages.isEmpty)
  }

  @Test
  func `list --all names every entry of the archive`() {
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

  @Test
  func `list --long shows type, permissions, size and time in columns`() {
    let run = Captured("list", "-l", folder + "a.aar")
    #expect(
      run.output == """
        -rw-r--r--            31  2001-01-01T00:00:00Z  Levels/one.json
        -rw-r--r--            31  2001-01-01T00:00:00Z  Levels/two.json
        -rwxr-xr-x            10  2001-01-01T00:00:00Z  run.sh
        -rw-r--r--             0  2001-01-01T00:00:00Z  日本.txt

        """)
  }

  @Test
  func `list --format json writes one object a line`() {
    let run = Captured("list", "--format", "json", folder + "a.aar")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[2] == """
        {"pack":"\(folder)a.aar",\
        "path":"run.sh","archivePath":"Contents/run.sh","type":"file","size":10,"mode":"0755",\
        "uid":501,"gid":20,"modified":"2001-01-01T00:00:00Z","created":"2001-01-01T00:00:00Z"}
        """)
  }

  @Test
  func `list prints the readable entries, and then the error`() throws {
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

  @Test
  func `the type of a file that is not a pack is reported`() throws {
    try temporary.makeFile("b.aar", Array("PK\u{3}\u{4}rest".utf8))
    let run = Captured("list", folder + "b.aar")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("it is a ZIP archive, not an Apple Archive"))
    let absent = Captured("list", folder + "none.aar")
    #expect(
      absent.messages == "Error: cannot open '\(folder)none.aar': No such file or directory\n")
  }

  @Test
  func `info prints the manifest, the container and the contents`() {
    let run = Captured("info", folder + "a.aar")
    #expect(run.ending == .status(.done))
    for line in [
      "Pack        sample", "Policy      on demand", "Platforms   all",
      "Container   lzfse, blocks of 256 bytes", "Contents    4 files, 2 folders, 72 bytes",
    ] {
      #expect(run.output.contains(line + "\n"))
    }
    #expect(run.output.contains(".json"))
    #expect(run.output.contains("incompressible"))
  }

  @Test
  func `info has no percentage for groups that share their blocks with others`() throws {
    func kinds(_ files: [String: [UInt8]]) throws -> [String: Substring] {
      let temporary = try TemporaryFolder()
      for (name, bytes) in files { try temporary.makeFile("Assets/\(name)", bytes) }
      try temporary.makeFile(
        "p.json",
        #"{"assetPackID": "p", "downloadPolicy": {"onDemand": {}}, "#
          + #""fileSelectors": [{"directory": "Assets"}], "platforms": []}"#
      )
      let pack = Captured(
        "pack", temporary.path("p.json"), "--source-root", temporary.path, "-o",
        temporary.path("p.aar"))
      #expect(pack.ending == .status(.done), "\(pack.messages)")
      let lines = Captured("info", temporary.path("p.aar")).output.split(separator: "\n")
      let table = lines.drop { !$0.hasPrefix("Kind") }.dropFirst()
      return Dictionary(
        table.map { (String($0.prefix { $0 != " " }), $0) }, uniquingKeysWith: { first, _ in first }
      )
    }
    let text = Array(String(repeating: "All rights reserved. ", count: 400).utf8)
    var random = Seeded(seed: 4)
    let mixed = try kinds(["LICENSE": text, "hero.png": random.noise(2000)])
    #expect(mixed.count == 2)
    for line in mixed.values {
      #expect(line.hasSuffix("in shared blocks") && !line.contains("%"), "\(line)")
    }
    // Files of one group may share their blocks.
    let alike = try kinds(["a.txt": text, "b.txt": text])
    #expect(alike[".txt"]?.hasSuffix(" %") == true, "\(alike)")
    // The end of a large file shares its last block.
    let large = try kinds(["LICENSE": text, "a.wav": [UInt8](repeating: 3, count: 20_000_000)])
    #expect(large[".wav"]?.hasSuffix(" %") == true, "\(large)")
  }

  @Test
  func `info --format json writes one object`() {
    let run = Captured("info", "--format", "json", folder + "a.aar")
    #expect(run.output.contains("\"compression\": \"lzfse\""))
    #expect(run.output.contains("\"contentSize\": 72"))
    #expect(run.output.contains("\"assetPackID\": \"sample\""))
    #expect(run.output.contains("\"problem\": null"))
  }

  @Test
  func `list accepts files and folders, and prints the path of each of several packs`() throws {
    let (a, b) = (folder + "a.aar", folder + "B.AAR")
    try temporary.makeFile("B.AAR", PackBytes.sample.stream)
    #expect(
      Captured("list", a, "./Levels/", "run.sh").output
        == "Levels/one.json\nLevels/two.json\nrun.sh\n")
    #expect(
      Captured("list", "--all", a, "Contents/Levels").output
        == "Contents/Levels\nContents/Levels/one.json\nContents/Levels/two.json\n")
    let both = Captured("list", a, b, "run.sh", "日本.txt")
    #expect(both.output == "\(a):\nrun.sh\n日本.txt\n\n\(b):\nrun.sh\n日本.txt\n")
    #expect(both.ending == .status(.done))
    let json = Captured("list", a, b, "run.sh", "--format", "json").output.split(separator: "\n")
    #expect(json.map { $0.hasPrefix("{\"pack\":\"\(a)\"") } == [true, false])
    let missing = Captured("list", a, "Level", "run.sh")
    #expect(missing.ending == .status(.failed))
    #expect(missing.output == "run.sh\n")
    #expect(
      missing.messages
        == "Error: '\(a)' does not contain 'Level'\n"
        + "hint: 'ba-package list \(a)' lists the contents\n"
    )
    #expect(
      Captured("list", a, b, "no").messages == "Error: none of the 2 packs contains 'no'\n")
  }

  @Test
  func `one unreadable pack does not stop the others`() {
    let (none, a) = (folder + "none.aar", folder + "a.aar")
    for command in ["list", "info"] {
      let run = Captured(command, none, a)
      #expect(run.ending == .status(.failed))
      #expect(run.messages == "Error: cannot open '\(none)': No such file or directory\n")
      #expect(run.output.hasPrefix("\(a):\n"))
    }
  }

  @Test
  func `list --digests writes input for sha256sum`() throws {
    var pack = PackBytes.beginning
    pack.addFile("Contents/a", Array("abc".utf8))
    pack.addFile("Contents/b\\\n\rc", [])
    try temporary.makeFile("d.aar", pack.container(blockSize: 50))
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for threads in [[], ["--threads", "1"], ["--threads", "3"]] {
      let run = Captured(["list", "--digests", folder + "d.aar"] + threads)
      #expect(run.output == "\(abc)  a\n\\\(none)  b\\\\\\n\\rc\n")
    }
    let long = Captured("list", "-l", "--digests", folder + "d.aar", "a").output
    #expect(long == "-rw-r--r--             3  2001-01-01T00:00:00Z  \(abc)  a\n")
    let json = Captured("list", "--digests", folder + "d.aar", "a", "--format", "json").output
    #expect(json.hasSuffix(",\"sha256\":\"\(abc)\"}\n"))
    #expect(Captured("list", folder + "d.aar", "--threads", "2").ending == .status(.usage))
  }

  @Test
  func `names of any bytes are unambiguous in JSON, and can be decoded`() throws {
    let names: [[UInt8]] = [
      Array("a\nb".utf8), Array(#"a\x0Ab"#.utf8), [0x61, 0xFF, 0x62], Array(#"a\xFFb"#.utf8),
      [0x1B, 0x5B], Array("e\u{301}".utf8), Array("\u{E9}".utf8), Array("\"\\/".utf8),
    ]
    var pack = PackBytes.beginning
    for name in names {
      pack.add(
        type: "F",
        [PackBytes.path(Array("Contents/".utf8) + name), Array("DATB".utf8) + [0, 0, 0, 0]])
    }
    pack.add(
      type: "L",
      [PackBytes.path("Contents/link"), Array("LNKP".utf8) + [2, 0, 0x2F, 0xFF]])
    try temporary.makeFile("n.aar", pack.stream)
    let lines = Captured("list", "--all", folder + "n.aar", "--format", "json").output
      .split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    func bytes(_ key: String, _ line: [String: Any]) -> [UInt8]? {
      if let text = line[key + "Base64"] as? String {
        return Data(base64Encoded: text).map(Array.init)
      }
      return (line[key] as? String).map { Array($0.utf8) }
    }
    let prefix = Array("Contents/".utf8)
    #expect(
      lines.compactMap { bytes("path", $0) }.dropFirst(2).dropLast()
        == names.map { prefix + $0 }[...])
    #expect(
      lines.compactMap { bytes("archivePath", $0) }.dropFirst(2).dropLast()
        == names.map { prefix + $0 }[...])
    #expect(lines.last.flatMap { bytes("linkTarget", $0) } == [0x2F, 0xFF])
  }

  @Test
  func `the type of an archive is checked before any output`() throws {
    var pack = PackBytes()
    pack.addFolder("")
    pack.addFile("Movies/a", [1, 2, 3])
    try temporary.makeFile("g.aar", pack.container())
    let path = folder + "g.aar"
    for format in ["text", "json"] {
      let list = Captured("list", path, "--format", format)
      let words = "Error: '\(path)' is not an asset pack: 'Contents' is missing; "
      #expect(list.ending == .status(.failed))
      let remedy = "hint: 'list --all' lists the raw entries, 'extract --all' extracts them\n"
      #expect(list.messages == words + "it has 2 entries\n" + remedy)
      #expect(list.output.isEmpty)
      let info = Captured("info", path, "--format", format)
      #expect(info.ending == .status(.failed))
      #expect(info.messages == list.messages)
      #expect(info.output.isEmpty)
      #expect(Captured("list", "--all", path, "--format", format).ending == .status(.done))
    }
    for (name, bytes) in [
      (
        "garbage",
        PackBytes.containerStart(blockSize: 1 << 20)
          + PackBytes.block(raw: 4, stored: 4, Array("none".utf8))
      ),
      ("nothing", PackBytes.containerStart(blockSize: 1 << 20)),
    ] {
      try temporary.makeFile(name, bytes)
      for command in ["list", "info"] {
        let run = Captured(command, folder + name)
        #expect(run.ending == .status(.failed))
        #expect(run.output.isEmpty)
        #expect(run.messages.split(separator: "\n").count == 1)
      }
    }
  }

  @Test
  func `times near the ends of 64 bits are listed`() throws {
    var pack = PackBytes.beginning
    for (name, time) in [("first", Int.min), ("last", .max)] {
      pack.add(
        type: "F",
        [
          PackBytes.path("Contents/" + name), Array("MTMS".utf8) + PackBytes.little(time, 8),
          Array("CTMT".utf8) + PackBytes.little(time, 8) + PackBytes.little(999_999_999, 4),
          Array("DATB".utf8) + [0, 0, 0, 0],
        ])
    }
    try temporary.makeFile("t.aar", pack.stream)
    let text = Captured("list", "-l", folder + "t.aar").output
    #expect(text.contains("-292277022657-01-27T08:29:52Z  first\n"))
    #expect(text.contains("+292277026596-12-04T15:30:07Z  last\n"))
    let json = Captured("list", folder + "t.aar", "--format", "json").output
    #expect(json.contains("\"created\":\"+292277026596-12-04T15:30:07.999999999Z\""))
    let export = Captured("extract", folder + "t.aar", "-o", folder + "t.zip")
    #expect(export.ending == .status(.done))
    #expect(
      export.messages.hasPrefix(
        "Warning: 2 timestamps outside the range of '\(folder)t.zip', 1970-01-01T00:00:00Z to "
          + "2106-02-07T06:28:15Z, were changed to the nearest limit\n"))
    #expect(Captured("extract", folder + "t.aar", "-o", folder + "out").ending == .status(.done))
  }

  @Test(arguments: ["a\u{A0}b", "a\u{202E}b", "a\u{10FF80}b"])
  func `a program reads the exact bytes of a name`(_ name: String) throws {
    var pack = PackBytes.beginning
    for file in ["x/\(name)", "y/\(name)"] { pack.addFile("Contents/\(file)", [1, 2, 3]) }
    pack.addFile(
      "Manifest.json",
      Array(
        (#"{"assetPackID": "p", "downloadPolicy": {"onDemand": {}}, "fileSelectors": "#
          + #"[{"directory": "."}], "platforms": []}"#).utf8))
    try temporary.makeFile("names.aar", pack.container())
    let path = folder + "names.aar"
    #expect(Captured("list", path).output == "x/\(name)\ny/\(name)\n")
    #expect(Captured("list", path, "--long").output.contains("  x/\(name)\n"))
    #expect(Captured("list", path, "--digests").output.contains("  x/\(name)\n"))
    #expect(Captured("list", path, "--duplicates").output.contains(": x/\(name)\n"))
    for options in [[], ["--duplicates"]] {
      let json = Captured(["list", path, "--format", "json"] + options).output
      #expect(json.contains(#""path":"x/\#(name)""#), "\(json)")
    }
    for format in ["json", "csv", "cyclonedx"] {
      let report = Captured("report", path, "--format", format).output
      #expect(report.contains("x/\(name)"), "\(format)")
    }
    // The same in a file, and for the path of the archive.
    let (place, json) = ("\(name)/\(name).aar", folder + "report.json")
    try temporary.makeFile(place, pack.container())
    for format in ["csv", "cyclonedx"] {
      let written = Captured("report", path, "--format", format, "-o", folder + format)
      #expect(written.ending == .status(.done), "\(written.messages)")
      let text = String(decoding: try temporary.contents(format), as: UTF8.self)
      #expect(text.contains("x/\(name)"), "\(format): \(text)")
    }
    func operand(_ path: String) -> String { FilePath(Array((folder + path).utf8)).text }
    let run = Captured("report", operand(name), "--format", "json", "--output-path", json)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      String(decoding: try temporary.contents("report.json"), as: UTF8.self)
        .contains(#""place":"\#(folder)\#(place)""#))
    #expect(
      Captured("list", operand(place), "--duplicates", "--format", "json").output
        .contains(#""pack":"\#(folder)\#(place)""#))
    _ = Captured("verify", operand(place), "--junit", folder + "junit.xml")
    #expect(
      String(decoding: try temporary.contents("junit.xml"), as: UTF8.self)
        .contains(#"classname="\#(folder)\#(place)""#))
  }

  @Test
  func `info shows several packs, and one object a line of each`() throws {
    let (a, b) = (folder + "a.aar", folder + "b.aar")
    try temporary.makeFile("b.aar", PackBytes.sample.stream)
    let text = Captured("info", a, b).output
    #expect(text.hasPrefix("\(a):\nPack        sample\n"))
    #expect(text.contains("\n\n\(b):\nPack        sample\n"))
    let json = Captured("info", a, b, "--format", "json").output.split(separator: "\n")
    #expect(json.map { $0.hasPrefix("{\"path\":") } == [true, true])
  }
}
