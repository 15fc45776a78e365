import CCrypto
import CCurl
import CryptoCalls
import SystemIO

extension Transfers {
  /// Returns the failure of a request that libcurl could not complete.
  ///
  /// It contains no header fields, and no secrets of the URL.
  func failure(
    of request: CurlRequest, _ code: CURLcode, _ address: TransferAddress, _ operation: Operation,
    received: UInt64 = 0, expected: UInt64? = nil
  ) -> Failure {
    let proxy = options.proxies.shownProxy(for: address)
    let server = proxy ?? address.hostAndPort
    func failure(_ error: TransferError) -> Failure {
      Failure(.transfer(operation, error), address.shown)
    }
    let systemCode = Int32(request.number(CURLINFO_OS_ERRNO))
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return Failure(.unresolved("unknown host name"), address.host)
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Failure(
        .unresolved("unknown host name"), proxy ?? "the proxy")
    case CURLE_COULDNT_CONNECT:
      if let refusal = proxyRefusal(request) { return failure(refusal) }
      return Failure(.connect, server, code: systemCode == 0 ? Self.refused : systemCode)
    case CURLE_OPERATION_TIMEDOUT:
      return request.wasConnected
        ? Failure(.timedOut(.call(.receive)), address.hostAndPort)
        : Failure(.timedOut(.call(.connect)), server)
    case CURLE_PEER_FAILED_VERIFICATION:
      return failure(.distrusted(distrust(request)))
    case CURLE_ABORTED_BY_CALLBACK where request.lacksNames:
      return failure(.distrusted(.noNames))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
      let phrase = request.libraryMessage
      // The messages of OpenSSL for a response that is not a TLS record.
      let isOtherProtocol = ["wrong version number", "packet length too long", "http request"]
        .contains { phrase.contains($0) }
      return failure(
        .encryption(isOtherProtocol ? "the server does not support TLS on this port" : phrase))
    // The connection did not end: libcurl stopped reading the response.
    case CURLE_RECV_ERROR where request.libraryMessage.contains("response headers"):
      return failure(.headerTooLarge)
    case CURLE_RECV_ERROR where request.libraryMessage.lowercased().contains("chunk"):
      return failure(.notHTTP)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      if let refusal = proxyRefusal(request) { return failure(refusal) }
      return failure(.cutOff(received: received, expected: expected))
    case CURLE_URL_MALFORMAT: return failure(.badAddress("not an http or https URL"))
    // The address was checked before, so the response has no status line ("HTTP/0.9").
    case CURLE_UNSUPPORTED_PROTOCOL: return failure(.notHTTP)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: return failure(.notHTTP)
    case CURLE_FILESIZE_EXCEEDED: return failure(.notHTTP)
    // The end of a response with a line in its header that is longer than libcurl accepts.
    case CURLE_OUT_OF_MEMORY: return failure(.headerTooLarge)
    // The same in newer versions: CURLE_TOO_LARGE.
    case let code where code.rawValue == 100: return failure(.headerTooLarge)
    case CURLE_SSL_CACERT_BADFILE:
      return .malformed("cannot read the trusted certificates")
    default:
      return Failure(.library("libcurl (\(curl.phrase(for: code)))", status: Int32(code.rawValue)))
    }
  }

  /// `ECONNREFUSED`, for failures without a system error.
  private static let refused: Int32 = 111

  private func proxyRefusal(_ request: CurlRequest) -> TransferError? {
    let status = request.number(CURLINFO_HTTP_CONNECTCODE)
    return status >= 300 ? .proxyStatus(status) : nil
  }

  /// Returns the reason why a certificate is not trusted.
  private func distrust(_ request: CurlRequest) -> TransferError.Distrust {
    let result = request.number(CURLINFO_SSL_VERIFYRESULT)
    switch Int32(result) {
    // The chain is valid or was not checked; libcurl itself compares the host name.
    case X509_V_OK, X509_V_ERR_UNSPECIFIED, X509_V_ERR_HOSTNAME_MISMATCH,
      X509_V_ERR_IP_ADDRESS_MISMATCH:
      return .otherHost
    case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_SIGNATURE_FAILURE,
      X509_V_ERR_CERT_UNTRUSTED:
      return .unknownAuthority
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION: return .forbiddenHost
    case X509_V_ERR_CERT_REVOKED: return .revoked
    default:
      let phrase = unsafe try? CryptoCall.get("X509_verify_cert_error_string") {
        unsafe X509_verify_cert_error_string(result)
      }
      guard let phrase = unsafe phrase else { return .other("certificate was rejected") }
      return .other(unsafe String(cString: phrase))
    }
  }
}
