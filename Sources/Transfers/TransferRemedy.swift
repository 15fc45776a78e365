package import BAPackKit
import SourceDiagnostics

/// What a person can do about the failure of a transfer.
package enum TransferRemedy: Remediation {
  /// Trust the authority that issued the certificate of a server.
  case trustAuthority

  package var description: String {
    switch self {
    case .trustAuthority: "trust the authority that vouches for the server, if it is your own"
    }
  }
}

extension Remedy {
  package static let trustAuthority = Remedy.other(TransferRemedy.trustAuthority)
}

extension TransferFault: PackErrorReason {
  package var errorKind: PackError.Kind {
    switch self {
    case .status(let status), .proxyStatus(let status): .server(status: status)
    case .distrusted: .untrusted
    case .badAddress: .invalidValue
    case .wrongSize, .wrongDigest: .malformed(offset: nil)
    case .tooLarge, .headerTooLarge: .limit
    case .encryption, .cutOff, .keepsChanging, .insecureRedirect, .tooManyRedirects, .noAnswer:
      .transfer
    }
  }

  package var remedies: [Remedy] {
    switch self {
    case .status(let status): Self.remedies(againstStatus: status)
    case .proxyStatus(407):
      ["put the name and the password of the proxy into the environment: https_proxy"]
    case .proxyStatus: ["see that https_proxy and no_proxy in the environment are right"]
    case .distrusted(let reason): reason.remedies
    case .encryption: ["see that the server speaks TLS 1.2 or 1.3 on this port"]
    case .cutOff: ["try again, or see whether a proxy or a firewall is in the way"]
    case .noAnswer: ["check the host and the port: another program may listen there"]
    case .headerTooLarge: ["see that the server, or a proxy before it, sends fewer header fields"]
    case .wrongSize, .wrongDigest: ["publish the pack anew, together with its download manifest"]
    case .keepsChanging: ["wait until whoever publishes has finished"]
    case .tooLarge: []
    case .insecureRedirect: ["let the server lead on to an https address"]
    case .tooManyRedirects: ["see that the server's redirects do not go in a circle"]
    case .badAddress: ["write it as https://downloads.example.com/packs"]
    }
  }

  private static func remedies(againstStatus status: Int) -> [Remedy] {
    switch status {
    case 401, 403: ["see that name and password, or the key, are right and may do this"]
    case 404, 410: ["see that the address is right, and that the server has it"]
    case 408, 425, 429, 500...599: ["try again later"]
    default: []
    }
  }
}

extension TransferFault.Distrust {
  fileprivate var remedies: [Remedy] {
    switch self {
    case .expired: ["renew the server's certificate", "set the clock of this machine right"]
    case .notYetValid: ["set the clock of this machine right"]
    case .unknownAuthority: [.trustAuthority]
    case .otherHost, .forbiddenHost: ["use a name of the server that its certificate is for"]
    case .revoked: ["give the server another certificate"]
    case .other: []
    }
  }
}
