import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

// Packs of a project that several machines create, and other commands that read its packs.

extension ProjectCommandTests {
  // MARK: Several machines

  @Test
  func `all shards of a project together have the packs and the bytes of one run`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let whole = run("pack", "--record-sizes", in: folder)
    #expect(whole.ending == .status(.done), "\(whole.messages)")
    #expect(
      String(decoding: try folder.contents("game/ba-package.sizes.json"), as: UTF8.self)
        == """
        {
          "format": 1,
          "packs": {
            "cave": 6,
            "forest": 8
          }
        }

        """)
    var counts: [String] = []
    for part in 1...3 {
      let run = run(
        "pack", "--shard", "\(part)/3", "-o", folder.path("collected/\(part)"), in: folder)
      #expect(run.ending == .status(.done), "\(run.messages)")
      counts.append(run.messages.split(separator: "\n").first.map(String.init) ?? "")
    }
    #expect(
      counts == [
        "Shard 1 of 3: 1 of 2 packs", "Shard 2 of 3: 1 of 2 packs", "Shard 3 of 3: 0 of 2 packs",
      ])
    #expect(
      try folder.contents("collected/1/forest.aar")
        == folder.contents("game/build/packs/forest.aar"))
    #expect(
      try folder.contents("collected/2/cave.aar") == folder.contents("game/build/packs/cave.aar"))
    let all = run("verify", "--all-shards", folder.path("collected"), in: folder)
    #expect(all.ending == .status(.done), "\(all.messages)")
    // One machine failed, another packed more than its shard, and an old pack exists.
    try folder.makeFile("collected/3/forest.aar", try folder.contents("collected/1/forest.aar"))
    try folder.remove("collected/2/cave.aar")
    let text = try String(contentsOfFile: folder.path("game/Packs/cave.json"), encoding: .utf8)
    try folder.makeFile("old.json", text.replacing("\"cave\", \"d", with: "\"old\", \"d"))
    let old = Captured(
      "pack", folder.path("old.json"), "-o", folder.path("collected"), "--source-root",
      folder.path("game"))
    #expect(old.ending == .status(.done), "\(old.messages)")
    let wrong = run("verify", "--all-shards", folder.path("collected"), in: folder)
    #expect(wrong.ending == .status(.failed))
    for id in ["shards.missing", "shards.twice", "shards.foreign"] {
      #expect(wrong.messages.contains("[\(id)]"), "\(wrong.messages)")
    }
  }

  @Test
  func `the sizes of unchanged and of new packs are recorded`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    try folder.makeFile("game/cave/map.txt", "a deeper cave")
    let second = run("pack", "--update", "--record-sizes", in: folder)
    #expect(second.ending == .status(.done), "\(second.messages)")
    #expect(second.messages.contains("1 packed, 1 unchanged\n"))
    let place = ProjectPlace(named: folder.path("game"))
    let sizes = try PackSizes(for: place)
    #expect(sizes[PackID("cave")] == 13)
    #expect(sizes[PackID("forest")] == 8)
    try folder.remove("game/ba-package.sizes.json")
    #expect(run("pack", "--update", "--record-sizes", in: folder).messages.contains("0 packed, 2 "))
    #expect(try PackSizes(for: place) == sizes)
  }

  @Test(arguments: [
    ("pack a.json -o b --record-sizes", "'--record-sizes' records all packs of a project"),
    ("pack --shard 3/2 a.json -o b", "The value '3/2' is invalid for '--shard <shard>'"),
    ("verify --all-shards a", "'--all-shards' requires a project file"),
  ])
  func `an option of projects is an error without a project`(_ line: String, _ message: String) {
    let run = Captured(line.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)"), "\(run.messages)")
  }

  // MARK: Other commands

  @Test
  func `serve, simulate and upload use the project's packs, which must exist`() throws {
    let folder = try TemporaryFolder()
    try Self.make(#""output": "o", "primaryLanguage": "en", "hosting": "apple""#, in: folder)
    for arguments in [["serve"], ["simulate"], ["upload", "--app", "1"]] {
      let run = Captured(
        arguments + ["--project", folder.path("game")],
        environment: ["ASC_KEY_ID": "K", "ASC_ISSUER_ID": "I", "ASC_KEY": "k"])
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages
          == """
          Error: there is no '\(folder.path("game/o/cave.aar"))', which is a pack of the project
          hint: 'ba-package pack' builds the packs of the project

          """)
    }
    #expect(run("pack", in: folder).ending == .status(.done))
    let simulated = run("simulate", in: folder)
    #expect(simulated.ending == .status(.done), "\(simulated.messages)")
    #expect(Captured("simulate", "--explain").ending == .status(.done))
    #expect(Captured("simulate").ending == .status(.usage))
  }

  @Test(.mustEnd)
  func `upload uses the app of the project file, but never its server`() throws {
    let site = try MockedService()
    try site.pack("cave")
    try site.folder.makeFile(
      "ba-package.json",
      #"""
      {"packs": ["cave.json"], "output": ".", "appStore": {"app": "\#(MockedService.bundleID)"}}
      """#)
    let run = Captured(
      ["upload", "--project", site.folder.path], columns: 100, environment: site.environment)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("1 uploaded, 0 skipped; "))
    let list = Captured(
      ["app-store", "list", "--project", site.folder.path], columns: 100,
      environment: site.environment)
    #expect(list.output.contains("cave"), "\(list.messages)")
    try site.folder.makeFile(
      "other/ba-package.json",
      #"{"packs": ["a"], "appStore": {"app": "x", "url": "https://evil.example.com"}}"#)
    let refused = Captured(
      ["app-store", "list", "--project", site.folder.path("other")],
      environment: site.environment)
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("has errors"))
  }

  @Test
  func `the keys of an app include the packs of the only platform of the project`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      #"""
      "output": "o", "selfHosting": {"urlTemplate": "https://a.example.com/{id}",
        "manifests": {"macOS": "o/macos.json"}}
      """#, in: folder)
    try folder.makeFile(
      "game/Packs/cave.json",
      #"""
      {"assetPackID": "cave", "downloadPolicy": {"essential": {"installationEventTypes":
       ["firstInstallation"]}}, "fileSelectors": [{"directory": "cave"}], "platforms": ["iOS"]}
      """#)
    let unmade = run("download-manifest", "info-plist", in: folder)
    #expect(unmade.messages.contains("which is a pack of the project"))
    #expect(run("pack", in: folder).ending == .status(.done))
    let plist = run("download-manifest", "info-plist", "--format", "json", in: folder)
    #expect(plist.ending == .status(.done), "\(plist.messages)")
    #expect(plist.messages.contains("cave.aar' is not for macOS and is ignored"))
    let iOS = run("download-manifest", "info-plist", "--ios", in: folder)
    #expect(!iOS.messages.contains("left out"))
    try Self.make(#""output": "o""#, in: folder)
    let nowhere = run("download-manifest", "info-plist", "--ios", in: folder)
    #expect(nowhere.ending == .status(.usage))
    #expect(nowhere.messages.contains("the URL of the packs is not specified"))
  }

  @Test
  func `download manifests are created, updated and checked for each platform of the project`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(
      #"""
      "output": "o", "hosting": "self", "selfHosting": {
        "baseURL": "https://downloads.example.com/packs", "urlTemplate": "{base}/{id}.aar",
        "manifests": {"iOS": "o/ios.json", "macOS": "o/macos.json"}}
      """#, in: folder)
    #expect(run("pack", in: folder).ending == .status(.done))
    let created = run("download-manifest", "create", in: folder)
    #expect(created.ending == .status(.done), "\(created.messages)")
    for name in ["ios", "macos"] {
      let text = String(decoding: try folder.contents("game/o/\(name).json"), as: UTF8.self)
      #expect(text.contains("https://downloads.example.com/packs/cave.aar"))
      #expect(text.contains("https://downloads.example.com/packs/forest.aar"))
    }
    #expect(run("download-manifest", "check", in: folder).ending == .status(.done))
    try folder.makeFile("game/cave/map.txt", "another cave")
    #expect(run("pack", "--force", in: folder).ending == .status(.done))
    #expect(run("download-manifest", "check", "--ios", in: folder).ending == .status(.failed))
    let updated = run("download-manifest", "update", "--ios", in: folder)
    #expect(updated.ending == .status(.done), "\(updated.messages)")
    #expect(run("download-manifest", "check", "--ios", in: folder).ending == .status(.done))
    #expect(run("download-manifest", "check", "--macos", in: folder).ending == .status(.failed))
    #expect(run("download-manifest", "check", "--tvos", in: folder).ending == .status(.usage))
    // The keys for the app; options take precedence.
    let plist = run("download-manifest", "info-plist", "--ios", in: folder)
    #expect(plist.ending == .status(.done), "\(plist.messages)")
    #expect(plist.output.contains("<string>downloads.example.com</string>"))
    let elsewhere = run(
      "download-manifest", "info-plist", folder.path("game/o/cave.aar"), "--download-base-url",
      "https://other.example.com", in: folder)
    #expect(elsewhere.output.contains("<string>other.example.com</string>"))
    #expect(!elsewhere.output.contains("downloads.example.com"))
    // A given output takes precedence, and belongs to one platform.
    let named = run(
      "download-manifest", "create", "--ios", "-o", folder.path("mine.json"), in: folder)
    #expect(named.ending == .status(.done), "\(named.messages)")
    #expect(
      run("download-manifest", "create", "-o", folder.path("two.json"), in: folder).ending
        == .status(.failed))
  }
}
