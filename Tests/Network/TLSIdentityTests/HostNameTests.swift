import TLSIdentity
import Testing

@Suite struct HostNameTests {
  @Test(arguments: [
    ("localhost", "localhost"), ("LOCALHOST.", "localhost"), ("my-mac.local", "my-mac.local"),
    ("192.168.1.10", "192.168.1.10"), ("::1", "::1"), ("[fe80::1%eth0]", "fe80::1"),
    ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"), ("1::", "1::"),
    ("0:0:1:0:2:3:4:5", "::1:0:2:3:4:5"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
    ("fe80:0:0:0:0:0:0:1", "fe80::1"), ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("3com.example", "3com.example"),
  ])
  func `a name or an address is read, and written in its usual form`(text: String, usual: String)
    throws
  {
    let host = try #require(HostName(text))
    #expect(host.description == usual)
    #expect(HostName(usual) == host)
  }

  @Test(arguments: [
    "", ".", "a..b", "-a", "a-", "a b", "a/b", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4/8",
    "010.1.1.1", "::1::",
    "[localhost]", "bücher.example", "a_b", "*.example.com", "a,DNS:b",
    String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "aa",
  ])
  func `other texts are not hosts`(text: String) { #expect(HostName(text) == nil) }

  @Test func `only this computer is a loopback host`() {
    let loopback = ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"]
    #expect(loopback.allSatisfy { HostName($0)?.isLoopback == true })
    let others = ["local", "128.0.0.1", "::2", "1::1", "localhost.example"]
    #expect(others.allSatisfy { HostName($0)?.isLoopback == false })
  }

  @Test func `in a URL an IPv6 address has brackets, and no colons in a file name`() {
    #expect(HostName("::1")?.inURL == "[::1]")
    #expect(HostName("10.0.0.1")?.inURL == "10.0.0.1")
    #expect(HostName("fe80::1")?.fileName == "fe80--1")
  }
}
