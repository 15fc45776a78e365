import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import AssetServer

/// Reading of many packs by several threads.
@Suite(.mustEnd)
struct PackReadingTests {
  private static func packFolder(_ folder: borrowing TemporaryFolder, threads: Int) -> PackFolder {
    var verification = Verification()
    verification.threads = threads
    return PackFolder([folder.path("packs")], into: Catalogue(), verification: verification)
  }

  /// Writes 60 packs; among them are damaged files, a large file and two files with one pack.
  private static func makePacks(in folder: borrowing TemporaryFolder) throws {
    for number in 100..<160 {
      try folder.makeFile("packs/\(number).aar", PackFolderTests.pack("p\(number)"))
    }
    try folder.makeFile("packs/110.aar", Array("not a pack".utf8))
    try folder.makeFile("packs/120.aar", PackFolderTests.pack("p120").dropLast(7))
    try folder.makeFile(
      "packs/130.aar", PackFolderTests.pack("p130", String(repeating: "large", count: 1 << 20)))
    try folder.makeFile("packs/150.aar", PackFolderTests.pack("p140", "another"))
  }

  private static func texts(_ events: [PackFolder.FileEvent]) -> [String] {
    events.map { event in
      switch event {
      case .accepted(let id, let change, let path): "\(id) \(change) \(path)"
      case .damaged(let path, _): "damaged \(path)"
      case .refused(let path, let error): "refused \(path) \(error.message)"
      case .removed(let id, let path), .withdrawn(let id, let path): "\(id) \(path)"
      }
    }
  }

  @Test(arguments: [2, 3, 8])
  func `several threads report the same files in the same order as one`(threads: Int) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("packs")
    let shelves = [Self.packFolder(folder, threads: 1), Self.packFolder(folder, threads: threads)]
    for packFolder in shelves { #expect(try packFolder.addAll(.unstoppable).isEmpty) }
    try Self.makePacks(in: folder)
    let texts = try shelves.map { packFolder in
      _ = try packFolder.refresh(.everything, .unstoppable)
      return try Self.texts(packFolder.refresh(.everything, .unstoppable).events)
    }
    #expect(texts[0].count == 60)
    #expect(texts[0].filter { $0.contains("added") }.count == 57)
    #expect(texts[0] == texts[1])
    #expect(shelves[0].catalogue.all.map(\.id) == shelves[1].catalogue.all.map(\.id))
  }

  @Test func `a small file with a large block is read with the memory of one file`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("packs")
    let shelves = [Self.packFolder(folder, threads: 1), Self.packFolder(folder, threads: 16)]
    for packFolder in shelves { _ = try packFolder.addAll(.unstoppable) }
    for number in 0..<40 {
      try folder.makeFile("packs/\(number).aar", PackFolderTests.pack("p\(number)"))
    }
    let size = 100 << 20
    try folder.makeFile(
      "packs/large.aar",
      PackBytes.containerStart(blockSize: size)
        + PackBytes.block(raw: size, stored: 10, [UInt8](repeating: 7, count: 10)))
    for packFolder in shelves {
      _ = try packFolder.refresh(.everything, .unstoppable)
      let texts = try Self.texts(packFolder.refresh(.everything, .unstoppable).events)
      #expect(texts.count == 41)
      #expect(texts.filter { !$0.contains("added") }.allSatisfy { $0.hasPrefix("damaged ") })
    }
  }

  @Test func `a stop ends the verification of many packs`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      try folder.makeFile("packs/\(number).aar", PackFolderTests.pack("p\(number)"))
    }
    let alarm = try Alarm()
    alarm.ring()
    for threads in [1, 4] {
      let packFolder = Self.packFolder(folder, threads: threads)
      let error = #expect(throws: PackError.self) { try packFolder.addAll(Work(until: alarm)) }
      #expect(error?.kind == .interrupted)
      #expect(packFolder.catalogue.all.isEmpty)
    }
  }

  @Test func `a pack that two operands name is served once`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("packs/a.aar", PackFolderTests.pack("a"))
    let packFolder = PackFolder(
      [folder.path("packs"), folder.path("packs/a.aar")], into: Catalogue())
    let events = try packFolder.addAll(versions: [nil, 7], .unstoppable)
    #expect(Self.texts(events) == ["a added(version: 7) \(folder.path("packs/a.aar"))"])
    #expect(packFolder.catalogue.all.map(\.version) == [7])
  }
}
