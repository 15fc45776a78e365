package import SystemIO
import TerminalText

/// The error of a server, a proxy or a connection.
package enum TransferError: FailureReason {
  case status(Int)
  case proxyStatus(Int)
  /// The server's certificate is not trusted.
  case distrusted(Distrust)
  /// The TLS handshake failed, with the reason.
  case encryption(String)
  /// The connection ended before the end of the response.
  case cutOff(received: UInt64, expected: UInt64?)
  /// The response exceeds the maximum size.
  case tooLarge(limit: UInt64)
  /// The file does not have the expected size.
  case wrongSize(UInt64, expected: UInt64)
  /// The file does not have the expected SHA-256 digest; both are hexadecimal.
  case wrongDigest(String, expected: String)
  /// The file changed repeatedly during the download.
  case keepsChanging
  /// The server redirects from https to http.
  case insecureRedirect
  /// The number of redirects exceeds the limit.
  case tooManyRedirects(Int)
  /// The URL is invalid or not allowed, with the reason.
  case badAddress(String)
  /// The response is not valid HTTP.
  case notHTTP
  /// The header of the response exceeds the maximum size.
  case headerTooLarge

  /// The reason why a server is not trusted.
  package enum Distrust: Sendable, Equatable {
    case expired
    case notYetValid
    /// A certificate authority that is not trusted issued the certificate.
    case unknownAuthority
    /// The certificate does not contain the host.
    case otherHost
    /// The certificate names its host only in its subject.
    case noNames
    /// The constraints of the certificate authority exclude the host.
    case forbiddenHost
    case revoked
    /// Another reason, as reported by the library.
    case other(String)
  }
}

extension TransferError {
  /// The text of the error for messages.
  package var description: String {
    switch self {
    case .status(let status):
      "the server responded with \(status) \(HTTPStatus.phrase(for: status))"
    case .proxyStatus(let status):
      "the proxy responded with \(status) \(HTTPStatus.phrase(for: status))"
    case .distrusted(let reason): "the server is not trusted: \(reason)"
    case .encryption(let phrase): "the TLS handshake failed: \(phrase)"
    case .cutOff(0, _): "the connection ended before any data arrived"
    case .cutOff(let received, nil): "the connection ended after \(received) bytes"
    case .cutOff(let received, let expected?):
      "the connection ended after \(received) of \(expected) bytes"
    case .tooLarge(let limit): "it exceeds the limit of \(limit) bytes"
    case .wrongSize(let size, let expected): "it has \(size) bytes, not \(expected)"
    case .wrongDigest(let digest, let expected): "its SHA-256 is \(digest), not \(expected)"
    case .keepsChanging: "it changed repeatedly during the download"
    case .insecureRedirect: "it redirects to an address without encryption"
    case .tooManyRedirects(let count): "more than \(count) redirects"
    case .badAddress(let phrase): phrase
    case .notHTTP: "the server did not respond with HTTP"
    case .headerTooLarge: "the header of the response is too large"
    }
  }
}

extension TransferError.Distrust: CustomStringConvertible {
  /// The text of the reason for messages.
  package var description: String {
    switch self {
    case .expired: "certificate has expired"
    case .notYetValid: "certificate is not valid yet"
    case .unknownAuthority: "certificate issued by an unknown authority"
    case .otherHost: "certificate is for another host"
    case .noNames: "certificate has no alternative names (SAN), which Apple's systems require"
    case .forbiddenHost: "certificate authority is not allowed for this host"
    case .revoked: "certificate was revoked"
    case .other(let phrase): phrase
    }
  }
}

extension Failure.Kind {
  /// Returns the kind of a failed transfer.
  package static func transfer(_ operation: Operation, _ error: TransferError) -> Self {
    Failure(error, during: operation).kind
  }
}

extension Failure {
  /// The error of the transfer, if that is the reason.
  package var transferError: TransferError? { reason(as: TransferError.self) }
}
