package import HTTPServer
package import SystemIO
package import TLSIdentity
import TerminalText

/// A web page with the profile that makes a device trust the server, and instructions for each
/// system.
///
/// It is served without encryption, because the device does not trust the server yet. So it shows
/// the digest of the root certificate, which the user compares.
package struct Enrolment: Sendable {
  private let page: [UInt8]
  private let profile: [UInt8]

  /// The name of the profile on the server.
  package static let profileName = "ba-package.mobileconfig"

  /// Creates the page and the profile for a root certificate.
  ///
  /// `override` is the address to enter on devices, and `command` a command that writes the root
  /// certificate to a file.
  package init(
    root: Certificate, called name: String, overridingWith override: String,
    exportedBy command: String
  ) throws(Failure) {
    profile = Array(try TrustProfile.text(for: root, called: name).utf8)
    let digest = TrustProfile.fingerprintText(try root.fingerprint())
    page =
      WebFiles.enrolment(
        name: "\(name)", digest: "\(digest)", profile: "\(Self.profileName)",
        override: "\(override)", command: "\(command)"
      ).bytes
  }

  /// The handler of an HTTP server that serves only the page and the profile.
  package var handler: HTTPServer.Handler {
    HTTPServer.Handler { request in
      guard ["GET", "HEAD"].contains(request.head.method) else {
        return .text(405, "method not allowed; use GET or HEAD", fields: [("Allow", "GET, HEAD")])
      }
      switch String(decoding: request.head.path, as: UTF8.self) {
      case "/":
        return Response(
          200,
          fields: Self.fields + [
            ("Content-Type", "text/html; charset=utf-8"),
            (
              "Content-Security-Policy",
              "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            ),
          ], body: .bytes(page))
      case "/\(Self.profileName)":
        return Response(
          200,
          fields: Self.fields + [
            ("Content-Type", "application/x-apple-aspen-config"),
            ("Content-Disposition", "attachment; filename=\"\(Self.profileName)\""),
          ], body: .bytes(profile))
      default: return .text(404, "unknown path; this server has / and /\(Self.profileName)")
      }
    }
  }

  private static let fields: ResponseFields = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
  ]
}
