import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

// A model of the archives to rebuild, with any number of changes.

extension UpdateTests {
  fileprivate enum Change: CaseIterable {
    case nothing, sameSizeOldTime, append, rename, add, remove, retarget, comment, meaning, level
    case version, clock, lost, garbled, outputChanged, outputTouched, outputGone, beside, archive
    case source, touch, checkout, executable, permissions
  }

  /// Makes a change; returns the packs that must be rebuilt.
  private func make(
    _ change: Change, in studio: inout Studio, step: Int, _ seeded: inout Seeded
  ) throws -> Set<String> {
    let id = Studio.ids[seeded.next(below: 3)]
    let record = studio.path(of: id)
    switch change {
    case .nothing: return []
    case .sameSizeOldTime:
      try studio.overwriteByte(step)
      return ["Art"]
    case .append:
      let name = "src/Sound/0.wav"
      try studio.folder.makeFile(name, studio.folder.contents(name) + [7])
      return ["Sound"]
    case .rename:
      try studio.renameSound(step)
      return ["Sound"]
    case .add:
      try studio.folder.makeFile("src/Art/c/new\(step)/file", "new")
      return ["Art"]
    case .remove: return try studio.removeNewFolder() ? ["Art"] : []
    case .retarget: return try studio.retarget(toOne: step % 2 != 0) ? ["Art"] : []
    case .comment:
      try studio.manifest(
        "Art", #"  {'directory' : "Art",}  "#, root: "../src", comment: "// \(step)\n")
      return []
    case .meaning:
      try studio.togglePlatforms()
      return ["Sound"]
    case .level:
      studio.level = studio.level == "fast" ? "default" : "fast"
      return Set(Studio.ids)
    case .version, .clock, .lost, .garbled:
      try studio.spoilRecord(of: id, by: change)
      return [id]
    case .outputChanged:
      try studio.flipLastBit(of: id)
      return [id]
    case .outputTouched: _ = unsafe utimensat(AT_FDCWD, record, nil, 0)
    case .outputGone:
      try studio.folder.remove("out/\(id).aar")
      return [id]
    case .beside: try studio.folder.makeFile("src/Sound/\(step).txt", "not chosen")
    case .archive:
      try studio.tar("text \(step)")
      return ["Text"]
    case .source: try studio.replaceSource()
    case .touch:
      // Written with the same bytes, as by a build step or a change of branches and back.
      let name = "src/Sound/\(try #require(studio.names("src/Sound").first))"
      try studio.folder.makeFile(name, studio.folder.contents(name))
    case .checkout: try studio.replaceCheckout()
    case .executable, .permissions:
      try studio.togglePermission(change == .executable ? 0o100 : 0o020)
      // The archive contains the execute permission of the owner.
      return change == .executable ? ["Art"] : []
    }
    return []
  }

  private func play(seed: UInt64, steps: Int) throws {
    var studio = try Studio.made()
    var seeded = Seeded(seed: seed)
    try studio.folder.makeFile("meaning", [1])
    try studio.folder.makeFile("link", [1])
    _ = studio.run("--update")
    for step in 0..<steps {
      var needed: Set<String> = []
      var changes: [Change] = []
      for _ in 0...seeded.next(below: 2) {
        let change = Change.allCases[seeded.next(below: Change.allCases.count)]
        // A second change could undo the first; and a damaged record cannot be read.
        if changes.contains(change) { break }
        if changes.contains(where: { [.lost, .garbled, .outputGone].contains($0) }) { break }
        changes.append(change)
        needed.formUnion(try make(change, in: &studio, step: step, &seeded))
        if change == .retarget {
          let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: studio.folder.path("src/Art/link"))
          try studio.folder.makeFile("link", [target.hasSuffix("two") ? 2 : 1])
        }
      }
      let comment: Comment = "seed \(seed), step \(step): \(changes), needed \(needed.sorted())"
      let before = Studio.ids.map { studio.status(of: $0) }
      let check = studio.run("--update", "--check")
      #expect(check.ending == .status(needed.isEmpty ? .done : .failed), comment)
      #expect(Studio.ids.map { studio.status(of: $0) } == before, comment)
      let run = studio.run("--update", "--verbose")
      #expect(
        run.messages.hasSuffix("\n\(needed.count) packed, \(3 - needed.count) unchanged\n"), comment
      )
      for (id, before) in zip(Studio.ids, before) where !needed.contains(id) {
        #expect(studio.status(of: id) == before, comment)
      }
      #expect(studio.run("--force", into: "full").ending == .status(.done), comment)
      for id in Studio.ids {
        #expect(
          try studio.folder.contents("out/\(id).aar") == studio.folder.contents("full/\(id).aar"),
          comment)
      }
    }
  }

  @Test(arguments: (UInt64(1)...4).sampled(every: 4))
  func `after any changes, the archives are those of a full run, and only changed ones are written`(
    seed: UInt64
  ) throws {
    try play(seed: seed, steps: 12)
  }

  @Test(.heavy, arguments: 5...32 as ClosedRange<UInt64>)
  func `after changes in many runs, the archives are those of a full run`(seed: UInt64) throws {
    try play(seed: seed, steps: 40)
  }
}

extension UpdateTests.Studio {
  /// Writes one byte of a picture and restores its time.
  fileprivate func overwriteByte(_ step: Int) throws {
    let path = folder.path("src/Art/a.png")
    let before = try FileStatus(ofFileAt: path)
    // Each step changes another byte, because an undone change is no change.
    try folder.write([UInt8(step)], at: 0, into: "src/Art/a.png")
    let time = timespec(
      tv_sec: Int(before.modified.seconds), tv_nsec: Int(before.modified.nanoseconds))
    let times = [time, time]
    _ = unsafe times.withUnsafeBufferPointer { unsafe utimensat(AT_FDCWD, path, $0.baseAddress, 0) }
  }

  fileprivate func renameSound(_ step: Int) throws {
    let name = try #require(names("src/Sound").last)
    try FileManager.default.moveItem(
      atPath: folder.path("src/Sound/\(name)"), toPath: folder.path("src/Sound/z\(step).wav"))
  }

  fileprivate func flipLastBit(of id: String) throws {
    let bytes = try folder.contents("out/\(id).aar")
    try folder.write([bytes[bytes.count - 1] ^ 1], at: bytes.count - 1, into: "out/\(id).aar")
  }

  /// Removes a folder that a step added; returns false if there is none.
  fileprivate func removeNewFolder() throws -> Bool {
    guard let name = try names("src/Art/c").first(where: { $0.hasPrefix("new") }) else {
      return false
    }
    try folder.remove("src/Art/c/\(name)")
    return true
  }

  /// Replaces the link; returns false if it points to the same file as before.
  fileprivate func retarget(toOne isOne: Bool) throws -> Bool {
    try folder.remove("src/Art/link")
    try folder.makeLink("src/Art/link", to: isOne ? "../Store/one" : "../Store/two")
    return try folder.contents("link") != [isOne ? 1 : 2]
  }

  /// Changes the platforms in the manifest of the sounds.
  fileprivate func togglePlatforms() throws {
    let isEven = try folder.contents("meaning") == [0]
    try folder.makeFile("meaning", [isEven ? 1 : 0])
    try manifest(
      "Sound", #"{"filePattern": "Sound/**/*.wav"}"#, root: "../src",
      platforms: isEven ? "" : #""iOS""#)
  }

  /// Changes, removes or damages the record of an archive.
  fileprivate func spoilRecord(of id: String, by change: UpdateTests.Change) throws {
    let archive = path(of: id)
    if change == .lost {
      return try FileManager.default.removeItem(atPath: ArchiveRecord.path(of: archive))
    }
    if change == .garbled {
      return try folder.write([9], at: 40, into: "out/.ba-package-\(id).aar.record")
    }
    var former = try #require(ArchiveRecord(of: archive))
    if change == .version {
      former.inputs.settings[0].value = Array("ba-package 0.0.9".utf8)
    } else {
      former.examinedAt.seconds += 3600
    }
    try former.write(for: archive)
  }

  /// Replaces a picture by another file of the same name, contents and time.
  fileprivate func replaceSource() throws {
    let name = "src/Art/b.png"
    let status = try FileStatus(ofFileAt: folder.path(name))
    let bytes = try folder.contents(name)
    try folder.makeFile("src/fresh", bytes)
    let file = try FileDescriptor.open(folder.path("src/fresh"), for: .reading)
    try file.setModified(status.modified)
    _ = unsafe chmod(folder.path("src/fresh"), status.permissions)
    _ = unsafe rename(folder.path("src/fresh"), folder.path(name))
  }

  /// Replaces the source root by a copy of itself.
  fileprivate func replaceCheckout() throws {
    let (place, copy) = (folder.path("src"), folder.path("copy"))
    try FileManager.default.copyItem(atPath: place, toPath: copy)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.moveItem(atPath: copy, toPath: place)
  }

  fileprivate func togglePermission(_ bit: UInt32) throws {
    let path = folder.path("src/Art/b.png")
    let now = try FileStatus(ofFileAt: path).permissions
    _ = unsafe chmod(path, now ^ bit)
  }
}
