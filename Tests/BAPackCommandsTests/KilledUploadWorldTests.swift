import AppStoreMock
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// The program itself, killed without a word while it uploads.
@Suite(.timeLimit(.minutes(10))) struct KilledUploadWorldTests {
  @Test(.world)
  func `killed at 200 random moments, uploads make one version each, whole and completed once`()
    throws
  {
    let site = try MockedService()
    var seeded = Seeded(seed: 18)
    var environment = site.environment
    environment["https_proxy"] = ""
    var kills = 0
    for round in 0..<40 {
      let path = try site.pack("pack-\(round)", 100_000, seed: UInt8(round + 1))
      let words = ["upload", path, "--app", MockedService.bundleID]
      for _ in 0..<5 {
        let due = ContinuousClock.now + .milliseconds(1 + seeded.next(below: 120))
        let run = try BuiltProgram.run(
          words, environment: environment,
          interrupted: .init(signal: SIGKILL) { _ in ContinuousClock.now >= due })
        kills += run.wasSignalled ? 1 : 0
      }
      let last = try BuiltProgram.run(words + ["--wait"], environment: environment)
      #expect(last.status == 0, "\(last.messages)")
      let status = site.run("app-store", "status", "pack-\(round)", "--format", "json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(status.outputBytes)) as? [String: Any])
      let versions = try #require(object["versions"] as? [[String: Any]])
      // The mock reads the archive: what is complete had all its bytes.
      #expect(versions.count == 1, "\(round)")
      #expect(versions.first?["state"] as? String == "COMPLETE", "\(round)")
    }
    #expect(kills > 50)
    #expect(site.mock.violations.isEmpty)
  }
}
