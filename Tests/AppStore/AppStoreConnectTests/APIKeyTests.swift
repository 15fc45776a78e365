import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// The search for API keys, and the keys that are refused.
@Suite(.mustEnd) struct APIKeyTests {
  static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

  /// Returns a key in the form that Apple provides.
  static func pem() throws -> [UInt8] { try PrivateKey.make().pem() }

  private func search(_ variables: [String: String], _ search: APIKeySearch = APIKeySearch())
    -> APIKeySearch
  {
    var search = search
    search.environment = { variables[$0] }
    return search
  }

  @Test func `without libcrypto, a key is not reported as invalid`() throws {
    let pem = try Self.pem()
    let error = #expect(throws: PackError.self) {
      try ForcedFailures.inject(.always(.load, 79)) {
        try APIKey(id: "X1", issuer: nil, pem: pem, origin: "the key")
      }
    }
    #expect(error?.remedies == ["install OpenSSL (package libssl3 on Debian and Ubuntu)"])
  }

  @Test func `a key is found from arguments, in the environment, and in the folders of altool`()
    throws
  {
    let folder = try TemporaryFolder()
    let pem = try Self.pem()
    try folder.makeFolder(".appstoreconnect")
    for name in ["keys", "private_keys", ".appstoreconnect/private_keys"] {
      try folder.makeFolder(name)
    }
    try folder.makeFile("keys/AuthKey_ABC123.p8", pem)
    try folder.makeFile("private_keys/AuthKey_HOME1.p8", pem)
    try folder.makeFile(".appstoreconnect/private_keys/ApiKey_ONE1.p8", pem)
    let text = String(decoding: pem, as: UTF8.self)
    let home = ["HOME": String(folder.path.dropLast(folder.path.hasSuffix("/") ? 1 : 0))]
    let file = folder.path("keys/AuthKey_ABC123.p8")

    let named = try search([:], APIKeySearch(id: "X1", issuer: Self.issuer, path: file)).find()
    #expect((named.id, named.issuer) == ("X1", Self.issuer))
    // The file name contains the key ID.
    #expect(try search([:], APIKeySearch(path: file)).find().id == "ABC123")
    for variables in [
      ["ASC_KEY_ID": "E1", "ASC_ISSUER_ID": Self.issuer, "ASC_KEY_PATH": file],
      ["ASC_KEY_ID": "E1", "ASC_ISSUER_ID": Self.issuer, "ASC_KEY": text],
      [
        "ASC_KEY_ID": "E1", "ASC_ISSUER_ID": Self.issuer,
        "ASC_KEY": text.replacingOccurrences(of: "\n", with: "\\n"),
      ],
      [
        "APP_STORE_CONNECT_API_KEY_KEY_ID": "E1",
        "APP_STORE_CONNECT_API_KEY_ISSUER_ID": Self.issuer,
        "APP_STORE_CONNECT_API_KEY_KEY": Data(pem).base64EncodedString(),
      ],
      [
        "APP_STORE_CONNECT_API_KEY_KEY_ID": "E1",
        "APP_STORE_CONNECT_API_KEY_ISSUER_ID": Self.issuer,
        "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH": file,
      ],
    ] {
      let key = try search(variables).find()
      #expect((key.id, key.issuer) == ("E1", Self.issuer), "\(variables.keys)")
    }
    let inHome = try search(home, APIKeySearch(id: "HOME1", issuer: Self.issuer)).find()
    #expect(inHome.origin == "'\(folder.path("private_keys/AuthKey_HOME1.p8"))'")
    let own = try search(home, APIKeySearch(id: "ONE1")).find()
    #expect(own.issuer == nil)
    let inNamed = try search(
      ["API_PRIVATE_KEYS_DIR": folder.path("keys")], APIKeySearch(id: "ABC123")
    ).find()
    #expect(inNamed.id == "ABC123")
    // Arguments of the caller take precedence over the environment.
    let both = try search(
      ["ASC_KEY": "nonsense", "ASC_KEY_ID": "E1"], APIKeySearch(id: "X1", path: file)
    ).find()
    #expect(both.id == "X1")
  }

  @Test func `a key is read even if its line breaks are changed, escaped or missing`() throws {
    let text = String(decoding: try Self.pem(), as: UTF8.self)
    let body = text.split(separator: "\n").dropFirst().dropLast().joined()
    let folder = try TemporaryFolder()
    for form in [
      text.replacing("\n", with: " "), text.replacing("\n", with: "\r\n"),
      text.replacing("\n", with: ""), text.replacing("\n", with: "\\r\\n"), "\"\(text)\"", body,
      body + "\n", Data(text.replacing("\n", with: " ").utf8).base64EncodedString(),
    ] {
      let key = try search(["ASC_KEY_ID": "E1", "ASC_KEY": form]).find()
      #expect(key.id == "E1", "\(form.count)")
      try folder.makeFile("AuthKey_F1.p8", form)
      #expect(try search([:], APIKeySearch(path: folder.path("AuthKey_F1.p8"))).find().id == "F1")
    }
    #expect(throws: PackError.self) {
      try search(["ASC_KEY_ID": "E1", "ASC_KEY": String(body.dropLast(9))]).find()
    }
  }

  @Test(.needs("openssl"))
  func `an invalid key is refused with a hint, without a password prompt`()
    throws
  {
    for (words, part) in [
      (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "curve secp384r1"),
      (["genpkey", "-algorithm", "RSA"], "of another type"),
      (["genpkey", "-algorithm", "ED25519"], "of another type"),
      (
        [
          "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256", "-pass",
          "pass:secret",
        ], "the private key is encrypted"
      ),
    ] {
      let pem = Array(try Peer.ask("openssl", words).output.utf8)
      let error = #expect(throws: PackError.self) {
        try APIKey(id: "A1", issuer: nil, pem: pem, origin: "'a.p8'")
      }
      #expect(error?.message.hasPrefix("'a.p8' is not an App Store Connect API key: ") == true)
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
      #expect(error?.remedies.count == 1)
    }
    for text in ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
      #expect(throws: PackError.self) {
        try APIKey(id: "A1", issuer: nil, pem: Array(text.utf8), origin: "'a.p8'")
      }
    }
  }

  @Test(arguments: ["", "A B", "A\"", "../A", String(repeating: "A", count: 65)])
  func `an ID with other characters is refused`(id: String) throws {
    let pem = try Self.pem()
    #expect(throws: PackError.self) { try APIKey(id: id, issuer: nil, pem: pem, origin: "x") }
    #expect(throws: PackError.self) { try APIKey(id: "A", issuer: id, pem: pem, origin: "x") }
  }

  @Test func `the error of a missing key contains the searched folders`() throws {
    let none = #expect(throws: PackError.self) { try search([:]).find() }
    #expect(none?.kind == .missing)
    #expect(none?.remedies == [.specifyAPIKey])
    let absent = #expect(throws: PackError.self) {
      try search(["HOME": "/nowhere"], APIKeySearch(id: "A1")).find()
    }
    #expect(
      absent?.message
        == "cannot find AuthKey_A1.p8 in private_keys, /nowhere/private_keys, "
        + "/nowhere/.private_keys, /nowhere/.appstoreconnect/private_keys")
    let file = #expect(throws: PackError.self) {
      try search([:], APIKeySearch(id: "A1", path: "/nowhere/a.p8")).find()
    }
    #expect(file?.message == "cannot open '/nowhere/a.p8': No such file or directory")
    let wrong = #expect(throws: PackError.self) {
      try search(["ASC_KEY": "?", "ASC_KEY_ID": "A1"]).find()
    }
    #expect(wrong?.kind == .invalidValue)
    #expect(wrong?.message.contains("?") == false)
  }

  @Test func `a key file that other users can read is detected`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("AuthKey_A1.p8", try Self.pem())
    let path = folder.path("AuthKey_A1.p8")
    for (permissions, isOpen) in [(0o600, false), (0o640, true), (0o604, true), (0o400, false)] {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      #expect(try search([:], APIKeySearch(path: path)).find().isOpenToOthers == isOpen)
    }
  }

  @Test func `descriptions of a key omit the private key`() throws {
    let pem = try Self.pem()
    let secret = try #require(
      String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst().first)
    let key = try APIKey(id: "A1", issuer: Self.issuer, pem: pem, origin: "x")
    let tokens = TokenSource(key)
    let field = try tokens.field(at: .now)
    var shown = "\(key) \(String(reflecting: key)) \(tokens) \(field) \(String(reflecting: tokens))"
    dump(key, to: &shown)
    dump(tokens, to: &shown)
    dump(field, to: &shown)
    #expect(!shown.contains(secret))
    #expect(!shown.contains("Bearer"))
    #expect(!shown.contains(field.value.dropFirst(20)))
  }
}
