package import BAPackKit
import BlockCodecs
import ForeignArchives
package import SystemIO

/// The files of a built product in a folder or an archive, by their paths in it.
///
/// Symbolic links are not followed. Memory is 100 bytes for each file, and the largest file that is
/// read.
package struct BundleTree: Sendable {
  /// The maximum number of files.
  static let mostFiles = 500_000
  /// The maximum nesting depth of folders.
  static let deepest = 64
  /// The maximum size of a property list or a profile.
  static let largestText = 4 << 20
  /// The maximum size of a program; App Store Connect allows 500 MB of code.
  static let largestProgram = 512 << 20
  /// The maximum number of bytes that are decoded for one call of ``read(_:atMost:_:_:)``.
  private static let mostDecoded = 4 << 30

  /// The path of the product, as named by the user.
  package let path: FilePath
  /// The size of each file; nil if the archive contains it in an unreadable form.
  package private(set) var sizes: [FilePath: UInt64?] = [:]
  /// The symbolic links.
  package private(set) var links: Set<FilePath> = []
  let isArchive: Bool

  /// Lists a folder, or an archive such as an `.ipa`.
  package init(at path: FilePath, _ work: Work) throws(PackError) {
    self.path = path
    let status = try mapFailure(.reading) { () throws(Failure) in
      try FileStatus(ofFileAt: path.text)
    }
    isArchive = status.kind != .directory
    if isArchive {
      guard status.size > 0 || status.kind != .file else {
        throw PackError(
          .invalidValue, "'\(path.shown)' is empty", remedy: "copy or build the app again")
      }
      do throws(PackError) {
        try listArchive(work)
      } catch {
        guard sizes.isEmpty, error.remedies.isEmpty else { throw error }
        throw PackError(error.kind, error.message, remedy: AppInput.remedy)
      }
    } else {
      try mapFailure(.reading) { () throws(Failure) in
        try list(FileDescriptor.open(path.text, for: .directory), FilePath(""), 1, work)
      }
    }
  }

  private mutating func list(
    _ folder: borrowing FileDescriptor, _ place: FilePath, _ depth: Int, _ work: Work
  ) throws(Failure) {
    try work.check()
    guard depth <= Self.deepest else {
      throw Failure(
        .malformed("it is nested more than \(Self.deepest) levels deep"), folder.path)
    }
    let listing = try folder.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      let own = place.appending(name)
      let status = try folder.status(of: item, in: listing)
      switch status.kind {
      case .directory:
        try list(folder.open(name, for: .directory), own, depth + 1, work)
      case .symbolicLink: links.insert(own)
      case .file: sizes[own] = .some(status.size)
      default: break
      }
      try checkCount()
    }
  }

  private func checkCount() throws(Failure) {
    guard sizes.count + links.count <= Self.mostFiles else {
      throw Failure(.malformed("it has more than \(Self.mostFiles) files"), path.shown)
    }
  }

  private mutating func listArchive(_ work: Work) throws(PackError) {
    try mapFailure(.reading) { () throws(Failure) in
      let file = try FileDescriptor.open(path.text, for: .reading)
      var reader = try ForeignArchiveReader(file, name: path.shown, work)
      while let entry = try reader.next() {
        let own = FilePath(entry.path)
        guard entry.pathFlaw == nil else { continue }
        switch entry.kind {
        case .file:
          sizes[own] = entry.isEncrypted || entry.flaw != nil ? .some(nil) : .some(entry.size ?? 0)
        case .symbolicLink, .hardLink: links.insert(own)
        case .directory, .special: break
        }
        try checkCount()
      }
    }
  }

  /// Whether there is a file or a link at a path.
  func has(_ path: FilePath) -> Bool { sizes[path] != nil || links.contains(path) }

  // MARK: Reading

  /// Reads files, one after the other; calls `body` with nil for a file that is too large or
  /// cannot be read.
  package func read(
    _ wanted: Set<FilePath>, atMost limit: Int, _ work: Work,
    _ body: (FilePath, [UInt8]?) throws(PackError) -> Void
  ) throws(PackError) {
    var left = Self.mostDecoded
    try open(wanted, work) { path, piece throws(PackError) in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 256 << 10)
      let most = min(limit, left)
      do throws(Failure) {
        while bytes.count <= most {
          try work.check()
          let count = try piece(&buffer)
          if count == 0 { break }
          bytes += buffer.prefix(count)
        }
      } catch {
        if error.kind == .interrupted { throw PackError(error, while: .reading) }
        return try body(path, nil)
      }
      left -= bytes.count
      try body(path, bytes.count > most ? nil : bytes)
    }
  }

  /// Returns the SHA-256 digests of files.
  package func digests(
    of wanted: Set<FilePath>, _ work: Work
  ) throws(PackError) -> [FilePath: [UInt8]] {
    var digests: [FilePath: [UInt8]] = [:]
    try open(wanted, work) { path, piece throws(PackError) in
      var buffer = [UInt8](repeating: 0, count: 256 << 10)
      digests[path] = try mapFailure(.reading) { () throws(Failure) in
        var digest = try Digest(.sha256)
        while true {
          try work.check()
          let count = try piece(&buffer)
          if count == 0 { return digest.finish() }
          Array(buffer.prefix(count)).withRawSpan { digest.update($0) }
        }
      }
    }
    return digests
  }

  /// Fills a buffer with the next bytes of a file; returns their number, 0 at the end.
  private typealias Piece = (inout [UInt8]) throws(Failure) -> Int

  /// Opens files in the order of an archive, or of their paths.
  private func open(
    _ wanted: Set<FilePath>, _ work: Work,
    _ body: (FilePath, Piece) throws(PackError) -> Void
  ) throws(PackError) {
    let wanted = wanted.filter { sizes[$0] != nil }
    guard isArchive else {
      for own in wanted.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
        let source = try mapFailure(.reading) { () throws(Failure) in try opened(own) }
        var offset: UInt64 = 0
        try body(own) { buffer throws(Failure) in
          let bytes = try source.read(at: offset, count: buffer.count)
          offset += UInt64(bytes.count)
          buffer.replaceSubrange(0..<bytes.count, with: bytes)
          return bytes.count
        }
      }
      return
    }
    var reader = try mapFailure(.reading) { () throws(Failure) -> ForeignArchiveReader in
      let file = try FileDescriptor.open(path.text, for: .reading)
      return try ForeignArchiveReader(file, name: path.shown, work)
    }
    var left = wanted
    while !left.isEmpty,
      let entry = try mapFailure(.reading, { () throws(Failure) in try reader.next() })
    {
      let own = FilePath(entry.path)
      guard left.remove(own) != nil else { continue }
      try body(own) { buffer throws(Failure) in try reader.read(into: &buffer) }
    }
  }

  /// Opens a file of the folder; no part of its path may be a link.
  private func opened(_ own: FilePath) throws(Failure) -> ByteSource {
    var folder = try FileDescriptor.open(path.text, for: .directory)
    for name in own.components.dropLast() { folder = try folder.open(name, for: .directory) }
    return try ByteSource(try folder.open(own.name, for: .reading))
  }
}
