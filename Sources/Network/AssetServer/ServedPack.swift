package import BAPackKit
import FoundationEssentials
package import HTTPServer
package import SystemIO
import TerminalText

/// A pack that is served: its archive, its version and its file.
package struct ServedPack: Sendable {
  package private(set) var version: Int
  /// The known reason why the pack cannot be delivered; nil if there is none.
  package internal(set) var outage: String?
  private let content: Content

  /// The part that does not change; an object, because each request copies the pack.
  private final class Content: Sendable {
    let archive: PublishedArchive
    let file: PackFile
    let tag: String
    let fields: ResponseFields

    init(_ archive: PublishedArchive, _ file: PackFile) {
      self.archive = archive
      self.file = file
      tag = "\"\(archive.sha256)\""
      fields = [
        ("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes"), ("ETag", tag),
        ServedPack.digestField([UInt8](hexadecimal: archive.sha256, count: 32)),
      ]
    }
  }

  package init(_ archive: PublishedArchive, version: Int, file: PackFile) {
    self.version = version
    content = Content(archive, file)
  }

  package var archive: PublishedArchive { content.archive }
  package var file: PackFile { content.file }
  /// The entity tag, which differs for different bytes.
  package var tag: String { content.tag }
  /// The header fields of each response with the pack.
  var fields: ResponseFields { content.fields }

  /// The digest of the complete body, also when only a part is sent (RFC 9530).
  ///
  /// The digest is that of the original bytes: a fault changes bytes later, during the transfer.
  static func digestField(_ sha256: [UInt8]?) -> (name: String, value: String) {
    ("Repr-Digest", "sha-256=:\(Data(sha256 ?? []).base64EncodedString()):")
  }

  package var id: PackID { archive.id }

  /// Whether the open file still has the bytes that were verified.
  var isUnchanged: Bool { file.isUnchanged(since: archive.sha256) }

  /// Returns the pack with the version and size of an entry, as a manifest contained them.
  func published(by entry: PublicationRecord.Entry) -> ServedPack {
    var archive = archive
    archive.size = entry.size ?? archive.size
    return ServedPack(archive, version: entry.version, file: file)
  }

  /// Returns the pack with another version.
  func with(version: Int) -> ServedPack {
    var pack = self
    pack.version = version
    return pack
  }
}

/// The open file of a pack.
///
/// A download gets the bytes that the file had when the pack was added, even if another file now
/// has its name. If a process writes into the file itself, those bytes are lost, and downloads end
/// instead of mixing old and new bytes.
package final class PackFile: Sendable {
  private let source: ByteSource
  private let status: FileStatus?
  /// The last status for which the bytes were compared with the digest, and the result.
  private let comparison = InTurn<(status: FileStatus, isSame: Bool)?>(nil)

  package init(_ source: consuming ByteSource, status: FileStatus? = nil) {
    self.status = status ?? (try? source.status())
    self.source = source
  }

  /// The path of the file, for messages.
  var name: String { source.name }

  /// Returns whether the file still has the bytes with this digest, which it had when the pack was
  /// added.
  ///
  /// A process can restore the modification time after a write, but not the time of the last change
  /// (`ctime`). The latter also changes if the file is renamed, or removed because another file
  /// gets its name. Then the bytes are compared with the digest: one thread reads the file once,
  /// and other threads wait for the result.
  func isUnchanged(since sha256: String?) -> Bool {
    guard let status else { return true }
    guard let now = try? source.status() else { return false }
    if now.isSameFile(as: status) { return true }
    guard let sha256, now.size == status.size, now.modified == status.modified else { return false }
    return comparison.with { comparison in
      guard let before = try? source.status() else { return false }
      if let comparison, comparison.status.isSameFile(as: before) { return comparison.isSame }
      guard let digest = try? fileDigest(of: source, .unstoppable), let after = try? source.status()
      else { return false }
      let isSame = hexadecimal(digest) == sha256 && after.isSameFile(as: before)
      comparison = (after, isSame)
      return isSame
    }
  }

  package var size: UInt64 { source.size }

  /// Reads the whole file; nil if that fails.
  ///
  /// The bytes are the verified ones only if ``isUnchanged(since:)`` is true after the call.
  func all() -> [UInt8]? { try? source.read(at: 0, count: Int(clamping: size)) }

  /// The number of bytes to write without a limit before the limit is read again.
  private static let unthrottledSize: UInt64 = 1 << 20

  /// The changes that a fault makes to a body.
  package struct Disturbance: Sendable {
    /// The number of bytes after which the connection ends, and whether it is reset.
    package var end: (after: UInt64, isReset: Bool)?
    /// The number of bytes after which the body pauses, and the duration.
    package var stall: (after: UInt64, time: Duration)?
    /// The offset of the byte of which one bit is changed.
    package var corrupted: UInt64?
    /// The current speed limit; nil for no limit.
    package var throttle: @Sendable () -> Throttle? = { nil }

    package init() {}

    fileprivate func next(from place: UInt64) -> UInt64? {
      [end?.after, stall?.after].compactMap { $0 }.filter { $0 > place }.min()
    }
  }

  /// Writes a part of the file; offsets of a disturbance are relative to the start of that part.
  ///
  /// Throws if the file no longer has the bytes with the digest `sha256`.
  package func write(
    _ range: Range<UInt64>, of sha256: String?, to writer: inout BodyWriter,
    disturbed by: Disturbance = Disturbance(), progress: (Work.Progress) -> Void = { _ in }
  ) throws(Failure) {
    var disturbance = by
    let size = range.upperBound - range.lowerBound
    var place: UInt64 = 0
    while true {
      if let end = disturbance.end, place >= end.after {
        return end.isReset ? writer.reset() : writer.cutOff()
      }
      if let stall = disturbance.stall, place >= stall.after {
        disturbance.stall = nil
        try writer.pause(for: stall.time)
      }
      guard place < size else { return }
      var count = min(size, disturbance.next(from: place) ?? size) - place
      if let throttle = disturbance.throttle() {
        count = min(count, throttle.pieceSize)
        try throttle.wait(for: count, &writer)
      } else {
        count = min(count, Self.unthrottledSize)
      }
      let written = try writer.write(count) { (offset, most, buffer) throws(Failure) in
        let begin = place + offset
        let before = buffer.count
        try source.read(at: range.lowerBound + begin, count: most, into: &buffer)
        guard isUnchanged(since: sha256) else {
          throw Failure(.malformed("the file changed during the transfer"), source.name)
        }
        let end = begin + UInt64(buffer.count - before)
        if let corrupted = disturbance.corrupted, (begin..<end).contains(corrupted) {
          buffer.change(before + Int(corrupted - begin)) { $0 ^ 1 }
        }
        progress(Work.Progress(done: begin, total: size))
      }
      place += written
      // If the file became shorter, the response ends here; the client detects the missing bytes.
      guard written == count else { return }
      progress(Work.Progress(done: place, total: size))
    }
  }
}

/// A rate limit in bytes per second, shared by all downloads of a device.
package final class Throttle: Sendable {
  private let bytesPerSecond: Double
  /// The number of bytes in one piece: those of a tenth of a second.
  ///
  /// Small pieces keep a slow transfer in motion. The range is 1 to 65536 bytes.
  package let pieceSize: UInt64
  /// The time at which the next bytes may be sent.
  private let free = Guarded(ContinuousClock.now)

  package init(bytesPerSecond: UInt64) {
    self.bytesPerSecond = Double(max(1, bytesPerSecond))
    pieceSize = min(max(1, bytesPerSecond / 10), 64 << 10)
  }

  /// Waits until `count` bytes may be sent.
  func wait(for count: UInt64, _ writer: inout BodyWriter) throws(Failure) {
    let now = ContinuousClock.now
    let turn = free.with { free in
      free = max(free, now) + .seconds(Double(count) / bytesPerSecond)
      return free
    }
    try writer.pause(until: turn)
  }
}
