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

  /// Returns the state of a device after some steps, without its surroundings.
  private func device(_ more: String = "") -> DeviceState {
    let text = """
      device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit
      release one
      fault voices-es-us: cut 0 once
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
    let folder = try StateFolder(path, .unstoppable)
    let known = ReleaseReader.KnownVersion(version: 3, size: 5, sha256: "ab", path: "")
    try folder.keep(state, versions: ["cave": known])
  }

  @Test func `a saved device is the same device`() throws {
    let state = device()
    try keep(state)
    let again = try StateFolder(path, .unstoppable)
    #expect(again.state.profile == state.profile)
    #expect(again.state.installedIDs == state.installedIDs)
    for id in state.installedIDs {
      let (own, theirs) = (state.installed[id], again.state.installed[id])
      #expect(own?.pack.contents == theirs?.pack.contents)
      #expect(own?.pack.offered == theirs?.pack.offered)
      #expect(own?.isRequested == theirs?.isRequested)
    }
    #expect(again.state.manifest?.packs.map(\.offered) == state.manifest?.packs.map(\.offered))
    #expect(again.state.manifest?.packs.map(\.version) == state.manifest?.packs.map(\.version))
    #expect(again.state.chosenLanguage == state.chosenLanguage)
    #expect(again.state.refused == state.refused && again.state.missed == ["voices-es-us"])
    #expect(again.state.clock == state.clock && again.state.lastPoll == state.lastPoll)
    #expect(again.state.lastLaunch == state.lastLaunch)
    #expect(again.state.hasApp && again.state.used == state.used)
    #expect(again.versions["cave"]?.version == 3)
    // The manifest is also available offline.
    #expect(again.state.status(of: "tutorial") == [.upToDate, .downloaded])
    #expect(again.state.status(of: "forest") == [.downloadAvailable])
  }

  @Test(arguments: [
    SystemCall.open, .read, .write, .status, .readDirectory, .sync, .truncate, .rename, .link,
    .unlink, .makeDirectory, .changeMode, .lock,
  ])
  func `after any failed system call, the saved state is the old or the new one`(
    call: SystemCall
  ) throws {
    let before = device()
    let after = device("remove cave")
    var successes = 0
    for number in 1...40 where successes < 2 {
      try keep(before)
      let failure = ForcedFailure(call, .fail(EIO), times: 1, skipping: number - 1)
      let error = ForcedFailures.inject(failure) { () -> PackError? in
        do {
          try keep(after)
          return nil
        } catch { return error as? PackError }
      }
      let kept = try StateFolder(path, .unstoppable).state
      let ids = kept.installedIDs
      #expect(ids == before.installedIDs || ids == after.installedIDs, "\(call) \(number)")
      if error == nil {
        #expect(ids == after.installedIDs)
        successes += 1
      }
      #expect(
        kept.find("Levels/tutorial.json", ReleaseSource([])).answer
          == .readable(["tutorial"], haveSameBytes: false))
    }
  }

  private func names(_ name: String = "device") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
  }

  private func permissions(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
    return attributes[.posixPermissions] as? Int
  }

  /// Returns all files of the device folder with their contents.
  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      files[name] = (try? folder.contents("device/" + name)) ?? []
    }
    return files
  }

  @Test func `the next run replaces the lists of a killed run, and no other files`() throws {
    try keep(device())
    try folder.makeFile("device/files-2", "left")
    try folder.makeFile("device/files-3", "mine")
    try folder.makeFile("device/files-77", "mine")
    try folder.makeFile("device/state.journal", "device-journal 1\n\nfiles-2\n\nfiles-")
    try keep(device())
    // The list of a killed run belongs to the device and is replaced.
    #expect(try names() == ["files-2", "files-3", "files-77", "state.json"])
    #expect(try folder.contents("device/files-2") != Array("left".utf8))
    try keep(device())
    // A file of the user is neither replaced nor removed.
    #expect(try names() == ["files-3", "files-4", "files-77", "state.json"])
    #expect(try folder.contents("device/files-3") == Array("mine".utf8))
    #expect(try folder.contents("device/files-77") == Array("mine".utf8))
    #expect(try StateFolder(path, .unstoppable).state.installedIDs == device().installedIDs)
  }

  @Test(arguments: [
    "packs/tutorial.aar", "downloaded/pack-61-1.aar", "files-1", ".hidden", "state.json.lock/x",
    "notes.txt",
  ])
  func `a folder with files that is not a device folder is refused`(name: String) throws {
    try folder.makeFile("device/\(name)", "mine")
    try folder.makeFile("device/zzz", "mine")
    let before = try files()
    let error = #expect(throws: PackError.self) { try keep(device()) }
    #expect(error?.message.contains("is not the folder of a device") == true)
    #expect(error?.remedies.count == 1)
    #expect(try files() == before)
  }

  @Test func `only a valid journal marks a device folder`() throws {
    try folder.makeFile("device/files-1", "x")
    try folder.makeFile("device/downloaded/tutorial.aar", "a pack")
    try folder.makeFile("device/state.journal", "device-journal 1\n\nfiles-1\n")
    try keep(device())
    #expect(try folder.contents("device/downloaded/tutorial.aar") == Array("a pack".utf8))
    #expect(try names() == ["downloaded", "files-1", "state.json"])
    for text in ["a diary", "device-journal 2\nfiles-1\n"] {
      try folder.makeFile("other/state.journal", text)
      try folder.makeFile("other/files-1", "mine")
      let error = #expect(throws: PackError.self) {
        _ = try StateFolder(folder.path("other"), .unstoppable)
      }
      #expect(error?.message.contains("state.journal") == true)
      #expect(try folder.contents("other/files-1") == Array("mine".utf8))
      #expect(try folder.contents("other/state.journal") == Array(text.utf8))
    }
  }

  @Test func `only the user can read saved files`() throws {
    try keep(device())
    #expect(try permissions("device/state.json") == 0o600)
    #expect(try permissions("device/files-1") == 0o600)
    let kept = try StateFolder(path, .unstoppable)
    _ = try kept.makeDownloads()
    #expect(try permissions("device/state.journal") == 0o600)
  }

  /// Returns a source whose downloads write the contents `pack`, to an archive or a partial file.
  private func source(of kept: borrowing StateFolder, half: Bool = false) throws -> ReleaseSource {
    let packs = try kept.makeDownloads()
    let release = Release(
      "r",
      Lantern.one.packs.map { pack in
        var pack = pack
        pack.contents = nil
        pack.place = "https://a.example/\(pack.id)"
        return pack
      })
    let source = ReleaseSource(
      manifest: { _, _ in .success(release) },
      download: { pack in
        let path = RemoteServer.place(of: pack, in: packs)
        let name = half ? path + ".part" : path
        guard (try? AtomicFile.write(Array("pack".utf8), to: name, replacing: true)) != nil,
          (try? AtomicFile.write([], to: path + ".part-of", replacing: true)) != nil
        else { return .failure(ReleaseFailure("cannot write")) }
        if half { return .failure(ReleaseFailure("half")) }
        var delivered = pack
        delivered.place = path
        return .success(delivered)
      })
    return kept.noting(source)
  }

  private func archive(_ id: String) -> String {
    RemoteServer.place(of: Lantern.pack(PackID(id), .onDemand), in: "device/downloaded")
  }

  /// Plays steps with downloads, and keeps the device unless the run is killed.
  private func run(_ steps: [Step], half: Bool = false, isKilled: Bool = false) throws {
    let kept = try StateFolder(path, .unstoppable)
    var state = kept.state
    state.server = 0
    let source = try source(of: kept, half: half)
    for step in steps { state = state.after(step, in: source).state }
    if !isKilled { try kept.keep(state, versions: [:]) }
  }

  @Test func `only archives that the device created are removed when they are not needed`() throws {
    try run([.install, .request(["cave"], latest: false)])
    for name in ["pack-mine.txt", "pack-61-1.aar", "pack-61-1.aar.part", "x.aar"] {
      try folder.makeFile("device/downloaded/\(name)", "mine")
    }
    let mine = ["pack-61-1.aar", "pack-61-1.aar.part", "pack-mine.txt", "x.aar"]
    let own = ["cave", "island", "tutorial"].map { FilePath(archive($0)).name.shown }
    #expect(try names("device/downloaded") == (own + mine).sorted())
    try run([.remove(["cave"])])
    #expect(try names("device/downloaded") == (own.dropFirst() + mine).sorted())
    // The journal lists the archive of a killed run. The archive becomes a partial download, and
    // the next download removes the partial files.
    try run([.request(["cave"], latest: false)], isKilled: true)
    #expect(try names("device").contains("state.journal"))
    try run([])
    let beginning = [own[0] + ".part", own[0] + ".part-of"]
    #expect(try names("device/downloaded") == (own.dropFirst() + mine + beginning).sorted())
    try run([.request(["cave"], latest: false)])
    #expect(try names("device/downloaded") == (own + mine).sorted())
    for name in mine {
      #expect(try folder.contents("device/downloaded/\(name)") == Array("mine".utf8))
    }
    #expect(try names("device") == ["downloaded", "files-4", "state.json"])
  }

  @Test func `a file of the user with the name of an archive is not replaced`() throws {
    try run([.install])
    try folder.makeFile(archive("cave"), "mine")
    let kept = try StateFolder(path, .unstoppable)
    var state = kept.state
    state.server = 0
    let events = state.after(.request(["cave"], latest: false), in: try source(of: kept)).events
    let reasons = events.compactMap { event -> String? in
      if case .failed("cave", .trouble(let reason)) = event.kind { reason } else { nil }
    }
    #expect(reasons.count == 1 && reasons[0].contains("the device did not download; move the file"))
    #expect(try folder.contents(archive("cave")) == Array("mine".utf8))
  }

  @Test func `no link in the folder is followed`() throws {
    try run([.install, .request(["cave"], latest: false)])
    let home = folder.path("home")
    let cave = FilePath(archive("cave")).name.shown
    for name in ["pack-61-1.aar", cave, "files-1", "state.journal"] {
      try folder.makeFile("home/\(name)", "mine")
    }
    let before = try names("home")
    func refuses(_ name: String, _ target: String) throws {
      let kept = folder.path("device/\(name)")
      try FileManager.default.moveItem(atPath: kept, toPath: folder.path("aside"))
      try FileManager.default.createSymbolicLink(atPath: kept, withDestinationPath: target)
      let error = #expect(throws: PackError.self) { try run([.remove(["cave"])]) }
      #expect(error?.message.contains("device/") == true)
      #expect(error?.remedies.isEmpty == false)
      try FileManager.default.removeItem(atPath: kept)
      try FileManager.default.moveItem(atPath: folder.path("aside"), toPath: kept)
      #expect(try names("home") == before)
    }
    try refuses("downloaded", home)
    try refuses("downloaded/\(cave)", home + "/\(cave)")
    try refuses("files-1", home + "/files-1")
    try refuses("state.json", home + "/files-1")
    for name in before { #expect(try folder.contents("home/\(name)") == Array("mine".utf8)) }
    // The device itself is unchanged.
    try run([.remove(["cave"])])
    #expect(try !names("device/downloaded").contains(cave))
  }

  @Test(arguments: ["..", "../home/x.aar", "pack-61-1.aar/../x.aar", "/etc/passwd", "", "files-01"])
  func `a state file with an invalid file name is damaged`(name: String) throws {
    try run([.install, .request(["cave"], latest: false)])
    try folder.makeFile("home/x.aar", "mine")
    let text = String(decoding: try folder.contents("device/state.json"), as: UTF8.self)
    let cave = FilePath(archive("cave")).name.shown
    for changed in [
      text.replacing("\"\(cave)\"", with: "\"\(name)\""),
      text.replacing("\"made\": []", with: "\"made\": [\"\(name)\"]"),
    ] {
      #expect(changed != text)
      try folder.makeFile("device/state.json", changed)
      let before = try files()
      let error = #expect(throws: PackError.self) { try run([.remove(["cave"])]) }
      #expect(error?.message.contains("damaged") == true, "\(error?.message ?? "")")
      #expect(try files() == before)
    }
    #expect(try folder.contents("home/x.aar") == Array("mine".utf8))
  }

  @Test func `a text from another program is an error or a valid state`() throws {
    let state = device()
    let kept = KeptDevice().changed(to: state, [:], number: 1, downloadingTo: "packs")
    let text = try kept.encoded()
    let characters = "0123456789-\"{}[],:truefalsn"
    var refused = 0
    for bytes in [text] + FuzzCorpus.mutations(of: [text], count: 120, signs: characters) {
      do throws(StateFault) {
        let read = try KeptDevice.read(bytes, named: "state.json").document
        _ = try read.device(downloadingTo: "packs", PathList.bytes(of: state))
        // A state that can be read can be written again without changes.
        let again = try? KeptDevice.read((try? read.encoded()) ?? [], named: "").document
        #expect(again?.members == read.members)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 30)
  }

  @Test(arguments: [
    (#"{"format": "2"}"#, "a newer version of this program wrote the kept device, in format 2"),
    (#"{"format": 2, "device": {}}"#, "in format 2"), (#"{"format": 2, "x""#, "in format 2"),
    ("{}", "'format' is missing"), (#"{"format": null}"#, "'format' is missing"),
    ("[]", "is damaged"), ("x", "is damaged"), (#"{"format": "1", "files": -1}"#, "is damaged"),
    (#"{"format": 1, "files": 3}"#, "is damaged"),
  ])
  func `an unreadable state is kept byte for byte`(text: String, message: String) throws {
    try keep(device())
    try folder.makeFile("device/state.json", text)
    let before = try files()
    let error = #expect(throws: PackError.self) { try keep(device()) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("device/state.json") == true)
    #expect(error?.remedies.isEmpty == false)
    #expect(try files() == before)
  }

  @Test func `a state without its list of paths is an error`() throws {
    try keep(device())
    try folder.remove("device/files-1")
    let before = try files()
    let error = #expect(throws: PackError.self) { try keep(device()) }
    #expect(error?.message.contains("device/files-1") == true)
    #expect(try files() == before)
  }

  @Test func `unknown members are kept`() throws {
    try keep(device())
    let text = String(decoding: try folder.contents("device/state.json"), as: UTF8.self)
    let changed = text.replacing("\"app\":", with: "\"later\": {\"a\": [1, null]},\n  \"app\":")
      .replacing("\"os\":", with: "\"model\": \"x\",\n    \"os\":")
      .replacing("\"asked\":", with: "\"pinned\": true,\n      \"asked\":")
    try folder.makeFile("device/state.json", changed)
    try keep(device())
    let kept = String(decoding: try folder.contents("device/state.json"), as: UTF8.self)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(kept.utf8)) as? [String: Any])
    #expect((json["later"] as? [String: [Any]])?["a"]?.count == 2)
    #expect((json["device"] as? [String: Any])?["model"] as? String == "x")
    let packs = try #require(json["packs"] as? [[String: Any]])
    #expect(packs.count == 3 && packs.allSatisfy { $0["pinned"] as? Bool == true })
  }
}
