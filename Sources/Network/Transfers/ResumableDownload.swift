import BlockCodecs
package import SystemIO
import TerminalText

extension Transfers {
  /// Downloads a file as ``get(_:to:replacing:fields:expecting:_:)`` does, and keeps the received
  /// bytes after an error, so that another run can resume.
  ///
  /// The kept bytes are used only for the same URL, and only if the server confirms that it still
  /// has the same file. If the complete file is not the expected one, the download restarts once.
  /// The record of a complete file may be kept (``PartialFile/takeBack(_:)``).
  package func getResumable(
    _ url: String, to path: String, replacing isReplacing: Bool = false,
    keepingNote isNoteKept: Bool = false, fields: [HeaderField] = [],
    expecting expectation: ExpectedFile = ExpectedFile(),
    _ work: Work
  ) throws(Failure) -> Received {
    // The URL is checked before a file is created.
    _ = try address(url, for: .download)
    guard let part = try PartialFile(path, replacing: isReplacing) else {
      // Another process downloads the same file: both download it completely.
      return try self.get(
        url, to: path, replacing: isReplacing, fields: fields, expecting: expectation,
        work)
    }
    let source = try Self.source(url)
    func fetch(after beginning: PartialContent?) throws(Failure) -> Received {
      try self.get(
        url, into: part.file, after: beginning, fields: fields, expecting: expectation,
        noted: { (found) throws(Failure) in
          try part.begin(found.map { source + Array("\($0.validator)\n".utf8) })
        }, work)
    }
    do throws(Failure) {
      let kept = try part.beginning().flatMap { Self.beginning($0.size, $0.note, of: source) }
      // Bytes without a validator are discarded.
      if kept == nil { try part.begin(nil) }
      let received: Received
      do throws(Failure) {
        received = try fetch(after: kept)
      } catch {
        guard kept != nil, error.isWrongContent else { throw error }
        try part.begin(nil)
        received = try fetch(after: nil)
      }
      try part.publish(keepingNote: isNoteKept && received.validator != nil)
      return received
    } catch {
      let isOfUse = (try? part.beginning()) != nil && !error.isWrongContent
      if !isOfUse { part.discard() }
      throw error
    }
  }

  /// Returns the first line of the record: the digest of the URL, which can contain secrets.
  private static func source(_ url: String) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    Array(url.utf8).withRawSpan { digest.update($0) }
    return Array("\(hexadecimal(digest.finish()))\n".utf8)
  }

  private static func beginning(
    _ size: UInt64, _ note: [UInt8], of source: [UInt8]
  ) -> PartialContent? {
    guard note.starts(with: source), note.last == 0x0A, note.count > source.count + 1 else {
      return nil
    }
    let validator = String(decoding: note[source.count..<note.count - 1], as: UTF8.self)
    // The validator becomes a header field.
    guard HeaderField("If-Range", validator).isSound else { return nil }
    return PartialContent(size: size, validator: validator)
  }
}

extension Failure {
  /// Whether a complete file was received that is not the expected one.
  fileprivate var isWrongContent: Bool {
    switch transferFault {
    case .wrongDigest, .wrongSize: true
    default: false
    }
  }
}
