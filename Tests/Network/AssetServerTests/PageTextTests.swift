import AssetServer
import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// Texts from requests and manifests on the pages of a server.
@Suite(.mustEnd) struct PageTextTests {
  @Test(arguments: [true, false])
  func `no text becomes a tag or an attribute of the live page`(withSwitches: Bool) throws {
    func page(_ text: String, ids: [String]) throws -> String {
      let site = try Site(ids: ids, texts: text)
      return withSwitches
        ? try site.script("GET /", token: nil).text : Answer(try site.get("/")).text
    }
    let plain = try page("plain", ids: ["a", "b"])
    let hostile = try page(hostileText, ids: ["<b>&'a", "<b>&'b"])
    #expect(tags(of: Array(plain.utf8)).count > 60)
    #expect(tags(of: Array(hostile.utf8)) == tags(of: Array(plain.utf8)))
    #expect(!hostile.unicodeScalars.contains("\u{200F}"))
    #expect(hostile.components(separatedBy: "&lt;b&gt;&amp;").count > 5)
  }

  @Test func `no text becomes a tag or an attribute of the enrolment page`() throws {
    let authority = try Authority.make(called: "Tests", at: .now)
    func page(_ text: String) throws -> [UInt8] {
      let enrolment = try Enrolment(
        root: authority.root, called: text, overridingWith: text, exportedBy: text)
      let server = try HTTPServer(try Listener(), enrolment.handler)
      try server.start()
      let connection = try Connection.connect(
        to: "127.0.0.1", port: server.address.port, timeout: .seconds(600), .unstoppable)
      try connection.write(Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
      try connection.finishWriting()
      return connection.readToEnd().bytes
    }
    let (plain, hostile) = (try page("plain"), try page(hostileText))
    #expect(tags(of: plain).count > 60)
    #expect(tags(of: hostile) == tags(of: plain))
    let text = String(decoding: hostile, as: UTF8.self)
    #expect(!text.unicodeScalars.contains("\u{200F}"))
    #expect(text.components(separatedBy: "&lt;b&gt;&amp;&quot;&#39;").count == 7)
  }
}
