package import HTTPServer
package import SystemIO
package import TLSIdentity
import TerminalText

/// How a device comes to trust the server: a page with the taps for each system, and the profile.
///
/// It is served without encryption, because a device that does not trust us yet could not read it
/// otherwise; so it shows the digest of the root, which a person compares.
package struct Enrolment: Sendable {
  private let page: [UInt8]
  private let profile: [UInt8]

  /// The name of the profile on the server.
  package static let profileName = "ba-package.mobileconfig"

  /// Makes page and profile for a root; `override` is the address that devices are given, and
  /// `command` a command that writes the root to a file.
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

  /// What a plain server answers: these two, and nothing else.
  package var handler: HTTPServer.Handler {
    HTTPServer.Handler { request in
      guard ["GET", "HEAD"].contains(request.head.method) else {
        return .text(405, "only GET and HEAD are answered here", fields: [("Allow", "GET, HEAD")])
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
      default: return .text(404, "here are only / and /\(Self.profileName)")
      }
    }
  }

  private static let fields: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
  ]
}
