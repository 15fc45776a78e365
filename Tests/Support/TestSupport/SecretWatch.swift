import Foundation
import SystemIO
import Testing

/// The secrets of a test, and a search for them in all outputs.
///
/// Each test that runs a command of App Store Connect passes the output to ``search(_:in:)``.
package final class SecretWatch: Sendable {
  private let secrets = Guarded<Set<String>>([])
  private let findings = Noted<String>()

  /// Texts that no output contains: the beginnings of tokens and of keys, and signatures of
  /// addresses.
  private static let signs = [
    "eyJhbGciOi", "eyJ0eXAiOi", "Bearer ey", "PRIVATE KEY-----", "Signature=0", "Signature=1",
    "Signature=2", "Signature=3", "Signature=4", "Signature=5", "Signature=6", "Signature=7",
    "Signature=8", "Signature=9", "Signature=a", "Signature=b", "Signature=c", "Signature=d",
    "Signature=e", "Signature=f", "s3cr3t",
  ]

  package init() {}

  /// Adds a secret.
  ///
  /// Short texts are ignored, because they can occur by chance.
  package func add(_ secret: some StringProtocol) {
    guard secret.utf8.count >= 16 else { return }
    let text = String(secret)
    secrets.with { _ = $0.insert(text) }
  }

  /// Adds a key: each line of its text, and its bytes in hexadecimal.
  package func add(pem: [UInt8]) {
    let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("-----") }
    for line in lines { add(line) }
    add((Data(base64Encoded: lines.joined()) ?? Data()).map { String($0, radix: 16) }.joined())
  }

  /// Adds a token, and its signature.
  package func add(token: some StringProtocol) {
    add(token)
    for part in token.split(separator: ".").dropFirst(2) { add(part) }
  }

  /// The number of secrets.
  package var count: Int { secrets.with { $0.count } }

  /// The secrets that were found.
  package var found: [String] { findings.all }

  /// Searches for all secrets; a secret in the text is an issue of the test.
  package func search(_ bytes: [UInt8], in place: String) {
    let data = Data(bytes)
    for secret in secrets.with({ $0 }).union(Self.signs) {
      guard data.range(of: Data(secret.utf8)) != nil else { continue }
      // The issue does not contain the secret.
      let finding = "\(place) has a secret of \(secret.utf8.count) bytes"
      findings.add(finding)
      Issue.record("\(finding)")
    }
  }

  package func search(_ text: String, in place: String) { search(Array(text.utf8), in: place) }

  /// Searches a value as a crash report shows it.
  package func search(dumpOf value: some Any, in place: String) {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    search(text, in: "\(place), dumped")
  }

  /// Searches every file below a folder, except for files with these extensions.
  package func search(below folder: String, but ends: [String]) {
    for name in FileManager.default.subpaths(atPath: folder) ?? []
    where !ends.contains(where: name.hasSuffix) {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      search(Array(data), in: name)
    }
  }
}
