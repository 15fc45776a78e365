import BAPackKit
import Foundation
import Glibc
import SourceDiagnostics
import TestSupport
import Testing

/// A simulated operator that publishes packs for months.
///
/// The operator changes packs, removes and restores some, works with others at the same time, loses
/// files, restores old ones, makes errors in manual edits, and interrupts the program. A model of
/// the devices verifies the invariants.
@Suite("An operator of download manifests", .world, .mustEnd)
struct DownloadManifestOperatorTests {
  @Test(arguments: 1...6)
  func `no version has two archives, and no pack is lost`(seed: UInt64) throws {
    let work = try Operator(seed: seed)
    for _ in 0..<60 {
      try work.act()
      if work.hasFailed { return }
    }
    // Each type of event occurred often enough.
    #expect(work.counts.count >= 8, "\(work.counts)")
  }
}

private final class Operator {
  private let folder: TemporaryFolder
  private var random: Seeded
  private let ids = ["a", "b", "c", "d-1", "e.f", "caf\u{E9}"]
  /// The current contents of the archive of each pack.
  private var contents: [String: Int] = [:]
  private var nextContent = 0
  /// The history of devices: the bytes of each version.
  private var seen: [String: [Int: String]] = [:]
  /// The packs that the manifest must have.
  private var published: Set<String> = []
  private var comments: [String] = []
  private var backups: [(manifest: [UInt8], record: [UInt8])] = []
  private(set) var counts: [String: Int] = [:]
  private(set) var hasFailed = false
  private var story: [String] = []

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = Seeded(seed: seed)
    for id in ids { try change(id) }
    try publish(
      ["create", "-o", path("m.json"), "--url-template", "{base}/{id}/{version}.aar"]
        + base + ["--ios"] + ids.prefix(3).map(archive), as: Set(ids.prefix(3)))
  }

  private func path(_ name: String) -> String { folder.path(name) }
  private func archive(_ id: String) -> String { path("packs/\(id).aar") }
  private var base: [String] { ["--download-base-url", "https://d.example.com/p"] }
  private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private func fail(_ message: String) {
    hasFailed = true
    Issue.record("\(message)\n\(story.suffix(12).joined(separator: "\n"))")
  }

  private func run(
    _ arguments: [String], interrupted: BuiltProgram.Interruption? = nil
  ) throws -> BuiltProgram.Run {
    story.append(arguments.joined(separator: " "))
    let run = try BuiltProgram.run(["download-manifest"] + arguments, interrupted: interrupted)
    story.append("  \(run.status): \(run.messages)")
    return run
  }

  // MARK: Packs

  /// Changes the contents of a pack; sometimes it restores earlier contents.
  private func change(_ id: String) throws {
    let isBack = nextContent > 8 && number(0..<4) == 0
    let content = isBack ? number(0..<nextContent) : nextContent
    if !isBack { nextContent += 1 }
    contents[id] = content
    // Equal sizes, so that only the digest differs.
    try folder.makeFile("packs/\(id).aar", pack(id, contents: String(format: "%06d", content)))
  }

  private func some(_ all: [String]) -> [String] {
    let chosen = all.filter { _ in Bool.random(using: &random) }
    return chosen.isEmpty ? Array(all.prefix(1)) : chosen
  }

  // MARK: Invariants

  /// Checks the published files, as devices read them.
  private func check(changed: Set<String>) throws {
    let document = DownloadManifestDocument(
      parsing: try folder.contents("m.json"), named: "m.json")
    guard let manifest = document.manifest else {
      return fail("the manifest cannot be read: \(document.findings.map(\.message))")
    }
    let there = Set(manifest.packs.map(\.id.text))
    if there != published { fail("there are \(there), and not \(published)") }
    for pack in manifest.packs {
      let id = pack.id.text
      let content = changed.contains(id) ? contents[id].map { "\($0)" } : nil
      let highest = seen[id]?.keys.max() ?? -1
      if pack.version < highest { fail("'\(id)' falls from \(highest) to \(pack.version)") }
      if let content, let before = seen[id]?[pack.version], before != content {
        fail("version \(pack.version) of '\(id)' had other bytes")
      }
      if let content { seen[id, default: [:]][pack.version] = content }
      let expected = "https://d.example.com/p/\(pack.id.text)/\(pack.version).aar"
      if pack.url.removingPercentEncoding != expected { fail("'\(id)' is at \(pack.url)") }
    }
    let text = String(decoding: document.source.bytes, as: UTF8.self)
    for comment in comments where !text.contains(comment) { fail("'\(comment)' is lost") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    if names != ["m.json", "m.json.lock.json", "packs"] { fail("there are \(names)") }
  }

  /// Performs an action that must succeed, and checks the result.
  private func publish(_ arguments: [String], as packs: Set<String>, given: [String]? = nil) throws
  {
    let run = try run(arguments)
    guard run.status == 0, !run.wasSignalled else { return fail("refused: \(run.messages)") }
    published = packs
    try check(changed: Set(given ?? Array(packs)))
    let check = try self.run(["check", path("m.json"), "--archives", path("packs")])
    // Check reports archives that changed since, or that are not published.
    if check.messages.contains("behind-record") || check.messages.contains("download.address") {
      fail("check: \(check.messages)")
    }
    backups.append((try folder.contents("m.json"), try folder.contents("m.json.lock.json")))
  }

  private func update(_ given: [String], _ more: [String] = []) throws {
    try publish(
      ["update", path("m.json"), "--ios"] + given.map(archive) + more,
      as: published.union(given), given: given)
  }

  // MARK: Events

  func act() throws {
    let acts: [(String, () throws -> Void)] = [
      ("update", updateSome), ("update", updateSome), ("together", together), ("remove", remove),
      ("anew", createAnew), ("lost record", loseRecord), ("lost manifest", loseManifest),
      ("old manifest", restoreManifest), ("old record", restoreRecord),
      ("manual error", makeManualError),
      ("manual error", makeManualError), ("comment", comment), ("stopped", stop),
      ("stopped", stop),
    ]
    let (name, act) = acts[number(0..<acts.count)]
    counts[name, default: 0] += 1
    story.append("— \(name)")
    try act()
  }

  private func updateSome() throws {
    let given = some(ids)
    for id in given where Bool.random(using: &random) { try change(id) }
    try update(given)
  }

  /// Runs several concurrent operators, each with separate packs; all changes must be kept.
  private func together() throws {
    let given = some(ids)
    for id in given { try change(id) }
    let arguments = given.map {
      ["download-manifest", "update", path("m.json"), archive($0), "--ios"]
    }
    story.append("together: \(given)")
    let runs = Noted<BuiltProgram.Run?>()
    DispatchQueue.concurrentPerform(iterations: arguments.count) { index in
      runs.add(try? BuiltProgram.run(arguments[index]))
    }
    for run in runs.all where run?.status != 0 { fail("refused: \(run?.messages ?? "")") }
    published.formUnion(given)
    let before = seen
    try check(changed: Set(given))
    // Each change has a new version.
    for id in given {
      let newest = seen[id]?.keys.max() ?? 0
      if before[id]?.keys.contains(newest) == true,
        before[id]?[newest] != contents[id].map({ "\($0)" })
      {
        fail("'\(id)' was lost")
      }
    }
  }

  private func remove() throws {
    guard published.count > 1, let id = published.sorted().randomElement(using: &random) else {
      return
    }
    try publish(
      ["update", path("m.json"), "--ios", "--remove", id], as: published.subtracting([id]),
      given: [])
    if Bool.random(using: &random) { try change(id) }
    if Bool.random(using: &random) { try update([id]) }
  }

  private func createAnew() throws {
    let given = some(ids)
    comments = []
    try publish(
      [
        "create", "-o", path("m.json"), "--force", "--ios", "--url-template",
        "{base}/{id}/{version}.aar",
      ]
        + base + given.map(archive), as: Set(given), given: given)
  }

  private func loseRecord() throws {
    try folder.remove("m.json.lock.json")
    // The record of earlier removals is lost.
    for id in ids where !published.contains(id) { seen[id] = nil }
    let given = published.sorted()
    try publish(
      ["update", path("m.json"), "--ios", "--url-template", "{base}/{id}/{version}.aar"] + base
        + given.map(archive), as: published, given: given)
  }

  private func loseManifest() throws {
    try folder.remove("m.json")
    try createAnew()
  }

  private func restoreManifest() throws {
    guard let backup = backups.dropLast().randomElement(using: &random) else { return }
    let now = try folder.contents("m.json")
    let newer = DownloadManifestDocument(parsing: now, named: "m").packs
    let older = DownloadManifestDocument(parsing: backup.manifest, named: "m").packs
    try folder.makeFile("m.json", backup.manifest)
    let isBehind = older.contains { old in
      newer.contains { $0.id == old.id && $0.version > old.version }
    }
    let check = try run(["check", path("m.json")])
    if isBehind, check.status != 1 { fail("an old manifest is not detected") }
    comments = comments.filter { String(decoding: backup.manifest, as: UTF8.self).contains($0) }
    // Check names the solution: specify the archives again.
    published = Set(older.map(\.id.text))
    try update(ids)
  }

  private func restoreRecord() throws {
    guard let backup = backups.dropLast().randomElement(using: &random) else { return }
    try folder.makeFile("m.json.lock.json", backup.record)
    let record = PublicationRecordDocument(parsing: backup.record, named: "r").record
    // The old record may lack the latest versions of removed packs.
    for id in ids where !published.contains(id) {
      let known = record?.latest(of: PackID(id))?.version ?? -1
      seen[id] = seen[id]?.filter { $0.key <= known }
    }
    try update(published.sorted())
  }

  /// Makes a manual edit with an error: check finds it, update fails and does not change the file.
  private func makeManualError() throws {
    let whole = try folder.contents("m.json")
    let text = String(decoding: whole, as: UTF8.self)
    let keys = ["assetPacks", "id", "url", "version", "downloadSize", "downloadPolicy"]
    let key = keys[number(0..<keys.count)]
    let wrong: String
    switch number(0..<5) {
    case 0:
      wrong = text.replacing("\"\(key)\"", with: "\"\(key.uppercased())\"", maxReplacements: 1)
    case 1: wrong = text.replacing("\"\(key)\"", with: "\"\(key)s\"", maxReplacements: 1)
    case 2: wrong = String(text.dropLast(number(2..<40)))
    case 3: wrong = "<<<<<<< HEAD\n\(text)=======\n\(text)>>>>>>> other\n"
    default: wrong = text.replacing("\"https://", with: "\"https//", maxReplacements: 1)
    }
    guard wrong != text else { return }
    try folder.makeFile("m.json", wrong)
    let check = try run(["check", path("m.json")])
    if check.status != 1 || check.messages.isEmpty {
      fail("an error in a manual edit is not detected:\n\(wrong)")
    }
    let update = try run(["update", path("m.json"), archive(ids[number(0..<ids.count)]), "--ios"])
    if update.status != 1 { fail("an update of a broken manifest:\n\(wrong)") }
    if try folder.contents("m.json") != Array(wrong.utf8) { fail("a broken manifest was changed") }
    try folder.makeFile("m.json", whole)
  }

  private func comment() throws {
    let comment = "// note \(number(0..<1_000_000))"
    comments.append(comment)
    let text = String(decoding: try folder.contents("m.json"), as: UTF8.self)
    let place = Bool.random(using: &random) ? "{\n  \"assetPacks\"" : "\n  ]\n}"
    let isHead = place.hasPrefix("{")
    try folder.makeFile(
      "m.json",
      text.replacing(place, with: isHead ? comment + "\n" + place : "\n  " + comment + place))
    if !String(decoding: try folder.contents("m.json"), as: UTF8.self).contains(comment) {
      comments.removeLast()
    }
  }

  /// Interrupts the program at a random time, and runs it again.
  private func stop() throws {
    let given = some(ids)
    for id in given { try change(id) }
    let signal = [SIGTERM, SIGINT, SIGKILL, SIGHUP][number(0..<4)]
    var left = number(0..<40)
    let run = try run(
      ["update", path("m.json"), "--ios"] + given.map(archive),
      interrupted: .init(signal: signal) { _ in
        left -= 1
        return left < 0
      })
    if !run.wasSignalled, run.status != 0 { fail("stopped: \(run.messages)") }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names where !["m.json", "m.json.lock.json", "packs"].contains(name) {
      // A killed process cannot remove its files; an interrupted one does.
      if signal == SIGKILL {
        try folder.remove(name)
      } else {
        fail("'\(name)' is left after signal \(signal)")
      }
    }
    let packs = DownloadManifestDocument(parsing: try folder.contents("m.json"), named: "m").packs
    let now = Set(packs.map(\.id.text))
    if !now.isSuperset(of: published) { fail("a pack is lost: \(now)") }
    try update(given)
  }
}
