// Long because the scenarios and devices of all tests use the same three packs.
import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

/// Returns a pack with files of one byte each, written byte by byte.
private func archive(
  _ id: String, _ policy: String, files: [String], language: String? = nil,
  platforms: [String] = [], filler: Int = 0
) -> [UInt8] {
  let names = platforms.map { "\"\($0)\"" }.joined(separator: ", ")
  var pack = PackBytes.beginning
  for file in files { pack.addFile("Contents/\(file)", [UInt8](repeating: 120, count: filler + 1)) }
  let tag = language.map { #", "language": "\#($0)""# } ?? ""
  pack.addFile(
    "Manifest.json",
    Array(
      (#"{"assetPackID": "\#(id)", "downloadPolicy": \#(policy), "fileSelectors": "#
        + #"[{"directory": "."}], "platforms": [\#(names)]\#(tag)}"#)
        .utf8))
  return pack.container()
}

private let essential = #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#
private let prefetch =
  #"{"prefetch": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#
private let onDemand = #"{"onDemand": {}}"#

@Suite("simulate")
final class SimulateTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, size) in [("1.0", 0), ("1.1", 10)] {
      try folder.makeFile(
        "\(name)/tutorial.aar", archive("tutorial", essential, files: ["Levels/tutorial.json"]))
      try folder.makeFile(
        "\(name)/cave.aar", archive("cave", onDemand, files: ["Levels/map.json"], filler: size))
      try folder.makeFile(
        "\(name)/es.aar", archive("voices-es", prefetch, files: ["door.wav"], language: "es-US"))
    }
  }

  private func path(_ name: String) -> String { folder.path(name) }

  @Test func `a scenario as an operand is an error that names the option`() {
    let run = Captured("simulate", "update.scenario")
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("'update.scenario' is a scenario, not a pack"))
    #expect(run.messages.contains("--scenario update.scenario"))
  }

  @Test
  func `an installation is printed with its language, on-demand packs, and undocumented rules`() {
    let run = Captured(
      "simulate", path("1.0"), "--language", "es-MX", "--language", "en", "--free", "4G",
      "--bandwidth", "50mbit")
    #expect(run.ending == .status(.done))
    #expect(run.messages == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("install      tutorial   "))
    #expect(lines[0].contains("essential: the app can be opened after 1 s"))
    #expect(
      lines[1] == "language     es-MX -> es-US (same language and script; another region)  ?")
    #expect(lines[2].hasPrefix("             voices-es  "))
    #expect(lines[3].hasPrefix("on demand    cave "))
    #expect(lines[4].hasPrefix("disk         2 bytes of 4.00 GB"))
    #expect(lines[5].hasPrefix("2 packs, "))
    #expect(lines[5].contains(" in the first minute.   3 rules are undocumented: "))
  }

  @Test func `a scenario fails at the lines of its failed expectations`() throws {
    try folder.makeFile(
      "game.scenario",
      """
      release \(path("1.0"))
      install
      request cave
      release \(path("1.1"))
      check-for-updates
      expect updated cave costing <= 1K
      expect updated tutorial
      expect cost <= 1
      """)
    let run = Captured(
      "simulate", "--scenario", path("game.scenario"), "--junit", path("report.xml"))
    #expect(run.ending == .status(.failed))
    let file = path("game.scenario")
    #expect(
      run.messages.contains("\(file):7:1: error: 'expect updated tutorial' failed: "))
    #expect(run.messages.contains("\(file):8:1: error: "))
    #expect(!run.messages.contains("\(file):6:1"))
    #expect(run.messages.contains("3 expectations: 2 errors"))
    #expect(run.output.contains("FAILED  expect updated tutorial: "))
    let report = String(decoding: try folder.contents("report.xml"), as: UTF8.self)
    #expect(report.contains("tests=\"3\" failures=\"2\" errors=\"0\""))
  }

  @Test func `--format json is one object with every event and its rules`() throws {
    try folder.makeFile("s", "install\nexpect downloaded cave\n")
    let run = Captured(
      "simulate", path("1.0"), "--scenario", path("s"), "--format", "json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let steps = try #require(object["steps"] as? [[String: Any]])
    let events = try #require(steps[0]["events"] as? [[String: Any]])
    #expect(events.contains { $0["event"] as? String == "downloaded" })
    #expect(events.allSatisfy { $0["rules"] is [String] })
    #expect(object["failed"] as? Int == 1)
    let plain = Captured("simulate", path("1.0"), "--format", "json")
    let device = try JSONSerialization.jsonObject(with: Data(plain.output.utf8)) as? [String: Any]
    #expect((device?["device"] as? [String: Any])?["os"] as? Int == 27)
  }

  @Test func `a download manifest determines the downloads, but has no contents`() throws {
    try folder.makeFile(
      "m.json",
      """
      {"assetPacks": [{"id": "tutorial", "url": "https://a.example/tutorial", "version": 3,
        "downloadSize": 596, "downloadPolicy": \(essential), "host": {"thirdParty": {}}}]}
      """)
    try folder.makeFile("s", "install\nexpect downloaded tutorial\nexpect readable a.txt\n")
    let run = Captured("simulate", path("m.json"), "--scenario", path("s"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("'a.txt' is unknown: no packs were specified"))
    #expect(Captured("simulate", path("m.json")).output.contains("596 bytes"))
  }

  @Test func `extreme numbers are printed, and cause no crash`() throws {
    let size = "9223372036854775807"
    let packs = ["a", "b", "c", "d", "e", "f"].map { id in
      """
      {"id": "\(id)", "url": "https://a.example/\(id)", "version": \(size), "downloadSize": \(size),
       "downloadPolicy": \(id < "d" ? essential : onDemand), "host": {"thirdParty": {}}}
      """
    }
    try folder.makeFile("huge.json", #"{"assetPacks": [\#(packs.joined(separator: ", "))]}"#)
    for more in [[], ["--bandwidth", "1kbit"], ["--free", "18446744073709551615"], ["--explain"]] {
      let run = Captured(["simulate", path("huge.json")] + more)
      #expect(run.output.contains("9.22 EB"), "\(run.messages)")
    }
    try folder.makeFile(
      "s",
      """
      device bandwidth 1kbit
      fault *: stall 9000s
      install
      launch
      wait 10000 weeks
      check-for-updates
      launch
      wait 10000 weeks
      expect cost <= 18446744073709551615
      """)
    let arguments = ["simulate", path("huge.json")]
    let run = Captured(arguments + ["--scenario", path("s"), "--format", "json"])
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(Captured(arguments).ending == .status(.done))
  }

  @Test func `with --explain, --format json prints one object`() throws {
    try folder.makeFile("s", "install\nexpect downloaded tutorial\n")
    for arguments in [
      ["--explain"], [path("1.0"), "--explain"],
      [path("1.0"), "--explain", "--scenario", path("s")],
      [path("1.0"), "--explain", "--matrix", "languages"],
    ] {
      let run = Captured(["simulate", "--format", "json"] + arguments)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
        "\(arguments)")
      let rules = try #require(object["rules"] as? [[String: Any]])
      #expect(rules.count > 2 && rules.allSatisfy { $0["statement"] is String })
    }
  }

  @Test func `a failed installation is an error at its line in every report`() throws {
    try folder.makeFile(
      "s", "release https://localhost:9\ninstall\nexpect essential <= 200M\nexpect not downloaded a"
    )
    let run = Captured("simulate", "--scenario", path("s"), "--junit", path("report.xml"))
    #expect(run.ending == .status(.failed))
    for line in ["s:2:1: error: the app is not installed: no manifest: ", "s:3:1: ", "s:4:1: "] {
      #expect(run.messages.contains(line), "\(run.messages)")
    }
    #expect(run.output.contains("FAILED  install: the app is not installed"))
    let report = String(decoding: try folder.contents("report.xml"), as: UTF8.self)
    #expect(report.contains("tests=\"3\" failures=\"2\" errors=\"1\""))
    try folder.makeFile(
      "t",
      "device free 100 essential-failure blocks-launch\ninstall\nexpect app not installed")
    #expect(
      Captured("simulate", path("1.0"), "--scenario", path("t")).ending == .status(.done))
    try folder.makeFile("u", "# nothing\n")
    let empty = Captured("simulate", path("1.0"), "--scenario", path("u"))
    #expect(empty.ending == .status(.failed))
    #expect(empty.messages.contains("[scenario.empty]"))
  }

  @Test func `versions only increase when a release returns, with any spelling of its path`() throws
  {
    try folder.makeFile(
      "s",
      """
      release \(path("1.0"))
      install
      request cave
      release \(path("1.1"))
      check-for-updates
      expect updated cave
      release \(path("1.0"))/.
      check-for-updates
      expect updated cave
      expect not updated tutorial
      release \(path("1.0"))
      check-for-updates
      expect not updated cave
      """)
    let run = Captured("simulate", "--scenario", path("s"), "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains(#""id":"cave","version":2"#))
  }

  @Test func `addresses in a manifest receive no requests if another release is on a server`()
    throws
  {
    try folder.makeFile(
      "m.json",
      """
      {"assetPacks": [{"id": "tutorial", "url": "https://localhost:9/tutorial", "version": 3,
        "downloadSize": 596, "downloadPolicy": \(essential), "host": {"thirdParty": {}}}]}
      """)
    try folder.makeFile(
      "s",
      "release \(path("m.json"))\ninstall\nexpect downloaded tutorial\nrelease "
        + "https://localhost:9\nupdate-app\nexpect app not updated\n")
    let run = Captured("simulate", "--scenario", path("s"))
    #expect(run.ending == .status(.done), "\(run.messages)")
  }

  @Test func `the help of scenarios lists all comparison operators`() {
    let help = Captured("help", "scenarios").output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("'<=', '>=', '<', '>' and '='"), "\(help)")
  }

  @Test func `a scenario can be read from standard input`() throws {
    let run = Captured(
      "simulate", path("1.0"), "--scenario", "-", input: "install\nexpect downloaded cave\n")
    #expect(run.messages.contains("<stdin>:2:1: error: 'expect downloaded cave' failed"))
  }

  @Test(arguments: [true, false])
  func `an unreadable release is a failed request of the device, in a folder and by address`(
    isFolder: Bool
  ) throws {
    let nowhere = isFolder ? path("nowhere") : "https://localhost:9"
    let reason = isFolder ? "cannot examine '\(nowhere)': " : ""
    func play(_ text: String) throws -> Captured {
      try folder.makeFile("s", text)
      return Captured("simulate", "--scenario", path("s"))
    }
    // A step that fails is reported at its line, and the others are run.
    let failed = try play("release \(nowhere)\ninstall\nrelease \(path("1.0"))\ninstall\n")
    #expect(failed.ending == .status(.failed))
    #expect(
      failed.messages.contains("s:2:1: error: the app is not installed: no manifest: \(reason)"),
      "\(failed.messages)")
    #expect(failed.messages.contains("0 expectations: 1 error"), "\(failed.messages)")
    #expect(failed.output.contains("downloaded  tutorial"), "\(failed.output)")
    // The failure can be expected.
    let expected = try play(
      "release \(path("1.0"))\ninstall\nrelease \(nowhere)\nupdate-app\nexpect app not updated\n")
    #expect(expected.ending == .status(.done), "\(expected.messages)")
    // A release that no installation requests is reported at its own line.
    for steps in ["", "check-for-updates\n"] {
      let unused = try play("release \(path("1.0"))\ninstall\nrelease \(nowhere)\n\(steps)")
      #expect(unused.ending == .status(.failed))
      #expect(unused.messages.contains("s:3:1: error: \(reason)"), "\(unused.messages)")
      #expect(unused.messages.contains("[scenario.release]"))
    }
  }

  @Test func `paths that are equal on a Mac are reported`() throws {
    try folder.makeFile("mac/a.aar", archive("a", essential, files: ["Hero.png"]))
    try folder.makeFile("mac/b.aar", archive("b", essential, files: ["hero.png"]))
    let mac = Captured("simulate", path("mac"), "--platform", "macOS")
    #expect(
      mac.output.contains(
        "ambiguous    'Hero.png' and 'hero.png' are in 'a' and 'b', and may be one file  ?"))
    #expect(!Captured("simulate", path("mac")).output.contains("ambiguous"))
  }

  @Test func `archives that a manifest lists are checked against the platform`() throws {
    try folder.makeFile(
      "mixed/phone.aar", archive("phone", essential, files: ["a"], platforms: ["iOS"]))
    try folder.makeFile("mixed/all.aar", archive("all", essential, files: ["b"]))
    let listed = try ["phone", "all"].map { id in
      """
      {"id": "\(id)", "url": "https://a.example/\(id)", "version": 1, "host": {"thirdParty": {}},
       "downloadSize": \(try folder.contents("mixed/\(id).aar").count), "downloadPolicy": \
       \(essential)}
      """
    }
    try folder.makeFile("dm.json", #"{"assetPacks": [\#(listed.joined(separator: ", "))]}"#)
    let mac = Captured(
      "simulate", path("dm.json"), path("mixed"), "--platform", "macOS", "--format", "json")
    #expect(mac.ending == .status(.done), "\(mac.messages)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(mac.output.utf8)) as? [String: Any])
    let events = try #require(object["events"] as? [[String: Any]])
    let downloads = events.filter { $0["event"] as? String == "downloaded" }
    #expect(downloads.map { $0["pack"] as? String } == ["all"])
    #expect((downloads[0]["rules"] as? [String])?.contains("platform-none") == true)
    let text = Captured("simulate", path("dm.json"), path("mixed"), "--platform", "macOS").output
    #expect(text.contains("the manifest lists 'phone' for macOS, but its archive is for iOS  ?"))
    let phone = Captured("simulate", path("dm.json"), path("mixed"))
    #expect(phone.output.contains("phone"))
    let matrix = Captured("simulate", path("dm.json"), path("mixed"), "--matrix", "platforms")
    let rows = matrix.output.split(separator: "\n").dropFirst().prefix(4)
      .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    #expect(rows == ["iOS none 2", "macOS none 1", "tvOS none 1", "visionOS none 1"])
  }

  @Test func `languages are compared in a table`() {
    let run = Captured(
      "simulate", path("1.0"), "--matrix", "languages", "--primary-language", "es-US")
    #expect(
      run.output.hasPrefix("language  resolved  packs  essential  prefetch  "))
    #expect(run.output.contains("\nes-US     es-US     2 "))
  }

  @Test func `the reason why a device has a pack or not is printed`() throws {
    func why(_ arguments: String...) -> String {
      Captured(["simulate", path("1.0")] + arguments).output
    }
    let old = why("--os", "26", "--language", "es-US", "--why", "voices-es")
    #expect(
      old.contains("\n'voices-es' is not on the device: iOS 26 receives no localized packs\n"))
    #expect(old.contains("\n    Systems before version 27 receive no localized packs.\n"))
    #expect(
      why("--why", "cave").contains(
        "\n'cave' is not on the device: it is on demand, and the app has not requested it\n"))
    #expect(
      why("--why", "tutorial").contains("\n'tutorial' is on the device: its policy is essential\n"))
    #expect(
      why("--language", "fr", "--why", "voices-es").contains(
        "'voices-es' is not on the device: it is for 'es-US', but no pack has a language of the "
          + "device"
      ))
    #expect(
      why("--why", "nothing").contains(
        "'nothing' is not on the device: the release offers no such pack"))
    let json = why("--os", "26", "--why", "voices-es", "--format", "json")
    #expect(json.contains(#""reason":"iOS 26 receives no localized packs""#), "\(json)")
  }

  @Test func `a system without localized packs has a row and a reason in the matrix`() {
    let run = Captured("simulate", path("1.0"), "--matrix", "languages", "--os", "26")
    #expect(run.output.contains("\nany, iOS 26  none "))
    #expect(run.output.hasSuffix("iOS 26 receives no localized packs.\n"), "\(run.output)")
  }

  @Test func `--explain lists every rule with its certainty and source`() {
    let all = Captured("simulate", "--explain").output
    #expect(all.contains("\n? low-storage  (L, no source; searched 2026-11-29)\n"))
    #expect(all.contains("  policy-essential  (H, Apple, 'Creating managed asset packs')\n"))
    let some = Captured("simulate", path("1.0"), "--explain").output
    #expect(some.contains("policy-essential"))
    #expect(!some.contains("low-storage"))
  }

  @Test func `conflicting options are errors`() throws {
    #expect(Captured("simulate").ending == .status(.usage))
    #expect(Captured("simulate", path("1.0"), "--os", "25").ending == .status(.usage))
    #expect(Captured("simulate", "--explain", "--matrix", "languages").ending == .status(.usage))
    #expect(Captured("simulate", path("1.0"), "--junit", "x").ending == .status(.usage))
    try folder.makeFile("empty/readme", "")
    let empty = Captured("simulate", path("empty"))
    #expect(empty.messages.contains("there are no packs in"))
    let twice = Captured("simulate", path("1.0"), path("1.1/cave.aar"))
    #expect(twice.messages.contains("both contain the pack 'cave'"))
    try folder.makeFile("x.aar", "no pack")
    #expect(Captured("simulate", path("x.aar")).ending == .status(.failed))
    try folder.makeFile("bad", "install now\n")
    #expect(
      Captured("simulate", path("1.0"), "--scenario", path("bad")).messages
        .contains("bad:1:9: error: 'install' takes no arguments [scenario.step]"))
  }

  @Test
  func `the five scenarios of the example game pass, and fail with a small budget`()
    throws
  {
    let examples = Checkout.file("Examples/Lantern").path(percentEncoded: false)
    let manifests = try FileManager.default.contentsOfDirectory(atPath: examples + "/Packs")
      .filter { $0.hasSuffix(".json") }.map { "\(examples)/Packs/\($0)" }
    for (into, time) in [("game", "2025-01-01"), ("next", "2026-01-01")] {
      let packed = Captured(
        ["pack"] + manifests + ["-o", path(into), "--timestamp", time, "--level", "fast"])
      #expect(packed.ending == .status(.done), "\(packed.messages)")
    }
    let packs = try FileManager.default.contentsOfDirectory(atPath: path("game"))
      .filter { $0.hasPrefix("lantern-") }.map { path("game/\($0)") }
    #expect(packs.count == 7)
    let names = try FileManager.default.contentsOfDirectory(atPath: examples + "/Scenarios")
      .sorted()
    #expect(names.count == 5)
    for name in names {
      let text = try String(contentsOfFile: examples + "/Scenarios/" + name, encoding: .utf8)
      try folder.makeFile(name, text.replacing("release next", with: "release \(path("next"))"))
      let run = Captured(["simulate"] + packs + ["--scenario", path(name)])
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
    let start = String(decoding: try folder.contents("first-start.scenario"), as: UTF8.self)
    try folder.makeFile("small", start.replacing("essential <= 200M", with: "essential <= 1K"))
    let run = Captured(["simulate"] + packs + ["--scenario", path("small")])
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("small:6:1: error: 'expect essential <= 1K' failed: "))
  }
}
