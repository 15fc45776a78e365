package import BAPackKit
package import SourceDiagnostics

// The remedies for a failed transfer.

extension Remedy {
  package static let trustAuthority = Remedy(
    "trust-authority", "trust the server's certificate authority, if it is your own")
}

extension PackError.Kind {
  /// A server or a proxy responded with an HTTP status that is an error.
  package static func server(status: Int) -> Self { Self("server", UInt64(status)) }
  /// The certificate of a server is not trusted.
  package static let untrusted = Self("untrusted")
  /// A transfer failed in another way, for example because the connection was closed.
  package static let transfer = Self("transfer")

  /// The HTTP status of a server or proxy, if it is the error.
  package var status: Int? { name == Self.server(status: 0).name ? number.map { Int($0) } : nil }
}

extension TransferError: PackErrorReason {
  package var errorKind: PackError.Kind {
    switch self {
    case .status(let status), .proxyStatus(let status): .server(status: status)
    case .distrusted: .untrusted
    case .badAddress: .invalidValue
    case .wrongSize, .wrongDigest: .malformed(offset: nil)
    case .tooLarge, .headerTooLarge: .limit
    case .encryption, .cutOff, .keepsChanging, .insecureRedirect, .tooManyRedirects, .notHTTP:
      .transfer
    }
  }

  package var remedies: [Remedy] {
    switch self {
    case .status(let status): Self.remedies(againstStatus: status)
    case .proxyStatus(407):
      ["set the user name and password of the proxy in https_proxy"]
    case .proxyStatus: ["check https_proxy and no_proxy in the environment"]
    case .distrusted(let reason): reason.remedies
    case .encryption: ["check that the server supports TLS 1.2 or 1.3 on this port"]
    case .cutOff: ["try again, or check for a proxy or firewall that closes connections"]
    case .notHTTP: ["check the host and the port: another program may listen there"]
    case .headerTooLarge: ["reduce the header fields of the server or its proxy"]
    case .wrongSize, .wrongDigest: ["publish the pack again, together with its download manifest"]
    case .keepsChanging: ["wait until the publication has finished"]
    case .tooLarge: []
    case .insecureRedirect: ["redirect to an https address on the server"]
    case .tooManyRedirects: ["check the server's redirects for a loop"]
    case .badAddress: ["use an address such as https://downloads.example.com/packs"]
    }
  }

  private static func remedies(againstStatus status: Int) -> [Remedy] {
    switch status {
    case 401, 403: ["check the user name and password, or the key, and their permissions"]
    case 404, 410: ["check the address, and that the server has the file"]
    case _ where Transient.includes(status: status): ["try again later"]
    default: []
    }
  }
}

extension TransferError.Distrust {
  fileprivate var remedies: [Remedy] {
    switch self {
    case .expired: ["renew the server's certificate", "correct the clock of this computer"]
    case .notYetValid: ["correct the clock of this computer"]
    case .unknownAuthority: [.trustAuthority]
    case .otherHost, .forbiddenHost: ["use a host name that the certificate contains"]
    case .noNames: ["create a certificate with the host as 'subjectAltName'"]
    case .revoked: ["install another certificate on the server"]
    case .other: []
    }
  }
}
