import HTTPServer
import SystemIO
import TestSupport
import Testing
import Transfers

/// Servers with random connection losses, errors and new versions.
@Suite(.mustEnd) struct UnreliableServerTests {
  private static let sizes = [1, 100_000, 1_500_000]

  /// Returns the bytes of a version of the file.
  private static func bytes(_ version: Int) -> [UInt8] {
    TransferSite.bytes(sizes[version % sizes.count] + version, seed: version + 10)
  }

  @Test(.heavy, arguments: 0..<20)
  func `with any sequence of errors, the file is one complete version`(
    seed: Int
  ) throws {
    let versions = (0..<6).map(Self.bytes)
    let served = Noted<Int>()
    let site = try ScriptedSite { request, number in
      var dice = Seeded(seed: UInt64(seed * 1000 + number))
      let version = min((served.all.last ?? 0) + (dice.next(below: 3) == 0 ? 1 : 0), 5)
      served.add(version)
      let bytes = versions[version]
      let tag = "\"v\(version)\""
      var start = 0
      if let range = request.head["range"], request.head["if-range"] == tag {
        start = Int(range.dropFirst(6).dropLast()) ?? 0
      }
      if number < 12, dice.next(below: 4) == 0 {
        return Response([500, 502, 503, 504][dice.next(below: 4)])
      }
      let rest = Array(bytes[start...])
      let cut = number < 12 && dice.next(below: 3) > 0 ? dice.next(below: rest.count + 1) : nil
      var fields: ResponseFields = [("ETag", tag)]
      if start > 0 {
        fields.append(("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"))
      }
      let ends = dice.next(below: 2)
      return Response(
        start > 0 ? 206 : 200, fields: fields,
        body: .writing(UInt64(rest.count)) { writer throws(Failure) in
          try writer.write(Array(rest.prefix(cut ?? rest.count)))
          if cut != nil { if ends == 0 { writer.cutOff() } else { writer.reset() } }
        })
    }
    let folder = try TemporaryFolder()
    let keepsPart = seed % 2 == 0
    let part = try FileDescriptor.open(folder.path("part"), for: .locking)
    var received: Received?
    var validator: String?
    // A download fails after some attempts, and another one resumes.
    for _ in 0..<12 where received == nil {
      let transfers = try site.transfers { $0.backoff.attempts = 3 }
      let path = folder.path("x")
      guard keepsPart else {
        received = try? transfers.get(site.url("/x"), to: path, .unstoppable)
        continue
      }
      let size = try part.status().size
      let start = validator.map { PartialContent(size: size, validator: $0) }
      if start == nil { try part.truncate(to: 0) }
      received = try? transfers.get(
        site.url("/x"), into: part, after: start, noted: { validator = $0 }, .unstoppable)
    }
    let found = try folder.contents(keepsPart ? "part" : "x")
    #expect(versions.contains(found))
    #expect(received?.sha256 == (try TransferSite.sha256(found)))
  }
}
