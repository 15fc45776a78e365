package import SystemIO
import TerminalText

/// What another machine did instead of what it was asked for.
package enum TransferFault: FailureReason {
  /// A status that says no.
  case status(Int)
  /// The proxy, which is between us and the server, said no with a status.
  case proxyStatus(Int)
  /// The server does not prove that it is who it should be.
  case distrusted(Distrust)
  /// No encrypted connection came about; the words say why.
  case encryption(String)
  /// The connection ended before everything had come.
  case cutOff(received: UInt64, expected: UInt64?)
  /// It is larger than is allowed.
  case tooLarge(limit: UInt64)
  /// It has another size than was said before.
  case wrongSize(UInt64, expected: UInt64)
  /// It has other bytes than was said before; both digests are hexadecimal.
  case wrongDigest(String, expected: String)
  /// It changed while it was being downloaded, again and again.
  case keepsChanging
  /// It leads on to an address that is less safe than the one that was asked for.
  case insecureRedirect
  /// It leads on and on.
  case tooManyRedirects(Int)
  /// The text is no address, or none of a kind that is allowed; the words say why.
  case badAddress(String)
  /// What came is no answer.
  case noAnswer
  /// The header of the response is larger than any that is accepted.
  case headerTooLarge

  /// Why a server is not trusted.
  package enum Distrust: Sendable, Equatable {
    case expired
    case notYetValid
    /// Nobody whom this machine trusts vouches for the certificate.
    case unknownAuthority
    /// The certificate is for others than this host.
    case otherHost
    /// Whoever vouches for it may not vouch for this host.
    case forbiddenHost
    case revoked
    /// Anything else, in the words of the library.
    case other(String)
  }
}

extension TransferFault {
  /// The fault in the words of a message.
  package var description: String {
    switch self {
    case .status(let status): "the server answered \(status) \(HTTPStatus.phrase(for: status))"
    case .proxyStatus(let status): "the proxy answered \(status) \(HTTPStatus.phrase(for: status))"
    case .distrusted(let reason): "the server cannot be trusted: \(reason)"
    case .encryption(let phrase): "no encrypted connection came about: \(phrase)"
    case .cutOff(0, _): "the connection ended before anything came"
    case .cutOff(let received, nil): "the connection ended after \(received) bytes"
    case .cutOff(let received, let expected?):
      "the connection ended after \(received) of \(expected) bytes"
    case .tooLarge(let limit): "it is larger than the \(limit) bytes that are allowed"
    case .wrongSize(let size, let expected): "it has \(size) bytes, not \(expected)"
    case .wrongDigest(let digest, let expected): "its SHA-256 is \(digest), not \(expected)"
    case .keepsChanging: "it keeps changing while it is being downloaded"
    case .insecureRedirect: "it leads on to an address without encryption"
    case .tooManyRedirects(let count): "it led on more than \(count) times"
    case .badAddress(let phrase): phrase
    case .noAnswer: "the server does not speak HTTP"
    case .headerTooLarge: "the header of the response is too large"
    }
  }
}

extension TransferFault.Distrust: CustomStringConvertible {
  /// The reason in the words of a message.
  package var description: String {
    switch self {
    case .expired: "its certificate has expired"
    case .notYetValid: "its certificate does not hold yet"
    case .unknownAuthority: "nobody whom this machine trusts vouches for its certificate"
    case .otherHost: "its certificate is for another host"
    case .forbiddenHost: "whoever vouches for its certificate may not do so for this host"
    case .revoked: "its certificate was revoked"
    case .other(let phrase): phrase
    }
  }
}

extension Failure.Kind {
  /// Another machine did something else than what was asked for.
  package static func transfer(_ operation: Operation, _ fault: TransferFault) -> Self {
    Failure(fault, during: operation).kind
  }
}

extension Failure {
  /// What another machine did, if that is the reason.
  package var transferFault: TransferFault? { reason(as: TransferFault.self) }
}
