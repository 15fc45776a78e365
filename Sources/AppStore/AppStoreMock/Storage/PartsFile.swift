import BlockCodecs
import HTTPServer
import SystemIO
import TerminalText

/// The received bytes of a file, in a file without a name; missing ranges are holes.
///
/// Several connections can write at the same time, each at a different place.
final class PartsFile: Sendable {
  private let file: TemporaryFile
  /// Orders commits of the file: a second commit waits for the outcome of the first.
  let commits = InTurn(())

  init(size: UInt64) throws(Failure) {
    var made = try TemporaryFile()
    try made.extend(to: size)
    file = made
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    try file.write(bytes, at: offset)
  }

  /// Returns all bytes of the file, if every part is at its own offset.
  fileprivate func source() throws(Failure) -> ByteSource { try file.source() }
}

/// The parts of a file that are being received, and the place of the bytes of each part.
struct Reception: Sendable {
  let bytes: PartsFile
  /// The place of each part's bytes, by the index of the part.
  private var places: [UInt64]
  /// The indices of the parts that a connection writes at their own offset.
  private var busy: Set<Int> = []
  /// The first offset after all places.
  private var end: UInt64
  /// Whether a commit reads the bytes, so that no part is accepted.
  var isClosed = false

  init(_ bytes: PartsFile, of file: MockFile) {
    self.bytes = bytes
    places = file.parts.map(\.offset)
    end = file.size
  }

  /// Returns the place for a part: its own offset, unless another connection writes there.
  ///
  /// Two connections that send the same part write to different places, so their bytes are never
  /// mixed.
  mutating func begin(_ index: Int, _ part: MockFile.Part) -> UInt64 {
    if busy.insert(index).inserted { return part.offset }
    defer { end += part.length }
    return end
  }

  /// Ends the writing of a part; the last connection that wrote the whole part determines its
  /// place.
  mutating func finish(_ index: Int, _ part: MockFile.Part, at place: UInt64, isWhole: Bool) {
    if place == part.offset { busy.remove(index) }
    if isWhole { places[index] = place }
  }

  /// Returns the bytes of the file in their order.
  func source(of file: MockFile) throws(Failure) -> ByteSource {
    guard end > file.size else { return try bytes.source() }
    let whole = try PartsFile(size: file.size)
    let stored = try bytes.source()
    var buffer = try ByteBuffer(capacity: 1 << 20)
    for (part, place) in zip(file.parts, places) {
      try stored.eachPiece(from: place, count: part.length, &buffer) {
        (piece, done) throws(Failure) in
        try whole.write(piece, at: part.offset + done)
      }
    }
    return try whole.source()
  }
}

/// The checksums of the stored bytes of a file.
struct StoredSums: Sendable {
  let size: UInt64
  /// The MD5 of the file, in hexadecimal digits.
  let file: String
  /// The MD5 of each part.
  let parts: [String]
  /// The MD5 of the MD5s of all parts, with their number, as object storage computes it.
  let composite: String

  /// Reads all bytes of a file once.
  init(of source: borrowing ByteSource, _ parts: [MockFile.Part]) throws(Failure) {
    var whole = try Digest(.md5)
    var all = try Digest(.md5)
    var sums: [String] = []
    var buffer = try ByteBuffer(capacity: 1 << 20)
    for part in parts {
      var digest = try Digest(.md5)
      try source.eachPiece(from: part.offset, count: part.length, &buffer) { piece, _ in
        whole.update(piece)
        digest.update(piece)
      }
      let sum = digest.finish()
      sum.withRawSpan { all.update($0) }
      sums.append(hexadecimal(sum))
    }
    size = source.size
    file = hexadecimal(whole.finish())
    self.parts = sums
    composite = "\(hexadecimal(all.finish()))-\(parts.count)"
  }
}

extension ByteSource {
  /// Calls `body` with each piece of a range, and with the number of bytes before the piece.
  fileprivate borrowing func eachPiece(
    from start: UInt64, count: UInt64, _ buffer: inout ByteBuffer,
    _ body: (RawSpan, UInt64) throws(Failure) -> Void
  ) throws(Failure) {
    var done: UInt64 = 0
    while done < count {
      buffer.removeAll()
      try read(at: start + done, count: Int(min(1 << 20, count - done)), into: &buffer)
      guard buffer.count > 0 else {
        throw malformed("the file ends early", at: .init(fileOffset: start + done))
      }
      try buffer.withBytes { (bytes) throws(Failure) in try body(bytes, done) }
      done += UInt64(buffer.count)
    }
  }
}

/// The address of a part, with a signature that clients cannot forge.
struct UploadAddress: Sendable, Equatable {
  let file: String
  let part: Int
  /// In seconds since 1970.
  let expires: Int64

  /// Returns the address and the signature in a request; nil if the request has another form.
  static func read(_ head: RequestHead) -> (address: UploadAddress, signature: String)? {
    let parts = Endpoint.parts(head.path)
    let items = head.queryItems
    let query = Dictionary(
      items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    guard parts.count == 2, parts[0] == "upload", items.count == 3,
      let number = query["partNumber"].flatMap({ Int($0) }),
      let expires = query["Expires"].flatMap({ Int64($0) }), let signature = query["Signature"]
    else { return nil }
    return (UploadAddress(file: parts[1], part: number, expires: expires), signature)
  }

  /// Returns the path below the address of the storage.
  func path(seed: String) -> String {
    "/upload/\(file)?partNumber=\(part)&Expires=\(expires)&Signature=\(signature(seed: seed))"
  }

  func signature(seed: String) -> String {
    guard var digest = try? Digest(.sha256) else { return "" }
    Array("\(seed)/\(file)/\(part)/\(expires)".utf8).withRawSpan { digest.update($0) }
    return hexadecimal(digest.finish())
  }
}

/// One upload operation, as a response describes it to a client.
struct UploadOperation: Sendable {
  var method = "PUT"
  var url: String
  var length: UInt64
  var offset: UInt64
  var number: Int
}

/// The division of a file into parts.
enum PartPlan {
  /// The maximum number of parts in a response.
  private static let most: UInt64 = 10_000

  static func parts(of size: UInt64, _ switches: MockSettings) -> [MockFile.Part] {
    // Larger files have larger parts, as in object storage.
    let least = UInt64(switches.partSize)
    let usual = max(least, (size + most - 1) / most)
    var parts: [MockFile.Part] = []
    var place: UInt64 = 0
    while place < size {
      var length = usual
      if switches.partSizes == .uneven {
        // Half, one, and one and a half times the usual size, in turn.
        length = max(1, usual * UInt64(1 + parts.count % 3) / 2)
      }
      length = min(length, size - place)
      parts.append(.init(number: parts.count + 1, offset: place, length: length))
      place += length
    }
    return parts
  }
}

/// An error response of the storage, in XML, as in object storage.
struct StorageResponse: Error, Sendable {
  private let status: Int
  private let code: String
  private let message: String

  init(_ status: Int, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  var response: Response { Self.refusal(status, code, message) }

  static let expired = refusal(403, "AccessDenied", "Request has expired")
  static let complete = StorageResponse(403, "AccessDenied", "The upload is complete.")

  static func refusal(_ status: Int, _ code: String, _ message: String) -> Response {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>\(code)</Code><Message>\(message)</Message></Error>

      """
    return Response(
      status, fields: [("Content-Type", "application/xml")], body: .bytes(Array(text.utf8)))
  }
}
