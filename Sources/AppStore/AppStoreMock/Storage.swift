import BlockCodecs
import Faults
import FoundationEssentials
package import HTTPServer
package import SystemIO
import TerminalText

/// The storage for parts: it accepts signed addresses, and no tokens.
extension AppStoreMock {
  /// Receives a part; returns nil for other requests.
  package func receive(
    _ request: Request, _ reader: inout BodyReader
  ) throws(Failure) -> Response? {
    guard request.head.method == "PUT" else { return nil }
    var event = MockEvent(request, at: options.clock.now, forStorage: true)
    let head = request.head
    let fault = with { $0.faults.strike(.init(head.method, head.path)) }
    event.fault = fault?.description
    if fault?.effect == .drop {
      note(event)
      return Response(503, body: .noResponse)
    }
    let response: Response
    do throws(Failure) {
      response = try store(request, &reader, fault)
    } catch {
      event.received = reader.count
      event.remark = "the body ended early"
      note(event)
      throw error
    }
    event.status = response.status
    event.received = reader.count
    note(event)
    if fault?.effect == .applyAndDrop { return Response(503, body: .noResponse) }
    if case .slow(let time) = fault?.effect {
      var late = response
      late.delay = time
      return late
    }
    return response
  }

  /// A part to receive, and the place of its bytes.
  fileprivate struct Target {
    let file: String
    let index: Int
    let part: MockFile.Part
    let bytes: PartsFile
    let place: UInt64
  }

  private func store(
    _ request: Request, _ reader: inout BodyReader, _ fault: ServiceFault?
  ) throws(Failure) -> Response {
    if let refusal = fault.flatMap({ refusal(by: $0.effect) }) { return refusal }
    let target: Target
    let declared: [UInt8]?
    do throws(StorageResponse) {
      declared = try Self.declaredMD5(request.head)
      target = try find(request.head)
    } catch {
      return error.response
    }
    let sum: [UInt8]?
    do throws(Failure) {
      sum = try write(&reader, to: target, fault)
    } catch {
      _ = with { $0.finish(target, tag: nil) }
      throw error
    }
    let isDeclared = declared == nil || declared == sum
    let tag = isDeclared ? sum.map { hexadecimal($0) } : nil
    let isKept = with { $0.finish(target, tag: tag) }
    guard sum != nil else { return Self.wrongSize(of: target.part).response }
    guard let tag else { return StorageError.badDigest.refusal.response }
    guard isKept else { return StorageResponse.complete.response }
    if fault?.effect == .noTag { return Response(200) }
    return Response(200, fields: [("ETag", "\"\(tag)\"")])
  }

  /// Returns the response that replaces the reception of a part; nil if the part is received.
  private func refusal(by effect: ServiceEffect) -> Response? {
    switch effect {
    case .status(let status, let seconds):
      var response = StorageResponse.refusal(status, "InternalError", "Requested by a fault.")
      if let seconds { response.fields.append(("Retry-After", "\(seconds)")) }
      return response
    case .tooMany(let wait):
      var response = StorageResponse.refusal(429, "SlowDown", "Please reduce your request rate.")
      if let field = retryAfter(wait) { response.fields.append(("Retry-After", field)) }
      return response
    case .storage(let error): return error.refusal.response
    case .expired: return StorageResponse.expired
    case .unauthorized: return StorageResponse.refusal(401, "AccessDenied", "Access Denied")
    case .reset, .truncate, .corrupt, .drop, .applyAndDrop, .noTag, .noSource, .slow, .distorted:
      return nil
    }
  }

  /// Writes the body of a request to the place of a part; returns its MD5, or nil if it is too
  /// long.
  private func write(
    _ reader: inout BodyReader, to target: Target, _ fault: ServiceFault?
  ) throws(Failure) -> [UInt8]? {
    let length = target.part.length
    var resetAt: UInt64?
    if case .reset(let amount) = fault?.effect {
      // A number of bytes above the length of the part resets nothing.
      resetAt = if case .bytes(let count) = amount { count } else { amount.bytes(of: length) }
    }
    let isCorrupt = fault?.effect == .corrupt
    var digest = try Digest(.md5)
    var done: UInt64 = 0
    while reader.left > 0 {
      if let resetAt, done >= resetAt { throw reader.reset() }
      _ = try reader.next(atMost: min(length - done, resetAt.map { $0 - done } ?? .max)) {
        (bytes) throws(Failure) in
        if isCorrupt, done == 0 {
          var changed: [UInt8] = []
          changed.append(copying: bytes)
          changed[0] ^= 0x20
          try changed.withRawSpan { (bytes) throws(Failure) in
            try target.bytes.write(bytes, at: target.place)
            digest.update(bytes)
          }
        } else {
          try target.bytes.write(bytes, at: target.place + done)
          digest.update(bytes)
        }
        done += UInt64(bytes.byteCount)
      }
    }
    if let resetAt, done >= resetAt { throw reader.reset() }
    return done == length ? digest.finish() : nil
  }

  /// Returns the value of 'Content-MD5', which is optional for a part.
  private static func declaredMD5(_ head: RequestHead) throws(StorageResponse) -> [UInt8]? {
    guard let text = head["content-md5"] else { return nil }
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else {
      throw StorageResponse(400, "InvalidDigest", "The Content-MD5 you specified is not valid.")
    }
    return Array(bytes)
  }

  /// Finds the part of a request, and makes all checks that need no bytes.
  private func find(_ head: RequestHead) throws(StorageResponse) -> Target {
    if head["authorization"] != nil {
      // A token must not be sent to the storage.
      with { $0.violations.append("a request to the storage contained 'Authorization'") }
      throw StorageResponse(
        400, "InvalidArgument", "Only one auth mechanism allowed: the address is signed.")
    }
    guard let (address, signature) = UploadAddress.read(head) else {
      throw StorageResponse(403, "AccessDenied", "Access Denied")
    }
    let clock = options.clock.now
    let switches = options.switches
    func begin(_ made: PartsFile?) throws(StorageResponse) -> Target? {
      try with { contents throws(StorageResponse) in
        try contents.begin(
          address, signed: signature, head, made, switches, at: clock)
      }
    }
    if let target = try begin(nil) { return target }
    guard let size = with({ $0.store.files[address.file]?.size }),
      let made = try? PartsFile(size: size), let target = try begin(made)
    else {
      throw StorageResponse(507, "InsufficientStorage", "Cannot create a file for the parts.")
    }
    return target
  }

  /// Returns the error in the fields of a request for a part; nil if they are valid.
  fileprivate static func problem(
    with head: RequestHead, for part: MockFile.Part, _ switches: MockSettings
  ) -> StorageResponse? {
    var required = [(name: "Content-Type", value: "application/octet-stream")]
    if switches.extraHeader { required.append(Rendering.extraField) }
    for field in required where head[field.name.lowercased()] != field.value {
      return StorageResponse(
        403, "SignatureDoesNotMatch", "'\(field.name)' differs from the signed value.")
    }
    guard let size = head.bodySize else {
      return StorageResponse(411, "MissingContentLength", "You must provide 'Content-Length'.")
    }
    return size == part.length ? nil : wrongSize(of: part)
  }

  private static func wrongSize(of part: MockFile.Part) -> StorageResponse {
    StorageResponse(400, "InvalidRequest", "The part must have exactly \(part.length) bytes.")
  }
}

extension AppStoreMock.Contents {
  /// Starts to receive a part.
  ///
  /// Its bytes belong in the file of the earlier parts, or in `made` for the first part. Returns
  /// nil if the first part comes without `made`; the caller then creates the file and calls again.
  fileprivate mutating func begin(
    _ address: UploadAddress, signed signature: String, _ head: RequestHead, _ made: PartsFile?,
    _ switches: MockSettings, at clock: Moment
  ) throws(StorageResponse) -> AppStoreMock.Target? {
    guard signature == address.signature(seed: store.seed), var file = store.files[address.file],
      let index = file.parts.firstIndex(where: { $0.number == address.part })
    else {
      throw StorageResponse(
        403, "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided.")
    }
    guard store.time(at: clock).seconds < address.expires else {
      throw StorageResponse(403, "AccessDenied", "Request has expired")
    }
    guard accepts(file.id) else { throw StorageResponse.complete }
    let part = file.parts[index]
    if let problem = AppStoreMock.problem(with: head, for: part, switches) { throw problem }
    guard var reception = receptions[file.id] ?? made.map({ Reception($0, of: file) }) else {
      return nil
    }
    // The part is missing until the new bytes are complete.
    file.parts[index].tag = nil
    store.files[file.id] = file
    let place = reception.begin(index, part)
    receptions[file.id] = reception
    return AppStoreMock.Target(
      file: file.id, index: index, part: part, bytes: reception.bytes, place: place)
  }

  /// Returns whether parts of a file are accepted: it is not committed, and no commit is in
  /// progress.
  fileprivate func accepts(_ id: String) -> Bool {
    guard let file = store.files[id], !file.isCommitted else { return false }
    return receptions[id]?.isClosed != true
  }

  /// Ends the reception of a part; returns whether its bytes are used, which requires a tag.
  fileprivate mutating func finish(_ target: AppStoreMock.Target, tag: String?) -> Bool {
    let isWhole = tag != nil && accepts(target.file)
    // After a reset another file may have the same ID.
    guard receptions[target.file]?.bytes === target.bytes else { return false }
    receptions[target.file]?.finish(
      target.index, target.part, at: target.place, isWhole: isWhole)
    guard isWhole, var file = store.files[target.file] else { return false }
    file.parts[target.index].tag = tag
    store.files[file.id] = file
    return true
  }
}
