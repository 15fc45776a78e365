// Long because every kind of mapping and exclusion is tested with the same game.
import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// The selectors of a depot's mappings and exclusions, with and without the files.
@Suite struct SteamMappingTests {
  private static let game = [
    "game.exe", "game.pdb", "readme.txt", "data/a.pak", "data/b.pak", "data/deep/c.pak",
    "data/deep/notes.txt", "music/song.ogg", ".hidden", "tools/build.exe", "tools/x/y.exe",
    "toolset.txt", "data/[odd] na*me.pak",
  ]

  private static func mapping(_ local: String, _ depot: String, _ recursive: Int = 1) -> String {
    #""FileMapping" { "LocalPath" "\#(local)" "DepotPath" "\#(depot)" "Recursive" "#
      + #""\#(recursive)" }"#
  }

  private static let mappings: [(String, [String])] = [
    (mapping("*", "."), [#"{"directory":"."}"#]),
    (mapping("./*", "."), [#"{"directory":"."}"#]),
    (mapping("data\\\\*", "data\\"), [#"{"directory":"data"}"#]),
    (mapping("data/*", "."), [#"{"directorySource":"data","directoryDestination":"."}"#]),
    (mapping("data\\*", "paks"), [#"{"directorySource":"data","directoryDestination":"paks"}"#]),
    (mapping("*", "all\\"), [#"{"directorySource":".","directoryDestination":"all"}"#]),
    (mapping("data", "."), [#"{"directorySource":"data","directoryDestination":"."}"#]),
    (mapping("data\\", "data"), [#"{"directory":"data"}"#]),
    (mapping("*", ".", 0), [#"{"filePattern":"*"}"#, #"{"filePattern":".*"}"#]),
    (mapping("data\\*.pak", "data", 0), [#"{"filePattern":"data/*.pak"}"#]),
    (mapping("data\\*.pak", "data"), [#"{"filePattern":"data/**/*.pak"}"#]),
    (mapping("*.p?k", "."), [#"{"filePattern":"**/*.p?k"}"#]),
    (mapping("game.exe", "."), [#"{"file":"game.exe"}"#]),
    (
      mapping("data\\a.pak", "."),
      [#"{"fileSource":"data/a.pak","fileDestination":"a.pak"}"#]
    ),
    (
      mapping("data\\a.pak", "paks\\"),
      [#"{"fileSource":"data/a.pak","fileDestination":"paks/a.pak"}"#]
    ),
    (
      mapping("data\\a.pak", "first.pak"),
      [#"{"fileSource":"data/a.pak","fileDestination":"first.pak"}"#]
    ),
    (
      mapping("data\\a.pak", "data\\A.pak"),
      [
        #"{"fileSource":"data/a.pak","fileDestination":"data/A.pak"}"#
      ]
    ),
    (
      mapping("data\\*.pak", ".", 0),
      [
        #"{"fileSource":"data/[odd] na*me.pak","fileDestination":"[odd] na*me.pak"}"#,
        #"{"fileSource":"data/a.pak","fileDestination":"a.pak"}"#,
        #"{"fileSource":"data/b.pak","fileDestination":"b.pak"}"#,
      ]
    ),
    (
      mapping("d*\\deep\\*", "."),
      [
        #"{"fileSource":"data/deep/c.pak","fileDestination":"c.pak"}"#,
        #"{"fileSource":"data/deep/notes.txt","fileDestination":"notes.txt"}"#,
      ]
    ),
  ]

  @Test func `a file that cannot be packed is omitted, reported, and a difference from the input`()
    throws
  {
    let steam = try SteamFolder(["a.pak", "levels/b.pak"])
    try steam.folder.makeLink("game/out.pak", to: "/etc/passwd")
    try steam.folder.makeLink("game/nowhere.pak", to: "none")
    let conversion = try steam.convert(
      depot: #""FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }"#)
    #expect(
      conversion.messages.filter { $0.hasPrefix("steam.unread") } == [
        "steam.unread: omitted: the link 'nowhere.pak' has a missing target: 'none'",
        "steam.unread: omitted: the link 'out.pak' has the absolute target '/etc/passwd'",
      ], "\(conversion.messages)")
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.meant == ["a.pak", "levels/b.pak"])
    #expect(manifest.selectors == [#"{"file":"a.pak"}"#, #"{"file":"levels/b.pak"}"#])
    #expect(try steam.differences(manifest).count == 2)
  }

  @Test(arguments: mappings)
  func `a mapping becomes the shortest selectors that choose its files`(
    inside: String, selectors: [String]
  ) throws {
    let steam = try SteamFolder(Self.game)
    let conversion = try steam.convert(depot: inside)
    #expect(!conversion.findings.hasErrors, "\(conversion.messages)")
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.selectors == selectors, "\(conversion.messages)")
    #expect(try steam.differences(manifest) == [])
  }

  private static let exclusions: [(String, [String]?, [String])] = [
    ("*.pdb", [#"{"fileExclusion":"*.pdb"}"#], ["game.pdb"]),
    ("tools\\*", [#"{"fileExclusion":"tools/**"}"#], ["tools/build.exe", "tools/x/y.exe"]),
    ("tools\\", [#"{"fileExclusion":"tools/**"}"#], ["tools/build.exe", "tools/x/y.exe"]),
    (
      "tools*", [#"{"fileExclusion":"./tools*"}"#],
      ["tools/build.exe", "tools/x/y.exe", "toolset.txt"]
    ),
    (
      "*\\deep\\*", [#"{"fileExclusion":"*/**/deep/**"}"#],
      ["data/deep/c.pak", "data/deep/notes.txt"]
    ),
    ("game.exe", [#"{"fileExclusion":"./game.exe"}"#], ["game.exe"]),
    (
      "d*.txt",
      [#"{"fileExclusion":"./d*.txt"}"#, #"{"fileExclusion":"d*/**/*.txt"}"#],
      ["data/deep/notes.txt"]
    ),
    ("data\\[odd]*", [#"{"fileExclusion":"data/\\[odd]*"}"#], ["data/[odd] na*me.pak"]),
    ("**/*.ogg", [#"{"fileExclusion":"*/**/*.ogg"}"#], ["music/song.ogg"]),
    // The pattern names a folder, so all its contents are dropped.
    ("tools", [#"{"fileExclusion":"./tools"}"#], ["tools/build.exe", "tools/x/y.exe"]),
    (
      "data\\deep", [#"{"fileExclusion":"./data/deep"}"#],
      ["data/deep/c.pak", "data/deep/notes.txt"]
    ),
    ("TOOLS", [#"{"fileExclusion":"./tools"}"#], ["tools/build.exe", "tools/x/y.exe"]),
    ("*d?ep", [#"{"fileExclusion":"*d?ep"}"#], ["data/deep/c.pak", "data/deep/notes.txt"]),
    ("*m*.exe", nil, ["game.exe"]),
    // The pattern is kept, and the files that it would miss are listed.
    (
      "*.PDB", [#"{"fileExclusion":"*.PDB"}"#, #"{"fileExclusion":"./game.pdb"}"#], ["game.pdb"]
    ),
  ]

  @Test(arguments: exclusions)
  func `an exclusion drops the same files, although its '*' matches separators`(
    exclusion: String, selectors: [String]?, dropped: [String]
  ) throws {
    let steam = try SteamFolder(Self.game)
    let conversion = try steam.convert(
      depot: Self.mapping("*", ".") + " \"FileExclusion\" \"\(exclusion)\"")
    let manifest = try #require(conversion.manifests.first)
    if let selectors { #expect(manifest.selectors.dropFirst() == selectors[...]) }
    let kept = Set(Self.game).subtracting(dropped)
    #expect(Set(manifest.meant) == kept)
    #expect(try steam.differences(manifest) == [])
  }

  @Test func `an exclusion that starts elsewhere is an error, unless it is outside`() throws {
    let steam = try SteamFolder(["build/linux/a.so", "c.pak"])
    for path in [#"\build\linux"#, "/build/linux", #"C:\game\build\linux"#] {
      let exclusion = " \"FileExclusion\" \"\(path)\""
      let conversion = try steam.convert(depot: Self.mapping("*", ".") + exclusion)
      #expect(conversion.messages == ["steam.outside: '\(path)' leads out of the content root"])
      #expect(conversion.findings.hasErrors && conversion.manifests.isEmpty)
    }
    // A path that leads out, or to another folder of the same drive, excludes no files.
    let up = try steam.convert(depot: Self.mapping("*", ".") + #" "FileExclusion" "..\x""#)
    #expect(up.ids == ["steam.exclusion"] && up.manifests.count == 1)
    let script = #"""
      "DepotBuild" { "ContentRoot" "C:\game" \#(Self.mapping("*", ".")) "FileExclusion" "c:\other" }
      """#
    let other = try steam.convert(Array(script.utf8)) {
      $0.contentRoot = FilePath(steam.folder.path("game"))
    }
    #expect(
      other.ids.contains("steam.exclusion") && other.manifests.count == 1, "\(other.messages)")
  }

  @Test func `a content root that is specified again is not reported as replaced`() throws {
    let steam = try SteamFolder(["a.pak"])
    try steam.folder.makeFile("other/a.pak")
    func messages(_ name: String) throws -> [String] {
      try steam.convert(depot: Self.mapping("*", ".")) {
        $0.contentRoot = FilePath(steam.folder.path(name))
      }.messages
    }
    #expect(try messages("game") == [])
    #expect(try messages("other/../game/") == [])
    #expect(
      try messages("other") == [
        "steam.content-root: using '\(steam.folder.path("other"))' instead of 'game'"
      ])
  }

  @Test func `an empty exclusion is omitted, and a pack without files is reported`() throws {
    let steam = try SteamFolder(["build/a.dll", "data/b.pak"])
    let all = Self.mapping("*", ".")
    let empty = try steam.convert(depot: all + " \"FileExclusion\" \"\"")
    #expect(empty.messages == ["steam.exclusion: '' is an empty path; it is omitted"])
    let manifest = try #require(empty.manifests.first)
    #expect(manifest.meant == ["build/a.dll", "data/b.pak"])
    #expect(manifest.selectors == [#"{"directory":"."}"#])
    #expect(try steam.differences(manifest) == [])
    let build = Self.mapping("build\\*", ".")
    for depot in [
      all + " \"FileExclusion\" \"*\"", build + " \"FileExclusion\" \"build\"",
    ] {
      let nothing = try steam.convert(depot: depot)
      #expect(
        nothing.messages.filter { $0.hasPrefix("steam.selects-nothing") } == [
          "steam.selects-nothing: the pack 'Pack' has no files: its exclusions drop all files "
            + "of its mappings"
        ], "\(nothing.messages)")
      #expect(nothing.manifests.count == 1 && !nothing.findings.hasErrors)
    }
  }

  @Test func `names use the case on disk, and each difference is reported`() throws {
    let steam = try SteamFolder(["Data/Level.PAK", "Data/other.pak", "Readme.TXT", "x.PDB"])
    let conversion = try steam.convert(
      depot: Self.mapping("data\\*.pak", "data") + Self.mapping("README.txt", ".")
        + Self.mapping("*.*", "all", 0) + " \"FileExclusion\" \"*.pdb\"")
    #expect(conversion.ids.count { $0 == "steam.case" } == 3, "\(conversion.messages)")
    let manifest = try #require(conversion.manifests.first)
    #expect(
      manifest.meant == [
        "Data/Level.PAK -> data/Level.PAK", "Data/other.pak -> data/other.pak", "Readme.TXT",
        "Readme.TXT -> all/Readme.TXT",
      ], "\(manifest.meant)")
    #expect(try steam.differences(manifest) == [])
  }

  @Test func `a later mapping replaces earlier files, such as translations`() throws {
    let steam = try SteamFolder(["audio/a.ogg", "audio/b.ogg", "german/audio/a.ogg"])
    let conversion = try steam.convert(
      depot: Self.mapping("audio\\*", "audio") + Self.mapping("german\\audio\\*", "audio"))
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.meant == ["audio/b.ogg", "german/audio/a.ogg -> audio/a.ogg"])
    #expect(conversion.ids == ["steam.overridden", "steam.listed"])
    #expect(try steam.differences(manifest) == [])
  }

  @Test func `the last of several files of one mapping with the same path is packed`() throws {
    let steam = try SteamFolder(["a/f.dat", "b/f.dat", "c/g.dat"])
    let conversion = try steam.convert(depot: Self.mapping("*\\*.dat", ".", 0))
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.meant == ["b/f.dat -> f.dat", "c/g.dat -> g.dat"])
    #expect(
      conversion.messages.first
        == "steam.overridden: 1 file of '*\\*.dat' is replaced by a later file with the same path",
      "\(conversion.messages)")
    #expect(try steam.differences(manifest) == [])
  }

  @Test func `a mapping without files is omitted, unless all mappings have none`() throws {
    let steam = try SteamFolder(["a.pak"])
    let some = try steam.convert(depot: Self.mapping("*.pak", ".") + Self.mapping("b\\*", "b"))
    #expect(some.ids == ["steam.selects-nothing"])
    #expect(some.manifests.count == 1)
    let none = try steam.convert(depot: Self.mapping("b\\*", "b"))
    #expect(none.ids == ["convert.not-at-hand"])
    #expect(none.manifests.first?.selectors == [#"{"directory":"b"}"#])
    #expect(none.manifests.first.map { $0.files == nil } ?? false)
  }

  @Test func `a mapping may leave the content root within the named folders`() throws {
    let steam = try SteamFolder(["artifacts/win/a.dll", "artifacts/win/a.pdb", "steam/readme.txt"])
    let script = #"""
      "DepotBuild" {
        "FileMapping" { "LocalPath" "../artifacts/win/*" "DepotPath" "." "Recursive" "1" }
        "FileMapping" { "LocalPath" "readme.txt" "DepotPath" "." }
        "FileExclusion" "*.pdb"
      }
      """#
    try steam.folder.makeFile("game/steam/depot.vdf", script)
    var options = ConversionOptions(.unstoppable)
    options.assetPackID = "Pack"
    options.downloadPolicy = .onDemand
    options.platforms = [.iOS]
    let path = FilePath(steam.folder.path("game/steam/depot.vdf"))
    // The folder above the script was not named, and the current folder is another one.
    #expect(try Conversion(of: path, options).ids == ["steam.outside"])
    options.contentRoot = FilePath(steam.folder.path("game/steam"))
    #expect(try Conversion(of: path, options).ids == ["steam.outside"])
    let app = FilePath(steam.folder.path("game/app.vdf"))
    try steam.folder.makeFile(
      "game/app.vdf", #""AppBuild" { "Depots" { "1" "steam/depot.vdf" } }"#)
    options.contentRoot = nil
    let conversion = try Conversion(of: app, options)
    let manifest = try #require(conversion.manifests.first)
    #expect(conversion.ids == ["steam.content-root"], "\(conversion.messages)")
    #expect(
      manifest.meant == ["artifacts/win/a.dll -> a.dll", "steam/readme.txt -> readme.txt"])
    #expect(try steam.differences(manifest) == [])
  }

  // MARK: Without the files

  @Test(arguments: [
    (mapping("*", "."), [#"{"directory":"."}"#]),
    (mapping("bin\\*", "."), [#"{"directorySource":"bin","directoryDestination":"."}"#]),
    (mapping("*.pak", "."), [#"{"filePattern":"**/*.pak"}"#]),
    (mapping("bin\\a.exe", "."), [#"{"fileSource":"bin/a.exe","fileDestination":"a.exe"}"#]),
  ])
  func `without the files, equivalent selectors are made from the script`(
    inside: String, selectors: [String]
  ) throws {
    let steam = try SteamFolder()
    let script = #""DepotBuild" { "ContentRoot" "C:\game" \#(inside) }"#
    let conversion = try steam.convert(Array(script.utf8))
    #expect(conversion.ids == ["convert.not-at-hand"])
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.selectors == selectors)
    #expect(manifest.files == nil)
    #expect(try manifest.landed(in: FilePath(steam.folder.path)).sourceRoot == nil)
  }

  @Test func `a pattern that renames files requires the files`() throws {
    let steam = try SteamFolder()
    let script = #""DepotBuild" { "ContentRoot" "C:\game" \#(Self.mapping("a\\*.pak", ".")) }"#
    let conversion = try steam.convert(Array(script.utf8))
    #expect(conversion.ids.contains("steam.renaming"))
    #expect(conversion.manifests.isEmpty)
    let other = try SteamFolder(["a/x.pak"])
    let found = try other.convert(Array(script.utf8)) {
      $0.contentRoot = FilePath(other.folder.path("game"))
    }
    #expect(found.manifests.first?.meant == ["a/x.pak -> x.pak"])
  }

  @Test(arguments: [
    #"build\linux\steam-runtime"#, #"build\linux\steam-runtime\"#, #"build\linux\steam-runtime\*"#,
    "build/linux/*time", "*runtime",
  ])
  func `an exclusion drops the same files with and without the content root`(exclusion: String)
    throws
  {
    let steam = try SteamFolder(["build/linux/steam-runtime/a.so", "build/linux/game", "c.pak"])
    let mapping = Self.mapping("*", ".") + " \"FileExclusion\" \"\(exclusion)\""
    let there = try #require(steam.convert(depot: mapping).manifests.first)
    let script = #""DepotBuild" { "ContentRoot" "C:\game" \#(mapping) }"#
    let absent = try #require(steam.convert(Array(script.utf8)).manifests.first)
    #expect(there.selectors == absent.selectors)
    #expect(there.meant == ["build/linux/game", "c.pak"])
    #expect(try steam.differences(there) == [])
  }

  @Test func `a second reading of the script detects a mistake of the first`() throws {
    let steam = try SteamFolder(["a.pak", "tools/b.exe"])
    var converted = try #require(
      steam.convert(depot: Self.mapping("*", ".") + #""FileExclusion" "tools""#).manifests.first)
    // Simulates a first reading that ignores the exclusion.
    converted.manifest.fileSelectors.removeLast()
    converted.files?.append(
      .init(source: FilePath("tools/b.exe"), destination: FilePath("tools/b.exe")))
    #expect(
      try steam.differences(converted) == [
        "convert.difference: 'tools/b.exe' is selected by the manifest but not by the input"
      ])
  }

  @Test func `paths in the pack that differ only in case are reported`() throws {
    let steam = try SteamFolder(["a.pak", "b.pak", "c.pak"])
    let conversion = try steam.convert(
      depot: Self.mapping("a.pak", "Levels\\") + Self.mapping("b.pak", "levels\\")
        + Self.mapping("c.pak", "levels\\B.pak"))
    #expect(
      conversion.messages == [
        "steam.case-collision: 'levels' differs from 'Levels' only in case",
        "steam.case-collision: 'levels' differs from 'Levels' only in case",
      ])
    #expect(conversion.manifests.count == 1)
  }

  @Test(
    .heavy, arguments: [mapping("*", "."), mapping("*.pak", "x")])
  func `many exclusions with '*' are applied to many files`(mapping: String) throws {
    let files = (0..<2000).map { "d\($0 % 20)/sub\($0 % 7)/file_\($0)_name.pak" }
    let steam = try SteamFolder(files)
    let exclusions = (0..<1500).map { "\"FileExclusion\" \"*x\($0)y*n\($0)m*.pdb\"\n" }
    let conversion = try steam.convert(depot: mapping + exclusions.joined())
    #expect(conversion.manifests.first?.files?.count == 2000)
  }

  // MARK: Any script over any files

  /// A part of a script, for a second reading that shares no code with the first.
  private enum Part {
    case mapping(String, to: String, isRecursive: Bool)
    case exclusion(String)

    var text: String {
      switch self {
      case .mapping(let local, let depot, let isRecursive):
        SteamMappingTests.mapping(local, depot, isRecursive ? 1 : 0)
      case .exclusion(let pattern): " \"FileExclusion\" \"\(pattern)\""
      }
    }
  }

  /// Whether a text matches, with a simple and slow algorithm.
  private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return matches(text, pattern.dropFirst())
        || !text.isEmpty && matches(text.dropFirst(), pattern)
    }
    return !text.isEmpty && (first == "?" || first.lowercased() == text.first?.lowercased())
      && matches(text.dropFirst(), pattern.dropFirst())
  }

  private static func isPattern(_ text: String) -> Bool { text.contains { "*?".contains($0) } }

  /// Returns the files of a depot with their sources.
  private static func model(_ parts: [Part], _ files: [String]) -> [String: String] {
    var depot: [String: String] = [:]
    for case .mapping(let local, let folder, let isRecursive) in parts {
      var names = local.split(separator: "\\").map(String.init)
      if !isPattern(local), !files.contains(where: { $0.lowercased() == local.path.lowercased() }) {
        names.append("*")
      }
      let isFile = !names.contains(where: isPattern)
      for file in files {
        let own = file.split(separator: "/").map(String.init)
        let fits = zip(names.dropLast(), own).allSatisfy { matches($1[...], $0[...]) }
        let isDeepEnough =
          isRecursive && !isFile ? own.count >= names.count : own.count == names.count
        // Of two spellings, the one with equal case.
        let isOther = isFile && file != local.path && files.contains(local.path)
        let twins = files.filter { $0.lowercased() == local.path.lowercased() }
        guard fits, isDeepEnough, !isOther, matches((own.last ?? "")[...], (names.last ?? "")[...]),
          !isFile || twins.contains(local.path) || twins.first == file
        else { continue }
        let top = folder == "." ? [] : folder.path.split(separator: "/").map(String.init)
        let isName =
          isFile && (folder == "a.pak" || top.last?.lowercased() == own.last?.lowercased())
        let rest = own.dropFirst(names.count - 1)
        depot[(isName ? top : top + rest).joined(separator: "/")] = file
      }
    }
    for case .exclusion(let pattern) in parts {
      depot = depot.filter { _, source in
        let ends = source.indices.filter { source[$0] == "/" } + [source.endIndex]
        return !ends.contains { matches(source[..<$0], pattern.path[...]) }
      }
    }
    return depot
  }

  @Test(.heavy, arguments: 0..<80)
  func `the manifest of any script selects the files of the script`(
    seed: UInt64
  ) throws {
    var random = Seeded(seed: seed)
    let names = ["a", "B", "data", "x.pak", "Y.PAK", "z.txt", ".dot", "a[1]", "[x]t.txt"]
    var files: Set<String> = []
    for _ in 0..<Int.random(in: 1...14, using: &random) {
      let depth = Int.random(in: 0...2, using: &random)
      let folders = (0..<depth).map { _ in "d" + (names.randomElement(using: &random) ?? "") }
      files.insert((folders + [names.randomElement(using: &random) ?? ""]).joined(separator: "/"))
    }
    func path() -> String {
      var text = ""
      for character in files.sorted().randomElement(using: &random) ?? "" {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: text += "*"
        case 1 where character != "/": text += "?"
        case 2 where character != "/": text += character.uppercased()
        default: text += character == "/" ? "\\" : String(character)
        }
      }
      // A pattern that matches everything has a separate test.
      return text == "*" ? "x*" : text
    }
    var parts: [Part] = [.mapping("*", to: ".", isRecursive: Bool.random(using: &random))]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let depot = [".", "data", "da\\x", "a.pak"].randomElement(using: &random) ?? "."
      let isRecursive = Bool.random(using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        // Files of several folders can have one path.
        let flat = ["*\\*", "*\\x*", "d*\\*.pak", "*\\*\\*"].randomElement(using: &random) ?? ""
        parts.append(.mapping(flat, to: depot, isRecursive: isRecursive))
      case 1, 2: parts.append(.mapping(path(), to: depot, isRecursive: isRecursive))
      default: parts.append(.exclusion(path()))
      }
    }
    let steam = try SteamFolder(files.sorted())
    let conversion = try steam.convert(depot: parts.map(\.text).joined(separator: "\n"))
    // If a script selects no file, only its text is used.
    let model = Self.model(parts, files.sorted())
    guard !conversion.findings.hasErrors, !model.isEmpty else { return }
    let manifest = try #require(conversion.manifests.first)
    let comment: Comment = "\(parts.map(\.text)) over \(files.sorted()): \(manifest.selectors)"
    #expect(try steam.differences(manifest) == [], comment)
    let meant = (manifest.files ?? []).map { ($0.destination.text, $0.source.text) }
    #expect(Dictionary(uniqueKeysWithValues: meant) == model, comment)
  }
}

extension String {
  /// The path with the separators of this system.
  fileprivate var path: String { replacing("\\", with: "/") }
}
