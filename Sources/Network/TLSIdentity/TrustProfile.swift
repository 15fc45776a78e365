import CCrypto
package import SystemIO
import TerminalText

/// A configuration profile that makes an Apple device trust a root certificate: `.mobileconfig`.
package enum TrustProfile {
  /// Returns the profile as a property list.
  ///
  /// The profile is identical for the same root, so that a new installation replaces the old one.
  package static func text(for root: Certificate, called name: String) throws(Failure) -> String {
    let der = try root.der()
    let digest = try root.fingerprint()
    // Devices identify installed profiles by this text.
    let inner = uuid(digest.prefix(16), version: 8, uppercase: true)
    let outer = uuid(digest.suffix(16), version: 8, uppercase: true)
    let data = base64(der).map { "        \($0)\n" }.joined()
    let hex = fingerprintText(digest)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadContent</key>
        <array>
          <dict>
            <key>PayloadCertificateFileName</key>
            <string>root.cer</string>
            <key>PayloadContent</key>
            <data>
      \(data)      </data>
            <key>PayloadDescription</key>
            <string>Trusts a test server. SHA-256: \(hex)</string>
            <key>PayloadDisplayName</key>
            <string>\(inMarkup(name))</string>
            <key>PayloadIdentifier</key>
            <string>ba-package.test-server.root.\(inner)</string>
            <key>PayloadType</key>
            <string>com.apple.security.root</string>
            <key>PayloadUUID</key>
            <string>\(inner)</string>
            <key>PayloadVersion</key>
            <integer>1</integer>
          </dict>
        </array>
        <key>PayloadDescription</key>
        <string>Lets this device download asset packs from a test server on your \
      network.</string>
        <key>PayloadDisplayName</key>
        <string>\(inMarkup(name))</string>
        <key>PayloadIdentifier</key>
        <string>ba-package.test-server.\(outer)</string>
        <key>PayloadRemovalDisallowed</key>
        <false/>
        <key>PayloadType</key>
        <string>Configuration</string>
        <key>PayloadUUID</key>
        <string>\(outer)</string>
        <key>PayloadVersion</key>
        <integer>1</integer>
      </dict>
      </plist>

      """
  }

  /// Returns a digest in hexadecimal with colons: `3F:0A:…`.
  package static func fingerprintText(_ digest: [UInt8]) -> String {
    digest.map { hexadecimal($0, digits: 2) }.joined(separator: ":")
  }

  /// Returns Base64 in lines of 64 characters.
  private static func base64(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 48).map { start in
      let line = Array(bytes[start..<min(start + 48, bytes.count)])
      var text = [UInt8](repeating: 0, count: 65)
      let count = unsafe EVP_EncodeBlock(&text, line, Int32(line.count))
      return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
  }
}
