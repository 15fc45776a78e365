import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import AssetServer

/// A kind of file that is kept between runs, with its sample contents and its operations.
struct KeptFile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let isCache: Bool
  /// Contents as this version of the program writes them.
  let sample: @Sendable () throws -> [UInt8]
  /// Reads the file at a path.
  let read: @Sendable (String) throws(Failure) -> Void
  /// Reads the file at a path, and writes the sample.
  let replace: @Sendable (String) throws(Failure) -> Void

  private init<Document: StateDocument>(
    _ sample: Document, isCache: Bool,
    replace: @escaping @Sendable (StateFile<Document>) throws(Failure) -> Void
  ) {
    testDescription = Document.noun
    self.isCache = isCache
    self.sample = { try sample.encoded() }
    read = { path throws(Failure) in _ = try StateFile<Document>(path).read() }
    self.replace = { path throws(Failure) in try replace(StateFile(path)) }
  }

  private static func file<Document: StateDocument>(_ sample: Document) -> KeptFile {
    KeptFile(sample, isCache: false) { file throws(Failure) in
      try file.change(.unstoppable) { $0 = sample }
    }
  }

  private static func cache<Document: StateCache>(_ sample: Document) -> KeptFile {
    KeptFile(sample, isCache: true) { file throws(Failure) in
      try file.replaceCache(by: sample)
    }
  }

  static let all: [KeptFile] = [
    file(versions), file(sizes), cache(KnownPacksDocument(program: "0")),
  ]

  private static var versions: PublicationRecord {
    var record = PublicationRecord()
    record.add(.init(id: "a", version: 3, sha256: String(repeating: "a", count: 64)))
    return record
  }

  private static var sizes: PackSizes {
    var sizes = PackSizes()
    sizes["a"] = 7
    return sizes
  }
}

@Suite("Files that are kept between runs", .mustEnd)
final class KeptFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fault(_ body: () throws(Failure) -> Void) -> StateFault? {
    do throws(Failure) {
      try body()
    } catch {
      if case .state(let trouble) = error.kind { return trouble.fault }
    }
    return nil
  }

  /// Returns the sample with another format number.
  private func sample(of file: KeptFile, format: Int) throws -> [UInt8] {
    let text = String(decoding: try file.sample(), as: UTF8.self)
    let newer = text.replacing(#/"format":( ?)("[^"]*?)?1("?)/#, maxReplacements: 1) {
      "\"format\":\($0.1)\($0.2 ?? "")\(format)\($0.3)"
    }
    #expect(newer != text)
    return Array(newer.utf8)
  }

  @Test(arguments: KeptFile.all)
  func `a file of a newer version is kept byte for byte`(file: KeptFile) throws {
    let path = folder.path("file")
    let newer = try sample(of: file, format: 2)
    // The members after the format number may have an unknown structure.
    for bytes in [newer, Array(#"{"format": 2, "new": true, "packs": 7}"#.utf8)] {
      try folder.makeFile("file", bytes, mode: 0o640)
      #expect(fault { () throws(Failure) in try file.read(path) } == .newer(format: 2))
      let replaced = fault { () throws(Failure) in try file.replace(path) }
      #expect(replaced == (file.isCache ? nil : .newer(format: 2)))
      #expect(try folder.contents("file") == bytes)
      #expect(try FileStatus(ofFileAt: path).permissions == 0o640)
    }
  }

  @Test(arguments: KeptFile.all)
  func `a damaged file is kept byte for byte, unless it is a cache`(file: KeptFile) throws {
    let path = folder.path("file")
    let whole = try file.sample()
    let cut = Array(whole.prefix(whole.count / 2))
    for bytes in [cut, Array("<<<<<<< HEAD".utf8), Array("[]".utf8), [0], Array("{}".utf8)] {
      try folder.makeFile("file", bytes)
      guard case .damaged = fault({ () throws(Failure) in try file.read(path) }) else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)) was read")
        continue
      }
      if file.isCache {
        try file.replace(path)
        #expect(try folder.contents("file") == whole)
      } else {
        #expect(fault { () throws(Failure) in try file.replace(path) } != nil)
        #expect(try folder.contents("file") == bytes)
      }
    }
  }

  @Test(arguments: KeptFile.all)
  func `a missing or empty file is valid, and written contents can be read`(file: KeptFile) throws {
    let path = folder.path("file")
    for isPresent in [false, true] {
      if isPresent { try folder.makeFile("file", "") }
      try file.read(path)
      try file.replace(path)
      #expect(try folder.contents("file") == file.sample())
      try file.read(path)
    }
  }

  @Test(arguments: KeptFile.all)
  func `a folder at the path of the file is refused`(file: KeptFile) throws {
    try folder.makeFolder("file")
    let path = folder.path("file")
    #expect(fault { () throws(Failure) in try file.read(path) } == .notAFile)
    #expect(throws: Failure.self) { try file.replace(path) }
    #expect(try FileStatus(ofFileAt: path).kind == .directory)
  }
}
