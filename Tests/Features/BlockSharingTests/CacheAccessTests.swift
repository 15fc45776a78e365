import BAPackKit
import Testing
import Transfers

@testable import BlockSharing

@Suite("Who may see the secrets of a shared cache")
struct CacheAccessTests {
  private func access(
    _ server: String, _ environment: [String: String]
  ) throws -> CacheAccess {
    try CacheAccess(to: CacheAddress(server)) { environment[$0] }
  }

  @Test(arguments: [
    "http://c", "https://c.example:8443/a/b/", "HTTPS://C.example", "http://[::1]:80/x",
  ])
  func `a cache address is a web address with optional folders`(text: String) throws {
    #expect(CacheAddress.isMeant(by: text))
    let address = try CacheAddress(text)
    #expect(address.url("00").hasSuffix("/ac/00"))
    #expect(!address.url("00").dropFirst(8).contains("//"))
  }

  @Test(arguments: [
    "http://", "https://u:p@c", "https://u@c", "https://c?x", "https://c#x", "https://c d",
    "https://c:99999", "grpc://c:9092", "s3://bucket/x", "file:///x",
  ])
  func `other texts are not cache addresses`(text: String) {
    #expect(CacheAddress.isMeant(by: text))
    let error = #expect(throws: PackError.self) { try CacheAddress(text) }
    #expect(error?.message.contains("u:p") == false)
  }

  @Test(arguments: ["folder", "/http://x", "httpd", "http:/x", "~/.cache", "://x", "a/b://c"])
  func `a folder is not an address`(text: String) { #expect(!CacheAddress.isMeant(by: text)) }

  @Test
  func `credentials are sent only to the named origin`() throws {
    let token = ["BA_CACHE_TOKEN": "abc"]
    func sent(_ server: String, _ origin: String?) throws -> [String] {
      var environment = token
      environment["BA_CACHE_ORIGIN"] = origin
      return try access(server, environment).fields.map(\.value)
    }
    #expect(try sent("https://c.example/x", "https://c.example") == ["Bearer abc"])
    #expect(try sent("https://C.example:443", "https://c.example/") == ["Bearer abc"])
    #expect(try sent("http://127.0.0.1:8080", "http://127.0.0.1:8080") == ["Bearer abc"])
    for (server, origin) in [
      ("https://c.example", nil), ("https://c.example", ""),
      ("http://c.example", "https://c.example"),
      ("https://c.example:444", "https://c.example"), ("https://d.example", "https://c.example"),
      ("https://c.example.d", "https://c.example"), ("https://cc.example", "https://c.example"),
    ] as [(String, String?)] {
      #expect(try sent(server, origin) == [])
      var environment = token
      environment["BA_CACHE_ORIGIN"] = origin
      #expect(try access(server, environment).withheld != nil)
    }
    #expect(try access("https://c", [:]).withheld == nil)
  }

  @Test
  func `a name and a password are sent as basic authentication`() throws {
    let environment = [
      "BA_CACHE_USER": "me", "BA_CACHE_PASSWORD": "a:b", "BA_CACHE_ORIGIN": "https://c",
    ]
    #expect(try access("https://c", environment).fields.map(\.value) == ["Basic bWU6YTpi"])
    #expect(try access("https://c", environment).fields.map(\.name) == ["Authorization"])
  }

  @Test(arguments: [
    ["BA_CACHE_KEY": "short"], ["BA_CACHE_TOKEN": "a\nb", "BA_CACHE_ORIGIN": "https://c"],
    ["BA_CACHE_TOKEN": "Bearer x", "BA_CACHE_ORIGIN": "https://c"],
    ["BA_CACHE_TOKEN": "x", "BA_CACHE_USER": "y"], ["BA_CACHE_USER": "a:b"],
    ["BA_CACHE_TOKEN": "x", "BA_CACHE_ORIGIN": "c"],
    ["BA_CACHE_TOKEN": "x", "BA_CACHE_ORIGIN": "https://c/folder"],
  ])
  func `mistakes are reported without the secret`(environment: [String: String]) throws {
    let error = #expect(throws: PackError.self) { try access("https://c", environment) }
    #expect(error?.message.contains("short") == false)
  }
}
