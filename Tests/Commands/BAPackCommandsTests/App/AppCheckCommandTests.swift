import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Tests of the command line of `app check`.
@Suite final class AppCheckCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("Assets/Voices/hello.txt", "hello")
    try folder.makeFile(
      "Packs/voices.json",
      """
      {"assetPackID": "voices", "downloadPolicy": {"onDemand": {}}, "sourceRoot": "../Assets",
       "fileSelectors": [{"directory": "."}], "platforms": ["iOS"]}
      """)
    try SampleApp().write(to: folder)
    var wrong = SampleApp()
    wrong.place = "PlugIns"
    try wrong.write(to: folder, as: "Wrong.app")
    try folder.makeFile("Sources/a.swift", #"load("Voice/hello.txt"); load("Voices/hello.txt")"#)
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func pack() throws {
    try folder.makeFolder("build")
    let run = Captured("pack", path("Packs/voices.json"), "-o", path("build/voices.aar"))
    #expect(run.ending == .status(.done), "\(run.messages)")
  }

  @Test func `an app without mistakes has the facts and no problems`() throws {
    try pack()
    let run = Captured("app", "check", path("Game.app"), path("build"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.output == """
        App         com.example.game 1.2 (34), iOS 27.0 or later, team ABCDE12345
        Group       group.com.example.game
        Extension   Extensions/Downloader.appex: com.example.game.downloader 1.2 (34), iOS 27.0 or \
        later, team ABCDE12345
        Hosting     Apple
        Packs       1
        Paths       1 text that may be paths

        """)
    #expect(run.messages == "\(path("Game.app")): no problems\n")
  }

  @Test func `a mistake has its answer, and the status is 1`() throws {
    let run = Captured("app", "check", path("Wrong.app"), "--no-project")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("[app.extension-place]"))
    #expect(run.messages.contains("App Store Connect answers ITMS-91179"))
    #expect(run.output.contains("Not checked without packs"))
    let off = Captured(
      "app", "check", path("Wrong.app"), "--no-project", "--finding", "app.extension-place=off")
    #expect(off.ending == .status(.usage))
    #expect(off.messages.contains("'app.extension-place' is an error that cannot be lowered"))
    #expect(
      Captured("app", "check", path("Wrong.app"), "--finding", "files.junk=off").messages
        .contains("no finding of apps has the ID 'files.junk'"))
  }

  @Test func `a slash at the end of a path has no effect`() throws {
    let run = Captured("app", "check", path("Wrong.app/"), "--no-project")
    #expect(run.messages.contains("[app.extension-place]"), "\(run.messages)")
  }

  @Test func `a spec of XcodeGen is not read, and the messages contain the way to a project`()
    throws
  {
    try pack()
    try folder.makeFile("Generated/project.yml", "name: Game")
    let file = Captured("app", "check", path("Generated/project.yml"), path("build"))
    #expect(file.messages.contains("project.yml' is a spec of XcodeGen, not an Xcode project"))
    let empty = Captured("app", "check", path("Generated"), path("build"))
    #expect(empty.messages.contains("there are no app, no Xcode project and no sources in"))
    try folder.makeFile("Generated/a.swift", #"load("Voices/hello.txt")"#)
    let without = Captured("app", "check", path("Generated"), "--no-project")
    #expect(without.messages.contains("has only sources, which are compared with packs"))
    #expect(without.ending == .status(.usage))
    for run in [file, empty] { #expect(run.ending == .status(.failed)) }
    for run in [file, empty, without] {
      #expect(run.messages.contains("run 'xcodegen generate'"), "\(run.messages)")
    }
    let sources = Captured("app", "check", path("Generated"), path("build"))
    #expect(sources.ending == .status(.done), "\(sources.messages)")
    #expect(
      sources.output.contains("project.yml', a spec of XcodeGen: run 'xcodegen generate' first"))
  }

  @Test func `a folder without an app and a file that is no archive have a hint`() throws {
    try folder.makeFolder("Nothing")
    try folder.makeFile("text.ipa", "text")
    for name in ["Nothing", "text.ipa"] {
      let run = Captured("app", "check", path(name), "--no-project")
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages.contains(
          "hint: specify an .app, an .ipa, an .xcarchive, a project, or sources"),
        "\(run.messages)")
    }
  }

  @Test func `the data of an engine is searched, or named`() throws {
    try pack()
    try folder.makeFile("Game.app/main.jsbundle", #"r("Voice/hello.txt")"#)
    try folder.makeFile("Game.app/game.pak", "x")
    let run = Captured("app", "check", path("Game.app"), path("build"))
    #expect(run.ending == .status(.done))
    #expect(
      run.messages.contains(
        "Game.app/main.jsbundle: warning: no pack has 'Voice/hello.txt' [app.missing-path]"),
      "\(run.messages)")
    #expect(run.output.contains("Not checked texts in 'game.pak', whose format is not read"))
  }

  @Test func `sources are compared with packs, and --strict fails on warnings`() throws {
    try pack()
    let arguments = ["app", "check", path("Sources"), path("build/voices.aar")]
    let run = Captured(arguments)
    #expect(run.ending == .status(.done))
    #expect(run.messages.contains("a.swift:1:7: warning: no pack has 'Voice/hello.txt'"))
    #expect(run.messages.contains("did you mean 'Voices/hello.txt'?"))
    #expect(Captured(arguments + ["--strict"]).ending == .status(.failed))
    #expect(
      Captured(arguments + ["--strict", "--finding", "app.missing-path=off"]).ending
        == .status(.done))
    let without = Captured("app", "check", path("Sources"), "--no-project")
    #expect(without.ending == .status(.usage))
    #expect(without.messages.contains("has only sources, which are compared with packs"))
  }

  @Test func `the result for programs has facts, findings and omissions`() throws {
    let run = Captured("app", "check", path("Wrong.app"), "--no-project", "--format", "json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((object["app"] as? [String: Any])?["identifier"] as? String == "com.example.game")
    #expect(object["hosting"] as? String == "apple")
    #expect((object["notChecked"] as? [String])?.count == 1)
    let findings = object["findings"] as? [[String: Any]]
    #expect(findings?.map { $0["id"] as? String } == ["app.extension-place"])
    let sarif = Captured("app", "check", path("Wrong.app"), "--no-project", "--format", "sarif")
    #expect(sarif.output.contains(#""ruleId": "app.extension-place""#))
  }

  @Test func `the packs of a project are used by default, and by their IDs`() throws {
    try folder.makeFile(
      "ba-package.json", #"{"packs": ["Packs/voices.json"], "output": "build", "hosting": "apple"}"#
    )
    let project = ["--project", path("ba-package.json")]
    let before = Captured(["app", "check", path("Game.app")] + project)
    #expect(before.output.contains("1 pack of the project, not built yet"), "\(before.messages)")
    try pack()
    #expect(
      Captured(["app", "check", path("Game.app")] + project).output.contains("Packs       1"))
    let named = Captured(["app", "check", path("Game.app"), "voices"] + project)
    #expect(named.output.contains("Packs       1"), "\(named.messages)")
    #expect(
      Captured(["app", "check", path("Game.app"), "other"] + project).ending != .status(.done))
  }

  @Test func `the command for doctor is app check`() {
    #expect(Captured("doctor").messages.contains("use 'ba-package app check'"))
  }
}
