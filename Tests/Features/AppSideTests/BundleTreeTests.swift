import AppSide
import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of products that no user intends.
@Suite struct BundleTreeTests {
  private func error(_ path: String) -> String? {
    do {
      _ = try AppTrial.findings(at: path)
      return nil
    } catch let error as PackError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test func `a product without an app, or with several, is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("empty.ipa", ZipBytes().archive())
    try folder.makeFile("text.ipa", "no zip")
    try folder.makeFolder("Empty.app")
    try SampleApp().write(to: folder, as: "Two/One.app")
    try SampleApp().write(to: folder, as: "Two/Two.app")
    try folder.makeFile("Game.app.dSYM/Contents/Info.plist", "x")
    try folder.makeFile("nothing.ipa", "")
    var zip = ZipBytes()
    zip.add("Game/Info.plist", [1])
    try folder.makeFile("other.ipa", zip.archive())
    try folder.makeFile("half.ipa", Array(SampleApp().archive.prefix(2000)))
    #expect(error(folder.path("nothing.ipa"))?.hasSuffix("nothing.ipa' is empty") == true)
    #expect(error(folder.path("half.ipa"))?.contains("the ZIP archive is truncated") == true)
    #expect(error(folder.path("other.ipa"))?.contains("there is no app in") == true)
    #expect(error(folder.path("empty.ipa")) != nil)
    #expect(error(folder.path("text.ipa")) != nil)
    #expect(error(folder.path("Empty.app"))?.contains("there is no app in") == true)
    #expect(error(folder.path("Two"))?.contains("there are 2 apps in") == true)
    #expect(error(folder.path("Game.app.dSYM"))?.contains("only debug information") == true)
    #expect(error(folder.path("none.app")) != nil)
  }

  @Test func `links are not followed`() throws {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    sample.files["Game"] = nil
    try sample.write(to: folder)
    try folder.makeFile("secret", sample.app.program.bytes)
    try folder.remove("Game.app/Game")
    try folder.makeLink("Game.app/Game", to: folder.path("secret"))
    try folder.makeLink("Game.app/loop", to: ".")
    let found = try AppTrial.findings(at: folder.path("Game.app"))
    #expect(
      found.map(\.message) == [
        "the program cannot be read: it is a symbolic link, which is not followed"
      ])
    try folder.remove("Game.app/Info.plist")
    try folder.makeLink("Game.app/Info.plist", to: folder.path("secret"))
    let list = try AppTrial.findings(at: folder.path("Game.app"))
    #expect(list.map(\.id.name) == ["app.property-list"])
  }

  @Test func `an app has other apps, several extensions, spaces, and a link to it`() throws {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    // The apps in an app are not checked, and their extensions are not those of the app.
    for (path, bytes) in SampleApp().allFiles {
      sample.files["Watch/W.app/\(path)"] = bytes
      sample.files["AppClips/C.app/\(path)"] = bytes
      if path.contains(".appex/") {
        let rest = path.split(separator: "/").dropFirst(2).joined(separator: "/")
        sample.files["PlugIns/Share.appex/\(rest)"] = bytes
      }
    }
    let share = """
      <plist><dict><key>CFBundleExecutable</key><string>Share</string><key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string></dict></dict>
      </plist>
      """
    sample.files["PlugIns/Share.appex/Info.plist"] = Array(share.utf8)
    sample.files["PlugIns/Share.appex/Downloader"] = nil
    try sample.write(to: folder, as: "My Games/The Game é.app")
    try folder.makeLink("link.app", to: folder.path("My Games/The Game é.app"))
    for path in ["My Games/The Game é.app", "My Games", "link.app"] {
      #expect(try AppTrial.findings(at: folder.path(path)).map(\.message) == [], "\(path)")
    }
    // A program with two processors.
    let program = sample.app.program
    var signed = program
    signed.signature?.entitlements = SampleApp.Value.dictionary(sample.app.entitlements).document
    try folder.makeFile(
      "My Games/The Game é.app/Game", MachOBytes.fat([signed.bytes, signed.bytes]))
    #expect(try AppTrial.findings(at: folder.path("link.app")).map(\.message) == [])
    // A property list that is too large.
    try folder.makeFile(
      "My Games/The Game é.app/Info.plist", Array(repeating: 0x20, count: 5 << 20))
    #expect(
      try AppTrial.findings(at: folder.path("link.app")).map(\.id.name) == ["app.property-list"])
  }

  @Test func `deep folders, pipes, and names that lead out are bounded`() throws {
    let folder = try TemporaryFolder()
    try SampleApp().write(to: folder)
    try folder.makePipe("Game.app/pipe")
    #expect(error(folder.path("Game.app")) == nil)
    try folder.makeFile("Game.app/" + String(repeating: "d/", count: 90) + "x", "x")
    #expect(error(folder.path("Game.app"))?.contains("64 levels deep") == true)
    var zip = ZipBytes()
    for (path, bytes) in SampleApp().allFiles { zip.add("Payload/Game.app/\(path)", bytes) }
    zip.add("../../outside", [1])
    zip.add("Payload/Game.app/../Other.app/Info.plist", [1])
    try folder.makeFile("out.ipa", zip.archive())
    #expect(error(folder.path("out.ipa")) == nil)
  }

  @Test func `a program path that leads out of the app is missing`() throws {
    let trial = AppTrial { $0.nameProgram("../../secret") }
    #expect(try trial.findings().map(\.id.name) == ["app.program"])
  }

  @Test func `changed bytes of an archive are an error or findings`() throws {
    let folder = try TemporaryFolder()
    let whole = SampleApp().archive
    var random = Seeded(seed: 56)
    for number in 0..<60 {
      var bytes = whole
      if number.isMultiple(of: 2) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      } else {
        for _ in 0..<8 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
      }
      try folder.makeFile("a.ipa", bytes)
      _ = try? AppTrial.findings(at: folder.path("a.ipa"))
    }
  }
}
