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
    page = Array(Self.page(name, digest: digest, steps: Self.steps(override, command)).utf8)
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

  private static func page(
    _ name: String, digest: String, steps: [(system: String, steps: [String])]
  ) -> String {
    let systems = steps.map { system, steps in
      "<section><h2>\(system)</h2><ol>" + steps.map { "<li>\($0)</li>" }.joined()
        + "</ol></section>"
    }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(inMarkup(name))</title>
      <style>
      :root { color-scheme: light dark }
      body { font: 17px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; \
      background: #fff; color: #1d1d1f }
      h1 { font-size: 1.6rem; line-height: 1.25 }
      h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
      ol { margin: 0; padding-left: 1.4rem }
      li { margin: .35rem 0 }
      a.get { display: block; text-align: center; font-weight: 600; padding: .9rem; border-radius: .75rem; \
      background: #0058b0; color: #fff; text-decoration: none; margin: 1.5rem 0 }
      a.get:focus-visible { outline: 3px solid #64a8ff; outline-offset: 3px }
      .digest { font: 15px/1.6 ui-monospace, monospace; background: #f5f5f7; border: 1px solid #d2d2d7; \
      border-radius: .75rem; padding: .75rem 1rem; overflow-wrap: anywhere }
      code { font: .95em ui-monospace, monospace; overflow-wrap: anywhere }
      @media (prefers-color-scheme: dark) {
      body { background: #161618; color: #f5f5f7 }
      .digest { background: #242426; border-color: #48484a }
      }
      </style>
      </head>
      <body>
      <main>
      <h1>Trust this test server</h1>
      <p>Once for each device. Afterwards it may download asset packs from this machine, and nothing else \
      changes.</p>
      <p>First compare: the terminal that runs the server shows the same SHA-256. If it shows another one, \
      stop here.</p>
      <p class="digest">\(digest)</p>
      <a class="get" href="/\(profileName)">Get the profile</a>
      \(systems)
      </main>
      </body>
      </html>

      """
  }

  /// What to tap, for each system.
  private static func steps(
    _ override: String, _ command: String
  ) -> [(system: String, steps: [String])] {
    let address = "<code>\(inMarkup(override))</code>"
    let last =
      "Settings &gt; Developer &gt; Development Overrides &gt; URL Override: \(address)"
    return [
      (
        "iPhone, iPad and Apple Vision Pro",
        [
          "Open this page in Safari, tap <b>Get the profile</b>, and allow it.",
          "Settings &gt; General &gt; VPN &amp; Device Management: install the profile.",
          "Settings &gt; General &gt; About &gt; Certificate Trust Settings: switch it on for this root. "
            + "Without this step nothing is trusted.",
          last,
        ]
      ),
      (
        "Apple TV",
        [
          "Settings &gt; General &gt; Privacy &amp; Security: point at <b>Share Apple TV Analytics</b>, press "
            + "Play/Pause on the remote, choose <b>Add Profile</b>, and enter the address of this page "
            + "followed by <code>\(profileName)</code>.",
          "Settings &gt; General &gt; About &gt; Certificate Trust Settings: switch it on.", last,
        ]
      ),
      (
        "Mac",
        [
          "Get the profile and open it; System Settings &gt; General &gt; Device Management: install it.",
          "In Terminal: <code>xcrun ba-serve url-override \(inMarkup(override))</code>",
        ]
      ),
      (
        "Simulator",
        [
          "On the Mac, with the root as a file (<code>\(inMarkup(command))</code> makes "
            + "it): <code>xcrun simctl keychain booted add-root-cert root.pem</code>",
          last,
        ]
      ),
    ]
  }
}
