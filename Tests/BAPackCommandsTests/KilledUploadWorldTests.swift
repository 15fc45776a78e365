import AppStoreMock
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BAPackCommands

/// The program itself, killed without a word while it uploads.
@Suite(.mustEnd) struct KilledUploadWorldTests {
  /// How many kills make the test.
  private static let kills = 200
  /// After so many kills, the pack is brought to its end and another one begun.
  private static let killsOfOne = 5

  @Test(.world)
  func `killed at 200 random moments, uploads make one version each, whole and completed once`()
    throws
  {
    // With a checksum, completing proves that all bytes are there.
    let site = try MockedService { $0.md5 = "compare" }
    func words(_ path: String) -> [String] { ["upload", path, "--checksum", "md5"] }
    let start = ContinuousClock.now
    #expect(try site.runProgram(words(try site.pack("first", 100_000))).status == 0)
    let duration = max(20, Int((ContinuousClock.now - start) / .milliseconds(1)))

    var seeded = Seeded(seed: 18)
    var kills = 0
    var packs = 1
    while kills < Self.kills {
      let id = "pack-\(packs)"
      let path = try site.pack(id, 100_000, seed: UInt8(truncatingIfNeeded: packs))
      packs += 1
      let before = kills
      // A pack that was faster than all kills is no harm: others are killed instead.
      for _ in 0..<2 * Self.killsOfOne where kills < min(Self.kills, before + Self.killsOfOne) {
        let due = ContinuousClock.now + .milliseconds(1 + seeded.next(below: duration))
        let run = try site.runProgram(
          words(path),
          interrupted: .init(signal: SIGKILL) { _ in ContinuousClock.now >= due })
        #expect(run.wasSignalled || run.status == 0, "\(run.messages)")
        kills += run.wasSignalled ? 1 : 0
      }
      let last = try site.runProgram(words(path) + ["--wait"])
      #expect(last.status == 0, "\(last.messages)")
      #expect(!last.messages.contains("checksum"), "\(last.messages)")
      let status = site.run("app-store", "status", id, "--format", "json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(status.outputBytes)) as? [String: Any])
      let versions = try #require(object["versions"] as? [[String: Any]])
      #expect(versions.count == 1, "\(id)")
      #expect(versions.first?["state"] as? String == "COMPLETE", "\(id)")
    }
    #expect(kills == Self.kills)
    // The mock hears what was done for a killed run, too: no version and no file was made or completed
    // a second time.
    for (method, path, status) in [
      ("POST", "/v1/backgroundAssets", 201), ("POST", "/v1/backgroundAssetVersions", 201),
      ("POST", "/v1/backgroundAssetUploadFiles", 201),
      ("PATCH", "/v1/backgroundAssetUploadFiles/*", 200),
    ] {
      let made = site.heard(method, path).filter { $0.status == status }
      #expect(made.count == packs, "\(method) \(path)")
    }
    #expect(site.mock.violations.isEmpty)
  }
}
