import BlockCodecs
package import SystemIO
import TerminalText

extension Transfers {
  /// Downloads a file as ``get(_:to:replacing:fields:expecting:_:)`` does, and keeps what has
  /// come when that fails, so that another run goes on there.
  ///
  /// What is kept is used for the same address alone, and only if the server says that it still has
  /// the same bytes. Where the whole is not what was expected, what was kept is to blame, and
  /// everything comes anew, once. The note of a whole file may stay beside it
  /// (``PartialFile/takeBack(_:)``).
  package func getKeepingPart(
    _ url: String, to path: String, replacing isReplacing: Bool = false,
    keepingNote isNoteKept: Bool = false, fields: [HeaderField] = [],
    expecting expectation: ExpectedFile = ExpectedFile(),
    _ work: Work
  ) throws(Failure) -> Received {
    // Refused before a file is made.
    _ = try address(url, for: .download)
    guard let part = try PartialFile(path, replacing: isReplacing) else {
      // Somebody else downloads it, too: each gets all of it, and nobody waits.
      return try self.get(
        url, to: path, replacing: isReplacing, fields: fields, expecting: expectation,
        work)
    }
    let source = try Self.source(url)
    func fetch(after beginning: Beginning?) throws(Failure) -> Received {
      try self.get(
        url, into: part.file, after: beginning, fields: fields, expecting: expectation,
        noted: { (found) throws(Failure) in
          try part.begin(found.map { source + Array("\($0.validator)\n".utf8) })
        }, work)
    }
    do throws(Failure) {
      let kept = try part.beginning().flatMap { Self.beginning($0.size, $0.note, of: source) }
      // Bytes that nobody can vouch for are none.
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

  /// The first line of a note: which address it is, without naming one that may hold secrets.
  private static func source(_ url: String) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    Array(url.utf8).withRawSpan { digest.update($0) }
    return Array("\(hexadecimal(digest.finish()))\n".utf8)
  }

  private static func beginning(
    _ size: UInt64, _ note: [UInt8], of source: [UInt8]
  ) -> Beginning? {
    guard note.starts(with: source), note.last == 0x0A, note.count > source.count + 1 else {
      return nil
    }
    let validator = String(decoding: note[source.count..<note.count - 1], as: UTF8.self)
    // It becomes a line of a request's head.
    guard HeaderField("If-Range", validator).isSound else { return nil }
    return Beginning(size: size, validator: validator)
  }
}

extension Failure {
  /// Whether everything came, and is not what was expected.
  fileprivate var isWrongContent: Bool {
    switch transferFault {
    case .wrongDigest, .wrongSize: true
    default: false
    }
  }
}
