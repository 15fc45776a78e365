import AssetServer
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// Downloads of packs with independent HTTP clients.
@Suite(.world, .mustEnd) struct RealClientTests {
  private static let cave = Site.bytes(of: "cave")

  private func url(_ site: Site, _ path: String = "/cave") -> String {
    "\(site.isSecure ? "https" : "http")://127.0.0.1:\(site.server.address.port)\(path)"
  }

  /// Downloads into the file `got` with curl; returns the output and the exit status.
  private func curl(_ site: Site, _ arguments: [String], _ path: String = "/cave") throws
    -> Peer.Answer
  {
    let trust = site.isSecure ? ["--cacert", site.folder.path("root.pem")] : []
    return try Peer.ask(
      "curl",
      ["-sS", "--max-time", "600", "-o", site.folder.path("got")] + trust
        + ["-w", "%{http_code} %{size_download}"] + arguments + [url(site, path)])
  }

  private func got(_ site: Site) throws -> [UInt8] { try site.folder.contents("got") }

  // MARK: Faults

  /// A fault, the exit status of curl (0 for success), the status, and the number of received
  /// bytes.
  @Test(
    arguments: [
      ("*: cut 60%", [18], 200, 120_000), ("*: cut 1k", [18], 200, 1024),
      ("*: cut 199999", [18], 200, 199_999), ("*: cut 0%", [18], 200, 0),
      ("*: cut 100%", [18, 0], 200, 200_000), ("*: status 503", [0], 503, 30),
      ("*: status 404", [0], 404, 30), ("*: stall 300ms", [0], 200, 200_000),
      ("*: truncate", [0], 200, 100_000), ("*: corrupt", [0], 200, 200_000),
      ("*: tls-close", [52, 56], 0, 0), ("nobody: cut 1k", [0], 200, 200_000),
      ("cave: cut 65536", [18], 200, 65_536), ("cave: cut 65537", [18], 200, 65_537),
      ("cave: cut 16384", [18], 200, 16_384), ("cave: cut 1", [18], 200, 1),
    ], [false, true])
  func `curl gets exactly the bytes that a fault lets through`(
    fault: (text: String, ends: [Int32], status: Int, bytes: Int), isSecure: Bool
  ) throws {
    let site = try Site(faults: [fault.text], isSecure: isSecure)
    let answer = try curl(site, [])
    #expect(fault.ends.contains(answer.status), "\(answer)")
    let figures = answer.output.split(separator: " ").compactMap { Int($0) }
    #expect(figures.first == fault.status, "\(answer)")
    #expect(figures.dropFirst().first == fault.bytes, "\(answer)")
    guard fault.status == 200, fault.bytes > 0 else { return }
    let differences = zip(try got(site), Self.cave).filter { $0 != $1 }.map { $0 ^ $1 }
    #expect(differences == (fault.text.hasSuffix("corrupt") ? [1] : []))
    #expect(try got(site).count == fault.bytes)
  }

  @Test(arguments: [false, true])
  func `a reset is an error, and so is a manifest that is not JSON`(isSecure: Bool) throws {
    let site = try Site(faults: ["*: reset 100k", "manifest: not-json"], isSecure: isSecure)
    let reset = try curl(site, [])
    #expect([18, 35, 55, 56].contains(reset.status), "\(reset)")
    #expect(try curl(site, [], "/manifest").status == 0)
    let read = try Peer.ask("python3", ["-m", "json.tool", site.folder.path("got")])
    #expect(read.status != 0)
  }

  @Test func `an interrupted download resumes, and gets the same bytes`() throws {
    let site = try Site(faults: ["*: cut 60% once", "*: cut 20% once"], isSecure: true)
    #expect(try curl(site, []).output == "200 120000")
    // A fifth of the remaining bytes.
    #expect(try curl(site, ["-C", "-"]).output == "206 16000")
    #expect(try curl(site, ["-C", "-"]).output == "206 64000")
    #expect(try got(site) == Self.cave)
    #expect(try curl(site, ["-C", "-"]).output.hasPrefix("416 "))
    #expect(try got(site).starts(with: Self.cave))
  }

  @Test func `a retry succeeds after a fault was applied its number of times`() throws {
    let site = try Site(faults: ["*: status 503 twice"], isSecure: true)
    let answer = try curl(site, ["--retry", "3", "--retry-delay", "1"])
    #expect(answer.output == "200 200000", "\(answer)")
    try site.events.waitForEnds(3)
    #expect(site.events.ended.map { $0.outcome?.status } == [503, 503, 200])
    #expect(try got(site) == Self.cave)
  }

  @Test func `a server can be offline, slow or throttled`() throws {
    let site = try Site(isSecure: true)
    site.packs.switches.isOffline = true
    #expect([52, 56].contains(try curl(site, []).status))
    site.packs.switches.isOffline = false
    site.packs.switches.latency = .milliseconds(300)
    site.packs.switches.bytesPerSecond = 400_000
    let answer = try curl(site, ["-w", "|%{time_starttransfer} %{time_total}"])
    let times = answer.output.split(separator: "|").last?.split(separator: " ")
      .compactMap { Double($0) }
    let (first, total) = (try #require(times?.first), try #require(times?.last))
    #expect(first >= 0.3 && total >= 0.79, "\(answer)")
    #expect(try got(site) == Self.cave)
  }

  // MARK: Requests

  @Test(
    arguments: [
      (["-r", "100-199"], "206", 100..<200), (["-r", "199999-"], "206", 199_999..<200_000),
      (["-r", "-5"], "206", 199_995..<200_000), (["-r", "0-999999"], "206", 0..<200_000),
      (["-r", "0-0,5-9"], "200", 0..<200_000), (["-C", "50000"], "206", 50_000..<200_000),
      (["--http1.0"], "200", 0..<200_000), (["--http2"], "200", 0..<200_000),
      (["--tls-max", "1.2"], "200", 0..<200_000), (["--tlsv1.3"], "200", 0..<200_000),
      (["--tcp-nodelay", "--limit-rate", "2M"], "200", 0..<200_000),
      (["-H", "Expect: 100-continue"], "200", 0..<200_000),
      (["-H", "Connection: close"], "200", 0..<200_000), (["--compressed"], "200", 0..<200_000),
      (["--path-as-is"], "200", 0..<200_000),
      (["-H", "Host: elsewhere.example"], "200", 0..<200_000),
    ], [false, true])
  func `curl gets the requested bytes with every kind of request`(
    request: (arguments: [String], status: String, range: Range<Int>), isSecure: Bool
  ) throws {
    let site = try Site(isSecure: isSecure)
    let answer = try curl(site, request.arguments)
    #expect(answer.status == 0, "\(answer)")
    #expect(answer.output == "\(request.status) \(request.range.count)", "\(answer)")
    let bytes = try got(site)
    #expect(bytes[...] == Self.cave[request.range])
  }

  @Test func `an unchanged pack is not sent again, and HEAD gets no body`() throws {
    let site = try Site(isSecure: true)
    let tag = site.folder.path("tag")
    #expect(try curl(site, ["--etag-save", tag]).output == "200 200000")
    #expect(try curl(site, ["--etag-compare", tag]).output == "304 0")
    #expect(try curl(site, ["-I"]).output == "200 0")
    #expect(
      String(decoding: try got(site), as: UTF8.self).contains("Content-Length: 200000\r\n"))
    #expect(try curl(site, ["-d", "x=1"]).output.hasPrefix("405 "))
    #expect(try curl(site, ["-X", "DELETE"]).output.hasPrefix("405 "))
    #expect(try curl(site, ["-T", tag]).output.hasPrefix("405 "))
    #expect(try curl(site, [], "/nothing").output.hasPrefix("404 "))
    #expect(try curl(site, ["--path-as-is"], "/a/../cave").output.hasPrefix("400 "))
    #expect(try curl(site, ["--path-as-is"], "/%2e%2e/cave").output.hasPrefix("400 "))
  }

  @Test func `many simultaneous downloads are complete`() throws {
    let site = try Site(isSecure: true)
    let files = (0..<40).flatMap { ["-o", site.folder.path("got\($0)"), url(site)] }
    let answer = try Peer.ask(
      "curl",
      [
        "-sS", "--max-time", "600", "--cacert", site.folder.path("root.pem"), "-Z",
        "--parallel-max",
      ]
        + ["40", "--parallel-immediate"] + files)
    #expect(answer.status == 0, "\(answer)")
    for number in 0..<40 { #expect(try site.folder.contents("got\(number)") == Self.cave) }
  }

  @Test func `curl sends the credentials of an override address`() throws {
    let site = try Site(isSecure: true) {
      $0.credentials = BasicCredentials(user: "me", password: "s:cret")
    }
    #expect(try curl(site, []).output.hasPrefix("401 "))
    #expect(try curl(site, ["-u", "me:other"]).output.hasPrefix("401 "))
    #expect(try curl(site, ["-u", "me:s:cret"]).output == "200 200000")
  }

  @Test func `wget resumes automatically after a lost connection`() throws {
    let site = try Site(faults: ["*: cut 60% once", "*: cut 50% once"], isSecure: true)
    let answer = try Peer.ask(
      "wget",
      ["--ca-certificate", site.folder.path("root.pem"), "-t", "5", "-T", "30", "-O"]
        + [site.folder.path("got"), "--waitretry=0", "--no-hsts", url(site)])
    #expect(answer.status == 0, "\(answer)")
    #expect(try got(site) == Self.cave)
    #expect(answer.errors.contains("206 Partial Content"))
    // A complete file is not requested again.
    let again = try Peer.ask(
      "wget",
      ["--ca-certificate", site.folder.path("root.pem"), "-c", "-t", "2", "-T", "30", "-O"]
        + [site.folder.path("got"), "--no-hsts", url(site)])
    #expect(again.errors.contains("416 "), "\(again)")
    #expect(try got(site) == Self.cave)
  }

  @Test func `Python's requests gets the requested bytes on one connection`() throws {
    let site = try Site(isSecure: true)
    let answer = try Peer.ask(
      Checkout.file("Tests/World/requests-peer").path(percentEncoded: false),
      [url(site, ""), site.folder.path("root.pem"), site.folder.path("pack0")])
    #expect(answer.output == "ok\n", "\(answer)")
  }
}
