import BlockCodecs
package import HTTPServer
package import SystemIO

/// The storage, where parts are sent: it knows signed addresses, and no tokens.
extension AppStoreMock {
  /// Takes a part; nil for a request that is none.
  package func receive(
    _ request: Request, _ reader: inout BodyReader
  ) throws(Failure) -> Response? {
    guard request.head.method == "PUT" else { return nil }
    var event = MockEvent(request, at: options.clock.now, forStorage: true)
    let head = request.head
    let fault = with { $0.faults.strike(head.method, head.path) }
    event.fault = fault?.description
    if case .drop = fault?.kind {
      note(event)
      return Response(503, body: .silence)
    }
    let response: Response
    do throws(Failure) {
      response = try take(request, &reader, fault)
    } catch {
      event.received = reader.count
      event.remark = "the body ended early"
      note(event)
      throw error
    }
    event.status = response.status
    event.received = reader.count
    note(event)
    if case .applyAndDrop = fault?.kind { return Response(503, body: .silence) }
    if case .slow(let time) = fault?.kind {
      var late = response
      late.delay = time
      return late
    }
    return response
  }

  /// A part that may be written: whose it is, and where its bytes go.
  private struct Place {
    let file: String
    let index: Int
    let part: UploadFile.Part
    let bytes: PartsFile
  }

  private func take(
    _ request: Request, _ reader: inout BodyReader, _ fault: MockFault?
  ) throws(Failure) -> Response {
    switch fault?.kind {
    case .status(let status): return StorageAnswer.refusal(status, "InternalError", "Asked for.")
    case .tooMany(let wait):
      var response = StorageAnswer.refusal(429, "SlowDown", "Please reduce your request rate.")
      if case .seconds(let seconds) = wait { response.fields.append(("Retry-After", "\(seconds)")) }
      return response
    case .expired: return StorageAnswer.expired
    case .unauthorized: return StorageAnswer.refusal(401, "AccessDenied", "Access Denied")
    default: break
    }
    let place: Place
    do throws(StorageAnswer) {
      place = try find(request.head)
    } catch {
      return error.response
    }
    var resetAt: UInt64?
    if case .reset(let count) = fault?.kind { resetAt = count }
    guard var digest = try? Digest(.md5) else { throw Failure(.outOfMemory) }
    var offset = place.part.offset
    let end = place.part.offset + place.part.length
    var isTooLong = false
    while reader.left > 0 {
      let taken = offset - place.part.offset
      if let resetAt, taken >= resetAt { throw reader.reset() }
      // A body in chunks may be longer than the part.
      let room = max(1, end - offset)
      _ = try reader.next(atMost: min(room, resetAt.map { $0 - taken } ?? room)) {
        (bytes) throws(Failure) in
        isTooLong = offset == end
        guard !isTooLong else { return }
        try place.bytes.write(bytes, at: offset)
        digest.update(bytes)
        offset += UInt64(bytes.byteCount)
      }
      if isTooLong { break }
    }
    if let resetAt, offset - place.part.offset >= resetAt { throw reader.reset() }
    guard !isTooLong, offset == end else { return Self.wrongSize(of: place.part).response }
    let tag = hexadecimal(digest.finish())
    with { contents in
      guard var file = contents.store.files[place.file], !file.isCommitted else { return }
      file.parts[place.index].tag = tag
      contents.store.files[place.file] = file
    }
    return Response(200, fields: [("ETag", "\"\(tag)\"")])
  }

  /// Finds the part that a request is for, and checks all that is said about it before its bytes.
  private func find(_ head: RequestHead) throws(StorageAnswer) -> Place {
    if head["authorization"] != nil {
      // Who shows a token here has leaked it.
      with { $0.violations.append("a request to the storage had an 'Authorization'") }
      throw StorageAnswer(
        400, "InvalidArgument", "Only one auth mechanism allowed: the address is signed.")
    }
    let parts = Endpoint.parts(head.path)
    let query = Dictionary(
      head.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    guard parts.count == 2, parts[0] == "upload", head.queryItems.count == 3,
      let number = query["partNumber"].flatMap({ Int($0) }),
      let expires = query["Expires"].flatMap({ Int64($0) }), let signature = query["Signature"]
    else { throw StorageAnswer(403, "AccessDenied", "Access Denied") }
    let address = UploadAddress(file: parts[1], part: number, expires: expires)
    let found = with { contents -> Result<Place, StorageAnswer> in
      guard signature == address.signature(seed: contents.store.seed),
        var file = contents.store.files[parts[1]],
        let index = file.parts.firstIndex(where: { $0.number == number })
      else {
        return .failure(
          StorageAnswer(
            403, "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided."))
      }
      guard options.clock.now.seconds < expires else {
        return .failure(StorageAnswer(403, "AccessDenied", "Request has expired"))
      }
      guard !file.isCommitted else {
        return .failure(StorageAnswer(403, "AccessDenied", "The upload is complete."))
      }
      if let trouble = Self.trouble(with: head, for: file.parts[index], options.switches) {
        return .failure(trouble)
      }
      // Until the new bytes are there, there are none: old and new ones would be mixed.
      file.parts[index].tag = nil
      contents.store.files[file.id] = file
      if contents.parts[file.id] == nil {
        contents.parts[file.id] = try? PartsFile(size: file.size)
      }
      guard let bytes = contents.parts[file.id] else {
        return .failure(
          StorageAnswer(507, "InsufficientStorage", "No file can be made to put parts in."))
      }
      return .success(Place(file: file.id, index: index, part: file.parts[index], bytes: bytes))
    }
    return try found.get()
  }

  /// What is wrong with the fields of a request for a part; nil if nothing is.
  private static func trouble(
    with head: RequestHead, for part: UploadFile.Part, _ switches: Switches
  ) -> StorageAnswer? {
    var wanted = [(name: "Content-Type", value: "application/octet-stream")]
    if switches.extraHeader { wanted.append(Rendering.extraField) }
    for field in wanted where head[field.name.lowercased()] != field.value {
      return StorageAnswer(
        403, "SignatureDoesNotMatch", "'\(field.name)' is not what the address was signed with.")
    }
    if head.isChunked, switches.chunkedParts == "accept" { return nil }
    guard let size = head.bodySize else {
      return StorageAnswer(411, "MissingContentLength", "You must provide 'Content-Length'.")
    }
    return size == part.length ? nil : wrongSize(of: part)
  }

  private static func wrongSize(of part: UploadFile.Part) -> StorageAnswer {
    StorageAnswer(400, "InvalidRequest", "The part has \(part.length) bytes, no more and no fewer.")
  }
}

/// A refusal of the storage: XML, as object storage writes it.
struct StorageAnswer: Error, Sendable {
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

  static func refusal(_ status: Int, _ code: String, _ message: String) -> Response {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>\(code)</Code><Message>\(message)</Message></Error>

      """
    return Response(
      status, fields: [("Content-Type", "application/xml")], body: .bytes(Array(text.utf8)))
  }
}
