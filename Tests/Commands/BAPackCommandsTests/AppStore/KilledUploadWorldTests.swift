import AppStoreMock
import BlockCodecs
import Faults
import Foundation
import Glibc
import SystemIO
import TerminalText
import TestSupport
import Testing

@testable import BAPackCommands

/// The built program, killed with SIGKILL while it uploads.
@Suite(.mustEnd) struct KilledUploadWorldTests {
  /// The number of kills in one of eight parts of the test.
  private static let kills = 25
  /// After this number of kills, the upload of the pack is completed and another one begins.
  private static let killsOfOne = 5

  @Test(.world, arguments: 0..<8)
  func `after 200 kills, uploads have created and completed one version each`(
    part: Int
  ) throws {
    // With a checksum, completion proves that all bytes were received.
    let site = try MockedService { $0.md5 = .compare }
    func arguments(_ path: String) -> [String] { ["upload", path, "--checksum", "md5"] }
    #expect(try site.runProgram(arguments(try site.pack("first", 100_000))).status == 0)
    let requests = site.mock.events.count

    var seeded = Seeded(seed: UInt64(18 + part))
    var kills = 0
    var packs = 1
    while kills < Self.kills {
      let id = "pack-\(packs)"
      let path = try site.pack(id, 100_000, seed: UInt8(truncatingIfNeeded: packs))
      packs += 1
      let before = kills
      // A pack that was uploaded before a kill is skipped; others are killed instead.
      for _ in 0..<2 * Self.killsOfOne where kills < min(Self.kills, before + Self.killsOfOne) {
        let due = site.mock.events.count + seeded.next(below: requests)
        let run = try site.runProgram(
          arguments(path),
          interrupted: .init(signal: SIGKILL) { _ in site.mock.events.count >= due })
        #expect(run.wasSignalled || run.status == 0, "\(run.messages)")
        kills += run.wasSignalled ? 1 : 0
        // The last request of the killed run can arrive later than the next run starts.
        while !site.isIdle { usleep(1000) }
      }
      let last = try site.runProgram(arguments(path) + ["--wait"])
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
    // The mock counts requests of a killed run, too: each version and file is created and completed
    // once.
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

  // MARK: Killed uploads of a file that changes

  /// The MD5 digests that complete uploads declared, in their order.
  private final class Declared: Sendable {
    private let all = Noted<String>()

    /// Records the request of an upload that was completed.
    func note(_ exchange: MockExchange) {
      guard exchange.method == "PATCH", exchange.status == 200,
        exchange.path.hasPrefix("/v1/backgroundAssetUploadFiles/"),
        let object = try? JSONSerialization.jsonObject(with: Data(exchange.body)),
        let data = (object as? [String: Any])?["data"] as? [String: Any],
        let attributes = data["attributes"] as? [String: Any],
        let checksums = attributes["sourceFileChecksums"] as? [String: Any],
        let hash = (checksums["file"] as? [String: Any])?["hash"] as? String
      else { return }
      all.add(hash)
    }

    var checksums: [String] { all.all }
  }

  private static func arguments(_ path: String) -> [String] {
    ["upload", path, "--checksum", "md5"]
  }

  private static func checksum(_ path: String) throws -> String {
    var digest = try Digest(.md5)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    unsafe digest.update(bytes.span.bytes)
    return hexadecimal(digest.finish())
  }

  private static let faults = [
    "PUT *: drop", "PUT *: apply-and-drop", "PUT *: status 503", "PUT *: reset 9000",
    "PUT *: corrupt", "PUT *: storage RequestTimeout", "PUT *: truncate", "PUT *: no-etag",
    "GET *: drop", "GET *: status 503", "GET *: truncate", "GET *: apply-and-drop",
    "POST *: drop", "POST *: apply-and-drop", "POST *: status 503", "POST *: truncate",
    "PATCH *: drop", "PATCH *: apply-and-drop", "PATCH *: status 503", "PATCH *: truncate",
  ]

  /// The changes of a file during a run.
  private enum Happening: Equatable {
    case nothing
    case change(FileChange)
    /// Another archive of the pack replaces the file.
    case replacement

    init(_ random: inout Seeded) {
      let changes = FileChange.allCases
      self =
        switch random.next(below: 3) {
        case 0: .nothing
        case 1: .change(changes[random.next(below: changes.count)])
        default: .replacement
        }
    }
  }

  /// Runs the program many times, with kills, file changes and faults by a seed, and then once
  /// without them.
  ///
  /// Every third run has a second one at the same time.
  private func play(seed: UInt64, runs: Int, _ archives: [[UInt8]]) throws {
    var random = Seeded(seed: seed)
    let declared = Declared()
    let faults = (0..<5).map { _ in
      Self.faults[random.next(below: Self.faults.count)] + " call \(1 + random.next(below: 20))"
    }
    let site = try MockedService(faults: faults, observer: .init(exchanged: declared.note)) {
      $0.md5 = .compare
    }
    let path = site.folder.path("pack.aar")
    var current = 0
    // The digests of all states of the file.
    var states: Set<String> = []
    for _ in 0..<runs {
      try site.folder.makeFile("pack.aar", archives[current])
      states.insert(try Self.checksum(path))
      let happening = Happening(&random)
      var file: ChangingFile?
      if case .change(let change) = happening { file = try ChangingFile(path, by: change) }
      let places = (0..<4).map { _ in random.next(below: archives[current].count / 2) }
      // The numbers of responses after which the file changes, and the run is killed.
      let start = site.mock.events.count
      let changeAt = start + random.next(below: 10)
      let isKilled = random.next(below: 3) > 0
      let killAt = isKilled ? start + random.next(below: 16) : .max
      let other = 1 - current
      var isDone = false
      let (environment, count) = (site.environment, random.next(below: 3) == 0 ? 1 : 0)
      let second = try WorkerThreads(count, stop: {}) {
        _ = try? BuiltProgram.run(
          Self.arguments(path) + ["--app", MockedService.bundleID],
          environment: environment.merging(["https_proxy": "", "HTTPS_PROXY": ""]) { $1 })
      }
      _ = try site.runProgram(
        Self.arguments(path),
        interrupted: .init(signal: SIGKILL) { _ in
          let requests = site.mock.events.count
          if !isDone, requests >= changeAt {
            isDone = true
            switch happening {
            case .nothing: break
            case .change(let change): try? file?.apply(change, at: places)
            case .replacement:
              try? Data(archives[other]).write(to: URL(filePath: path), options: .atomic)
            }
          }
          return requests >= killAt
        })
      second.join()
      // A change of single bytes can be a valid archive, too.
      states.insert(try Self.checksum(path))
      if isDone, happening == .replacement { current = other }
    }
    try site.folder.makeFile("pack.aar", archives[current])
    try finish(site, declared.checksums, states, "seed \(seed), \(faults)")
  }

  /// Uploads once without kills, changes and faults, and checks all digests that were completed.
  private func finish(
    _ site: MockedService, _ checksums: @autoclosure () -> [String],
    _ states: Set<String>, _ what: String
  ) throws {
    let path = site.folder.path("pack.aar")
    try site.mock.apply(.removeAll)
    let last = try site.runProgram(Self.arguments(path) + ["--wait"])
    #expect(last.status == 0, "\(what): \(last.messages)")
    let seen = checksums()
    #expect(seen.allSatisfy(states.contains), "\(what): \(seen)")
    #expect(try seen.last == Self.checksum(path), "\(what): \(seen)")
    // No archive is completed twice in a row.
    #expect(!zip(seen, seen.dropFirst()).contains { $0 == $1 }, "\(what): \(seen)")
    #expect(site.mock.violations.isEmpty, "\(what): \(site.mock.violations)")
  }

  @Test(.world, arguments: 0..<20)
  func `in 300 runs with kills, file changes and faults, only states of the file are completed`(
    part: Int
  ) throws {
    let site = try MockedService()
    let archives = try [1, 2].map { seed in
      let path = try site.pack("pack", 90_000 + 7000 * seed, seed: UInt8(seed))
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
    try play(seed: UInt64(part), runs: 15, archives)
  }
}
