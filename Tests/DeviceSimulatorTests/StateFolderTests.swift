import BAPackKit
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import DeviceSimulator

@Suite final class StateFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("device") }

  /// A device after some steps, without what is around it.
  private func device(_ more: String = "") -> DeviceState {
    let text = """
      device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit
      release one
      install
      launch
      request cave
      set-language fr
      refuse island forest
      wait 3 days
      \(more)
      """
    var state = Lantern.play(text).state
    state.server = nil
    return state
  }

  private func keep(_ state: DeviceState) throws {
    let folder = try StateFolder(path)
    let known = ReleaseReader.KnownVersion(version: 3, size: 5, sha256: "ab", path: "")
    try folder.keep(state, versions: ["cave": known])
  }

  @Test func `a device that was kept is the same device`() throws {
    let state = device()
    try keep(state)
    let again = try StateFolder(path)
    #expect(again.state.profile == state.profile)
    #expect(again.state.installedIDs == state.installedIDs)
    for id in state.installedIDs {
      let (own, theirs) = (state.installed[id], again.state.installed[id])
      #expect(own?.pack.contents == theirs?.pack.contents)
      #expect(own?.pack.offered == theirs?.pack.offered)
      #expect(own?.isAskedFor == theirs?.isAskedFor)
    }
    #expect(again.state.manifest?.packs.map(\.offered) == state.manifest?.packs.map(\.offered))
    #expect(again.state.manifest?.packs.map(\.version) == state.manifest?.packs.map(\.version))
    #expect(again.state.chosenLanguage == state.chosenLanguage)
    #expect(again.state.refused == state.refused)
    #expect(again.state.clock == state.clock && again.state.lastPoll == state.lastPoll)
    #expect(again.state.lastLaunch == state.lastLaunch)
    #expect(again.state.hasApp && again.state.used == state.used)
    #expect(again.versions["cave"]?.version == 3)
    // It knows what it was told, also without a network.
    #expect(again.state.status(of: "tutorial") == [.upToDate, .downloaded])
    #expect(again.state.status(of: "forest") == [.downloadAvailable])
  }

  @Test(arguments: [
    SystemCall.open, .read, .write, .status, .readDirectory, .sync, .truncate, .rename, .link,
    .unlink, .makeDirectory, .changeMode, .lock,
  ])
  func `whatever the system refuses, what is kept is the device before or after`(
    call: SystemCall
  ) throws {
    let before = device()
    let after = device("remove cave")
    var successes = 0
    for number in 1...40 where successes < 2 {
      try keep(before)
      let failure = ForcedFailure(call, .fail(EIO), times: 1, skipping: number - 1)
      let error = Faults.inject(failure) { () -> PackError? in
        do {
          try keep(after)
          return nil
        } catch { return error as? PackError }
      }
      let kept = try StateFolder(path).state
      let ids = kept.installedIDs
      #expect(ids == before.installedIDs || ids == after.installedIDs, "\(call) \(number)")
      if error == nil {
        #expect(ids == after.installedIDs)
        successes += 1
      }
      #expect(
        kept.find("Levels/tutorial.json", World([])).answer
          == .readable(["tutorial"], haveSameBytes: false))
    }
  }

  @Test func `lists that a killed run left behind go with the next one`() throws {
    try keep(device())
    try folder.makeFile("device/files-2", "left")
    try folder.makeFile("device/files-77", "left")
    try folder.makeFile("device/files-of-mine", "mine")
    try keep(device())
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
        "files-2", "files-of-mine", "state.json",
      ])
    #expect(try StateFolder(path).state.installedIDs == device().installedIDs)
  }

  @Test func `a folder with other things is refused, and keeps them`() throws {
    try folder.makeFile("device/packs/tutorial.aar", "a pack")
    let error = #expect(throws: PackError.self) { try keep(device()) }
    #expect(error?.message.contains("such as 'packs'") == true)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: path).count == 2)
    // What a killed run leaves is no reason, and what nobody of us wrote stays in any case.
    try folder.remove("device/packs")
    try folder.makeFile("device/files-1", "x")
    try folder.makeFile("device/.state.json.xyz", "x")
    try folder.makeFile("device/downloaded/tutorial.aar", "a pack")
    try keep(device())
    #expect(try folder.contents("device/downloaded/tutorial.aar") == Array("a pack".utf8))
    let permissions =
      try FileManager.default.attributesOfItem(atPath: path + "/state.json")[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test func `a text that we did not write is refused, and nothing else happens`() throws {
    let state = device()
    let text = KeptDevice(state, [:], number: 1, downloadingTo: "packs").text
    let files = KeptDevice(state, [:], number: 1, downloadingTo: "packs").files
    let signs = "0123456789-\"{}[],:truefalsn"
    var refused = 0
    for bytes in [text] + FuzzCorpus.mutations(of: [text], count: 120, signs: signs) {
      do throws(PackError) {
        let kept = try KeptDevice(reading: bytes, named: "state.json", downloadingTo: "packs") {
          _ in
          files
        }
        // What can be read can be written again, and is the same.
        let again = try KeptDevice(reading: kept.text, named: "state.json", downloadingTo: "packs")
        {
          _ in kept.files
        }
        #expect(again.text == kept.text)
      } catch {
        refused += 1
        #expect(error.message.contains("'state.json'"))
        #expect(error.remedies.count == 1)
      }
    }
    #expect(refused > 30)
  }

  @Test(arguments: [
    (#"{"format": "2"}"#, "was kept by another version"), ("{}", "is no device that was kept"),
    ("", "is no device that was kept"), (#"{"format": "1", "files": -1}"#, "is no device"),
    (#"{"format": "1", "files": 3}"#, "cannot open"),
  ])
  func `states of others are told by their file`(text: String, message: String) throws {
    try folder.makeFile("device/state.json", text)
    let error = #expect(throws: PackError.self) { _ = try StateFolder(path) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("device/") == true)
  }

  @Test func `pack after pack takes its own paths, also from a list that lies`() throws {
    for count in ["-1", "99999999999999", "1e9", "4"] {
      let pack = """
        {"id": "a", "version": 1, "bytes": 5, "unpacked": 1, "policy": "onDemand", "events": [],
         "platforms": [], "place": "", "asked": true, "files": \(count)}
        """
      let text = """
        {"format": "1", "device": {"platform": "iOS", "os": 27, "languages": []}, "app": true,
         "clock": 0, "poll": 0, "files": 1, "refused": [], "packs": [\(pack)], "versions": []}
        """
      #expect(throws: PackError.self) {
        _ = try KeptDevice(reading: Array(text.utf8), named: "s", downloadingTo: "") { _ in
          Array("1 a\u{0}1 b\u{0}x c\u{0}".utf8)
        }
      }
    }
  }
}
