import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Scripts without their files: roots, depots, conditions, and paths that lead out.
@Suite struct SteamScriptTests {
  private static let all = #""FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }"#

  /// Checks the findings of a script at marked places, with the files of a small game.
  private func expect(
    _ marked: String, finds expected: [Expected], place: SourceLocation = #_sourceLocation
  ) throws {
    let text = MarkedText(marked)
    let steam = try SteamFolder(["a.pak", "sub/b.pak"])
    let conversion = try steam.convert(text.bytes) {
      $0.contentRoot = nil
    }
    TestSupport.expect(conversion.findings, in: text, are: expected, sourceLocation: place)
  }

  @Test func `keys without a counterpart are reported at their places`() throws {
    try expect(
      #"""
      "depotbuildconfig" // Keys have any case.
      {
        ⟦id:"depotid"⟧ "1001"
        "contentroot" "game"
        ⟦desc:"Desc"⟧ "Levels"
        "filemapping" { "localpath" "*" "depotpath" "." "recursive" "1" }
        "FileExclusion" "*.pdb" ⟦osx:[$OSX]⟧
        "FileExclusion" "*.ilk" ⟦win:[$WIN32]⟧
        ⟦unknown:"FileExclude"⟧ "x"
        "InstallScript" ⟦script:"setup.vdf"⟧
        "FileProperties" { "LocalPath" "a.cfg" "Attributes" ⟦attributes:"userconfig"⟧ }
        ⟦twice:"DepotID"⟧ "1002"
      }
      """#,
      finds: [
        .note("steam.dropped", at: "id"), .note("steam.dropped", at: "desc"),
        .warning("steam.conditional", at: "osx"),
        .note("steam.conditional", at: "win"),
        .warning(
          "steam.unknown-key", at: "unknown",
          "unknown key 'FileExclude' in a depot; it is omitted"),
        .warning("steam.install-script", at: "script"),
        .warning("steam.file-properties", at: "attributes"),
        .warning("steam.duplicate-key", at: "twice"),
      ])
  }

  @Test func `release settings of an app are reported, unless they are disabled`() throws {
    try expect(
      #"""
      "AppBuild"
      {
        ⟦app:"AppID"⟧ "1000"
        ⟦live:"SetLive"⟧ "beta"
        ⟦preview:"preview"⟧ "1"
        ⟦local:"Local"⟧ "..\server"
        ⟦output:"BuildOutput"⟧ "..\output"
        "verbose" "0"
        "Desc" ""
        "Depots" { "1001" { "ContentRoot" "game" "FileMapping" { "LocalPath" "*" "DepotPath" "." \#
        } } }
      }
      """#,
      finds: [
        .note("steam.dropped", at: "app"),
        .note("steam.release", at: "live", "'SetLive' 'beta' is not converted"),
        .note("steam.release", at: "preview"), .note("steam.release", at: "local"),
        .note("steam.dropped", at: "output"),
      ])
  }

  @Test(arguments: [
    ("#base \"x.vdf\"", "steam.inclusion"), ("#include \"../../etc/passwd\"", "steam.inclusion"),
  ])
  func `a script that includes another one is an error, and the other one is not opened`(
    line: String, id: String
  ) throws {
    let text = "\"DepotBuild\" { \"ContentRoot\" \"game\" \(Self.all) }"
    for script in [line + "\n" + text, text.replacing("{", with: "{ \(line)", maxReplacements: 1)] {
      let steam = try SteamFolder(["a.pak"])
      let conversion = try steam.convert(Array(script.utf8))
      #expect(conversion.ids == [id])
      #expect(conversion.findings.hasErrors)
    }
  }

  @Test(arguments: [
    ("[$WIN32]", true), ("[!$WIN32]", false), ("[$OSX]", false), ("[!$OSX]", true),
    ("[$OSX||$WIN32]", true), ("[$OSX && $WIN32]", false), ("[ $win32 ]", true),
    ("[$PLAYDATE]", nil), ("[]", nil), ("[$WIN32", nil),
  ])
  func `conditions are evaluated for Windows`(text: String, isTrue: Bool?) {
    #expect(SteamCondition.isTrue(text) == isTrue)
  }

  @Test(arguments: [
    #""LocalPath" "..\..\etc\*""#, #""LocalPath" "C:\Windows\*""#, #""LocalPath" "/etc/passwd""#,
    #""LocalPath" "\\\\host\share\*""#, #""LocalPath" "a\..\..\..\x""#,
    #""LocalPath" "*" "DepotPath" "..\x""#, #""LocalPath" "*" "DepotPath" "C:\x""#,
  ])
  func `no path of a script leads out of the content root or the pack`(mapping: String) throws {
    let steam = try SteamFolder(["a.pak"])
    let conversion = try steam.convert(depot: "\"FileMapping\" { \(mapping) }")
    #expect(conversion.ids.contains("steam.outside"), "\(conversion.messages)")
    #expect(conversion.manifests.isEmpty)
  }

  @Test(arguments: [
    "../..", "../../../../../../etc", "/etc", "/", "link", "/no/such/folder", "..\\..\\none",
    "link/none", "none/../../../x",
  ])
  func `a content root outside the named folders is an error, whether or not it exists`(
    root: String
  ) throws {
    let steam = try SteamFolder(["a.pak"])
    try steam.folder.makeLink("game/link", to: "/etc")
    try steam.folder.makeFile(
      "game/depot.vdf", "\"DepotBuild\" { \"ContentRoot\" \"\(root)\" \(Self.all) }")
    var options = ConversionOptions(.unstoppable)
    options.assetPackID = "Pack"
    options.downloadPolicy = .onDemand
    options.platforms = [.iOS]
    let path = FilePath(steam.folder.path("game/depot.vdf"))
    let conversion = try Conversion(of: path, options)
    #expect(conversion.ids == ["steam.outside"], "\(conversion.messages)")
    #expect(conversion.findings.hasErrors)
    #expect(conversion.manifests.isEmpty)
    // The folder that the user names takes precedence.
    options.contentRoot = FilePath(steam.folder.path("game"))
    let named = try Conversion(of: path, options)
    #expect(
      named.ids.first == "steam.content-root" && !named.findings.hasErrors, "\(named.messages)")
    #expect(named.manifests.first?.files != nil)
  }

  @Test func `a content root that does not exist yet may be in the script's folder`() throws {
    let steam = try SteamFolder()
    let conversion = try steam.convert(
      Array("\"DepotBuild\" { \"ContentRoot\" \"none/../later\" \(Self.all) }".utf8))
    #expect(conversion.ids == ["convert.not-at-hand"])
    #expect(conversion.manifests.count == 1)
  }

  @Test func `an absolute path below the content root is supported`() throws {
    let steam = try SteamFolder(["a.pak", "b/x.pdb"])
    let script = #"""
      "DepotBuild" { "ContentRoot" "D:\Game\"
        "FileMapping" { "LocalPath" "d:\game\*" "DepotPath" "." "Recursive" "1" }
        "FileExclusion" "D:\Game\*.pdb"
      }
      """#
    let conversion = try steam.convert(Array(script.utf8)) {
      $0.contentRoot = FilePath(steam.folder.path("game"))
    }
    #expect(conversion.manifests.first?.meant == ["a.pak"], "\(conversion.messages)")
  }

  // MARK: Apps

  @Test func `an app becomes one manifest for each depot, inline or in a separate script`() throws {
    let steam = try SteamFolder(["a.pak", "win/x.dll", "extra/b.pak"])
    try steam.folder.makeFile(
      "scripts/depot_1002.vdf",
      #""DepotBuild" { "DepotID" "1002" "ContentRoot" "win" \#(Self.all) }"#)
    try steam.folder.makeFile("scripts/win/y.dll")
    let script = #"""
      "appbuild"
      {
        "appid" "1000"
        "contentroot" "game"
        "setlive" ""
        "preview" "0"
        "depots"
        {
          "1001" { "FileMapping" { "LocalPath" "*.pak" "DepotPath" "." } }
          "1002" "scripts\Depot_1002.vdf"
          "1003" { "ContentRoot" "game\extra" "FileMapping" { "LocalPath" "*" "DepotPath" "." } }
        }
      }
      """#
    var conversion = try steam.convert(Array(script.utf8), named: "app.vdf") {
      $0.assetPackID = nil
    }
    conversion.checkTogether(ConversionOptions(.unstoppable))
    #expect(!conversion.findings.hasErrors, "\(conversion.messages)")
    #expect(
      conversion.manifests.map(\.name) == ["depot-1001.json", "depot-1002.json", "depot-1003.json"])
    #expect(conversion.manifests.map(\.meant) == [["a.pak"], ["y.dll"], ["b.pak"]])
    let roots = try conversion.manifests.map {
      try $0.landed(in: FilePath(steam.folder.path("out"))).sourceRoot
    }
    #expect(roots == ["../game", "../scripts/win", "../game/extra"])
    let ids = Set(conversion.ids)
    #expect(ids == ["steam.content-root", "steam.case", "convert.made-id", "steam.dropped"])
  }

  @Test(arguments: ["../outside.vdf", "/etc/passwd", "C:\\x.vdf", "none.vdf", "app.vdf"])
  func `the script of a depot is opened only in a named folder`(path: String) throws {
    let steam = try SteamFolder()
    try steam.folder.makeFile("outside.vdf", #""DepotBuild" { \#(Self.all) }"#)
    let script = #""AppBuild" { "Depots" { "1001" "\#(path)" } }"#
    try steam.folder.makeFolder("in")
    let conversion = try steam.convert(Array(script.utf8), named: "in/app.vdf")
    #expect(conversion.ids == ["steam.depot-script"], "\(conversion.messages)")
  }

  @Test func `a named content root replaces the app's root, and keeps folders below it`()
    throws
  {
    let steam = try SteamFolder(["Win/a.dll", "Mac/a.dylib"])
    let script = #"""
      "AppBuild" { "ContentRoot" "C:\build" "Depots" {
        "1" { "ContentRoot" "C:\build\win" \#(Self.all) }
        "2" { "ContentRoot" "c:\Build\Mac" \#(Self.all) }
        "3" { "ContentRoot" "E:\else" \#(Self.all) }
      } }
      """#
    let conversion = try steam.convert(Array(script.utf8)) {
      $0.contentRoot = FilePath(steam.folder.path("game"))
      $0.assetPackID = nil
    }
    #expect(
      conversion.manifests.map(\.meant) == [["a.dll"], ["a.dylib"], ["Mac/a.dylib", "Win/a.dll"]],
      "\(conversion.messages)")
    #expect(conversion.findings.count(.warning) == 1)
  }

  // MARK: Manifests

  @Test func `by default, a pack is on demand and has the name of its script`()
    throws
  {
    let steam = try SteamFolder(["a.pak"])
    let conversion = try steam.convert(
      Array("\"DepotBuild\" { \"ContentRoot\" \"game\" \(Self.all) }".utf8),
      named: "depot_build (voice é).vdf"
    ) {
      $0.assetPackID = nil
      $0.downloadPolicy = nil
      $0.platforms = []
      $0.language = LanguageTag("en-US")
    }
    let manifest = try #require(conversion.manifests.first?.manifest)
    #expect(manifest.assetPackID == "depot-build-voice")
    #expect(manifest.downloadPolicy == .onDemand)
    #expect(manifest.platforms == Platform.allCases)
    #expect(manifest.language == LanguageTag("en-US"))
    #expect(
      conversion.ids == ["convert.made-id", "convert.assumed-policy", "convert.assumed-platforms"])
    #expect(!conversion.findings.hasErrors)
  }

  @Test
  func `a specified ID is the prefix for several packs; packs with the same ID are an error`()
    throws
  {
    let steam = try SteamFolder(["a.pak"])
    let depot = "{ \"ContentRoot\" \"game\" \(Self.all) }"
    func convert(_ second: String) throws -> Conversion {
      var conversion = try steam.convert(
        Array("\"AppBuild\" { \"Depots\" { \"1\" \(depot) \"\(second)\" \(depot) } }".utf8))
      conversion.checkTogether(ConversionOptions(.unstoppable))
      return conversion
    }
    let two = try convert("2")
    #expect(two.manifests.map(\.name) == ["Pack-depot-1.json", "Pack-depot-2.json"])
    #expect(two.ids == [])
    #expect(try convert("1").ids == ["convert.same-id"])
    // Characters that no ID supports are all replaced in the same way.
    #expect(try convert("(1)").ids == ["convert.same-id"])
  }

  @Test func `options that no input supports are reported`() throws {
    let steam = try SteamFolder(["a.pak"])
    func findings(_ configure: (inout ConversionOptions) -> Void) throws -> [String] {
      var options = ConversionOptions(.unstoppable)
      var conversion = try steam.convert(
        Array("\"DepotBuild\" { \"ContentRoot\" \"game\" \(Self.all) }".utf8)
      ) {
        configure(&$0)
        options = $0
      }
      conversion.checkTogether(options)
      return conversion.messages
    }
    #expect(
      try findings {
        $0.target = "Game"
        $0.splitsLanguages = true
        $0.scannedSources = [FilePath(".")]
      } == [
        "convert.no-effect: the target has no effect: no input has targets",
        "convert.no-effect: splitting by language has no effect: no input has language folders",
        "convert.no-effect: the search for calls has no effect: no input has On-Demand Resources",
      ])
    #expect(try findings { $0.contentRoot = FilePath(steam.folder.path("game")) } == [])
  }

  @Test func `a depot has at most 2,000 parts, and an app 1,000 scripts`() throws {
    let steam = try SteamFolder(["a.pak"])
    func depot(_ count: Int) throws -> [String] {
      let exclusions = String(repeating: "\"FileExclusion\" \"x\"\n", count: count - 1)
      let conversion = try steam.convert(depot: Self.all + exclusions)
      return conversion.messages.filter { !$0.hasPrefix("steam.exclusion") }
    }
    #expect(try depot(2000) == [])
    #expect(
      try depot(2001) == ["steam.mapping: the depot has more than 2000 mappings and exclusions"])
    func app(_ count: Int) throws -> [String] {
      let depots = (0..<count).map { "\"\($0)\" \"none.vdf\"" }.joined(separator: "\n")
      return try steam.convert(Array("\"AppBuild\" { \"Depots\" { \(depots) } }".utf8)).messages
    }
    #expect(try app(1001) == ["steam.mapping: the app has more than 1000 depots"])
    #expect(try app(3).count == 3)
  }

  @Test func `differences in both directions are listed`() throws {
    let steam = try SteamFolder(["a.pak", "b.pak", "c.pak"])
    var converted = try #require(
      steam.convert(depot: "\"FileMapping\" { \"LocalPath\" \"*.pak\" \"DepotPath\" \".\" }")
        .manifests.first)
    #expect(try steam.differences(converted) == [])
    try steam.folder.remove("game/a.pak")
    try steam.folder.makeFile("game/d.pak")
    converted.manifest.fileSelectors.append(.exclusion("c.pak"))
    #expect(
      try steam.differences(converted) == [
        "convert.difference: 'd.pak' is selected by the manifest but not by the input",
        "convert.difference: 'a.pak' is selected by the input but not by the manifest",
        "convert.difference: 'c.pak' is selected by the input but not by the manifest",
      ])
    converted.files = nil
    #expect(try steam.differences(converted).count == 1)
  }

  @Test func `a manifest in the source root excludes all files that are written there`() throws {
    let steam = try SteamFolder(["a.pak", "sub/b.pak"])
    let converted = try #require(steam.convert(depot: Self.all).manifests.first)
    let inside = try converted.landed(
      in: FilePath(steam.folder.path("game/sub")), beside: ["[m].json", "tags.json"])
    #expect(inside.sourceRoot == "..")
    #expect(
      inside.fileSelectors == [
        .directory("."), .exclusion("./sub/\\[m].json"), .exclusion("./sub/tags.json"),
      ])
    let top = try converted.landed(in: FilePath(steam.folder.path("game")), beside: ["m.json"])
    #expect(top.sourceRoot == ".")
    #expect(try converted.landed(in: FilePath(steam.folder.path)).sourceRoot == "game")
  }

  @Test func `a text that is not a script is an error`() throws {
    for text in ["", "{}", "{\"a\": 1}", "name: App\nversion: 1\n", "\u{0}\u{1}", "<plist/>"] {
      let steam = try SteamFolder()
      let conversion = try steam.convert(Array(text.utf8))
      #expect(conversion.ids == ["convert.unknown-input"], "\(text)")
      let forced = try steam.convert(Array(text.utf8)) { $0.kind = .steam }
      #expect(forced.findings.hasErrors, "\(text)")
    }
  }
}
