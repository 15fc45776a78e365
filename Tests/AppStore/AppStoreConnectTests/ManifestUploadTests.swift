import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AppStoreMock

/// Uploads with their manifests as separate files: kills, faults, and other archives.
@Suite(.mustEnd) struct ManifestUploadTests {
  private func checkManifest(_ desk: UploadDesk, _ moments: [Int]) throws {
    let mock = desk.mock
    #expect(mock.versions.count == 1, "\(moments)")
    #expect(mock.mockFiles.map(\.kind) == [.manifest, .asset], "\(moments)")
    #expect(mock.commits == 2, "\(moments)")
    #expect(mock.manifest(ofVersion: 1) == desk.manifest, "\(moments)")
    #expect(try mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"), "\(moments)")
    #expect(desk.notices.contains(.manifestAccepted), "\(moments)")
  }

  @Test func `after a kill at any point, the next run completes manifest and archive once`()
    throws
  {
    var moment = 0
    while true {
      let (desk, isLast) = try UploadDesk.run(killedAt: [moment], checkingManifest: true)
      try checkManifest(desk, [moment])
      if isLast { break }
      moment += 1
    }
    #expect(moment > 24)
  }

  @Test func `the version of a killed run with another manifest is not used`() throws {
    var point = 0
    var kept = 0
    while true {
      let desk = try UploadDesk { $0.commitState = .complete }
      desk.options.checksManifest = true
      let first = (try desk.folder.contents("cave.aar"), desk.manifest)
      desk.manifest = Array("{\"assetPackID\": \"cave\", \"other\": 1}".utf8)
      try desk.write(2222, seed: 4)
      var count = 0
      desk.mock.interference = { _, _, _ in
        defer { count += 2 }
        return count == point ? .killBefore : count + 1 == point ? .killAfter : nil
      }
      let isLast = (try? desk.upload()) != nil
      desk.mock.revive()
      try desk.folder.makeFile("cave.aar", first.0)
      desk.manifest = first.1
      let before = desk.notices.count
      let number = try #require(try desk.upload()?.number, "\(point)")
      #expect(desk.mock.bytes(ofVersion: number) == first.0, "\(point)")
      #expect(desk.mock.manifest(ofVersion: number) == first.1, "\(point)")
      #expect(desk.notices.dropFirst(before).contains(.manifestAccepted), "\(point)")
      let leaves = desk.notices.contains {
        if case .remark(.hasOtherManifest) = $0 { true } else { false }
      }
      if leaves {
        kept += 1
        #expect(number == 2, "\(point)")
      }
      if isLast { break }
      point += 1
    }
    #expect(kept > 3)
  }

  @Test func `a version with a manifest that is not in the journal is left`() throws {
    let desk = try UploadDesk { $0.commitState = .complete }
    desk.options.checksManifest = true
    desk.mock.interference = { method, path, number in
      method == "POST" && path.hasSuffix("backgroundAssetUploadFiles") && number == 1
        ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    // An older program wrote no manifest to the journal.
    do {
      let journals = try desk.journals()
      var journal = try journals.lock("cave")
      journal.current?.manifest = nil
      try journals.save(journal)
    }
    #expect(try desk.upload()?.number == 2)
    #expect(desk.mock.manifest(ofVersion: 2) == desk.manifest)
    #expect(
      desk.notices.contains {
        if case .remark(.hasOtherManifest(let version)) = $0 { version.number == 1 } else { false }
      })
  }

  @Test func `expired addresses of a manifest lead to a new version`() throws {
    let desk = try UploadDesk { $0.commitState = .complete }
    desk.options.checksManifest = true
    desk.mock.interference = { _, path, _ in path.hasPrefix("/upload") ? .killBefore : nil }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    desk.advance(8 * 86_400)
    #expect(try desk.upload()?.number == 2)
    #expect(desk.mock.manifest(ofVersion: 2) == desk.manifest)
  }

  @Test func `a manifest that was damaged on its way is sent again`() throws {
    let desk = try UploadDesk { $0.commitState = .complete }
    desk.options.checksManifest = true
    try desk.mock.fail("PUT /upload/*: corrupt once")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.manifest(ofVersion: 1) == desk.manifest)
    #expect(desk.mock.puts == [0, 0, 0, 1, 2, 3])
  }

  @Test(.heavy) func `manifest and archive arrive after random kills, faults and other archives`()
    throws
  {
    for seed in 0..<300 {
      var random = Seeded(seed: UInt64(seed))
      let desk = try UploadDesk(Int.random(in: 1...3500, using: &random)) {
        $0.commitState = .complete
      }
      var archives = [(try desk.folder.contents("cave.aar"), desk.manifest)]
      archives.append((UploadDesk.bytes(1234, seed: 8), Array("{\"other\": \(seed % 3)}".utf8)))
      var last = 0
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        last = Int.random(in: 0...1, using: &random)
        try desk.folder.makeFile("cave.aar", archives[last].0)
        desk.manifest = archives[last].1
        desk.options.checksManifest = Bool.random(using: &random)
        let point = Int.random(in: 0..<60, using: &random)
        if Bool.random(using: &random) { try desk.mock.fail("PUT /upload/*: corrupt once") }
        var count = 0
        desk.mock.interference = { _, _, _ in
          defer { count += 2 }
          return count == point ? .killBefore : count + 1 == point ? .killAfter : nil
        }
        _ = try? desk.upload()
        desk.mock.revive()
        if Bool.random(using: &random) { desk.advance(8 * 86_400) }
      }
      last = Int.random(in: 0...1, using: &random)
      try desk.folder.makeFile("cave.aar", archives[last].0)
      desk.manifest = archives[last].1
      desk.options.checksManifest = true
      let before = desk.notices.count
      let number = try desk.upload()?.number
      if desk.notices.dropFirst(before).contains(.manifestAccepted), let number {
        #expect(desk.mock.manifest(ofVersion: number) == archives[last].1, "\(seed)")
        #expect(desk.mock.bytes(ofVersion: number) == archives[last].0, "\(seed)")
      }
      // Each committed archive is that of a run, and its version has its manifest or none.
      for version in desk.mock.versions {
        let bytes = desk.mock.bytes(ofVersion: version.number)
        let manifest = desk.mock.manifest(ofVersion: version.number)
        guard !bytes.isEmpty else { continue }
        let place = archives.firstIndex { $0.0 == bytes }
        #expect(place != nil, "\(seed)")
        if let place, !manifest.isEmpty { #expect(manifest == archives[place].1, "\(seed)") }
      }
    }
  }
}
