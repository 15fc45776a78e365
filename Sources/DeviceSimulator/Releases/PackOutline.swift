package import BAPackKit
import Synchronization
import SystemIO

/// What the headers of an archive say: which pack it is, and which files are in it.
package struct PackOutline: Sendable {
  /// The path of the archive as it was given.
  package let path: String
  /// The size of the archive.
  package let size: UInt64
  /// The pack as devices are offered it.
  package let offered: OfferedPack
  /// Its files.
  package let contents: PackContents

  /// The ID of the pack.
  package var id: PackID { offered.id }

  /// Reads an archive; contents are decoded only if they share a block with a header.
  package init(
    reading path: String, memory: UInt64 = PackReader.defaultMemory
  ) throws(PackError) {
    var reader = try PackReader(opening: path, memory: memory)
    var contents = PackContents()
    var document: ManifestDocument?
    while let entry = try reader.nextEntry() {
      if entry.isManifest {
        let bytes = try reader.contents(of: entry, atMost: PackInspection.largestManifest)
        document = bytes.map { ManifestDocument(parsing: $0, named: "\(path)/Manifest.json") }
      } else if entry.kind == .file, let file = entry.bytesInContents {
        guard contents.hasRoom(for: file) else {
          throw PackError(.limit, "'\(path)' has more paths than any device can have")
        }
        contents.append(file, size: entry.size ?? 0)
      }
    }
    contents.sort()
    let manifest = try Manifest(in: document, ofPack: path)
    self.path = path
    size = reader.fileSize
    self.contents = contents
    offered = OfferedPack(
      id: PackID(manifest.assetPackID), policy: manifest.downloadPolicy,
      platforms: manifest.platforms, language: manifest.language,
      size: PackSize(download: size, unpacked: contents.unpackedSize))
  }

  /// Reads archives, several at once; of those that cannot be read the first one's error is thrown.
  package static func read(
    _ paths: [String], memory: UInt64, threads: Int
  ) throws(PackError) -> [PackOutline] {
    let work = Reading(paths, memory: memory)
    let count = min(threads, paths.count)
    if count > 1 {
      try during(.reading) { () throws(Failure) in
        // They end by themselves when every path is taken.
        _ = try WorkerThreads(count, stop: {}) { work.run() }
      }
    } else {
      work.run()
    }
    return try work.outlines()
  }

  /// The paths that threads take, one after the other, and what became of each.
  private final class Reading: @unchecked Sendable {
    private let paths: [String]
    private let memory: UInt64
    private let next = Atomic<Int>(0)
    private let lock = Lock()
    private var results: [Result<PackOutline, PackError>?]

    init(_ paths: [String], memory: UInt64) {
      self.paths = paths
      self.memory = memory
      results = Array(repeating: nil, count: paths.count)
    }

    func run() {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < paths.count, Interrupt.pending == nil else { return }
        let result = Result { () throws(PackError) in
          try PackOutline(reading: paths[number], memory: memory)
        }
        lock.with { results[number] = result }
        if case .failure = result { next.store(paths.count, ordering: .relaxed) }
      }
    }

    func outlines() throws(PackError) -> [PackOutline] {
      if Interrupt.pending != nil { throw PackError(.interrupted, "interrupted") }
      var outlines: [PackOutline] = []
      for case let result? in lock.with({ results }) { outlines.append(try result.get()) }
      return outlines
    }
  }
}
