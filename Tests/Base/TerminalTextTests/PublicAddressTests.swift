import TerminalText
import Testing

struct PublicAddressTests {
  @Test(arguments: [
    ("https://host/a/b.aar", "https://host/a/b.aar"),
    ("https://me:secret@host:8443/a?Signature=secret#secret", "https://host:8443/a"),
    ("https://me@host", "https://host"), ("https://host?secret", "https://host"),
    ("https://secret@secret@host/@scope/a", "https://host/@scope/a"),
    ("https://[::1]:80/a", "https://[::1]:80/a"), ("https://me:secret@[::1]/", "https://[::1]/"),
    // The password has an unencoded '/', '?' or '#'.
    ("https://me:se/cret@host/a", "https://…"), ("https://me:se?cret@host/a", "https://…"),
    ("https://me:se#cret@host/a", "https://…"),
    ("https://host/{id}-{version}?token=secret", "https://host/{id}-{version}"),
    ("me:secret@host/a?secret", "host/a"), ("packs/a", "packs/a"), ("", ""),
  ])
  func `an address is named without its secrets`(text: String, shown: String) {
    #expect(publicAddress(text) == shown)
  }
}
