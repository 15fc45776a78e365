import Properties
import SystemIO
import TLSIdentity
import TestSupport
import Testing

@Suite struct IdentityPropertyTests {
  @Test func `names of hosts with any bytes have their properties`() throws {
    let inputs = try FuzzCorpus.inputs("host-names")
    #expect(inputs.count >= 9)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 600, signs: ".:[]%/-0_*") {
      #expect(
        IdentityProperty.violation(inHost: bytes) == nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `certificates and keys with any bytes are read or rejected`() throws {
    let host = try #require(HostName("localhost"))
    let identity = try Authority.make(called: "Tests", at: .now).leaf(for: host, at: .now)
    let key = try identity.key.pem()
    let inputs =
      try FuzzCorpus.inputs("certificates") + [key, key + identity.certificate.pem()]
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 200, signs: "-\n =+/A") {
      #expect(
        IdentityProperty.violation(inCertificate: bytes) == nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
