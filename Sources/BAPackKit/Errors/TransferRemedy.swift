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
