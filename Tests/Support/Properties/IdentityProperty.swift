import TLSIdentity

/// The properties of names and certificates with any bytes.
package enum IdentityProperty {
  package static func violation(inHost bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let host = HostName(text) else { return nil }
    guard HostName(host.description) == host, HostName(host.inURL) == host else {
      return "a written host is read as the same host: \(host)"
    }
    let signs = host.fileName.utf8
    let isPlain = signs.allSatisfy { sign in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(sign)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(sign)
        || sign == UInt8(ascii: "-") || sign == UInt8(ascii: ".")
    }
    guard isPlain, !signs.isEmpty, signs.first != UInt8(ascii: ".") else {
      return "its file name is safe: \(host.fileName)"
    }
    return nil
  }

  package static func violation(inCertificate bytes: [UInt8]) -> String? {
    _ = try? PrivateKey.read(pem: bytes)
    guard let read = try? Certificate.read(pem: bytes) else { return nil }
    // A certificate that cannot be read has no further properties.
    _ = (read.begin, read.end, read.hosts, read.isAuthority)
    guard let pem = try? read.pem(), let again = try? Certificate.read(pem: pem) else { return nil }
    guard (try? again.der()) == (try? read.der()),
      (try? again.fingerprint()) == (try? read.fingerprint())
    else { return "a written certificate is read as the same certificate" }
    return nil
  }
}
