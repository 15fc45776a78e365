import SystemIO
import TerminalText

/// A host name or an IP address in a certificate.
package enum HostName: Sendable, Hashable {
  /// A name in lower case, without a dot at its end.
  case name(String)
  /// The four bytes of an IPv4 address, or the sixteen of an IPv6 address.
  case address([UInt8])

  /// Reads a name or an address, an IPv6 address with or without brackets; nil for other texts.
  package init?(_ text: String) {
    var host = text
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    // A zone after '%' is only valid on this computer.
    if let zone = host.firstIndex(of: "%") { host = String(host[..<zone]) }
    if let address = SocketAddress(host, port: 0) {
      self = .address(address.host)
    } else if text == host, let name = Self.name(host) {
      self = .name(name)
    } else {
      return nil
    }
  }

  private static func name(_ text: String) -> String? {
    var text = text.lowercased()
    if text.hasSuffix(".") { text.removeLast() }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count <= 253, !text.isEmpty else { return nil }
    for label in labels {
      guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen,
        label.allSatisfy({ $0 == hyphen || $0.isLetterOrDigit })
      else { return nil }
    }
    // A name whose last label is a number would be an invalid address.
    guard let last = labels.last, !last.allSatisfy({ $0 < UInt8(ascii: "a") }) else { return nil }
    return text
  }

  private static let hyphen = UInt8(ascii: "-")

  /// Whether the host is this computer.
  package var isLoopback: Bool {
    switch self {
    case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
    case .address(let bytes):
      bytes.count == 4
        ? bytes[0] == 127 : bytes.dropLast().isZero && bytes.last == 1
    }
  }

  /// The host for a file name; ':' is replaced.
  package var fileName: String {
    description.map { $0 == ":" ? "-" : String($0) }.joined()
  }

  package var inURL: String {
    if case .address(let bytes) = self, bytes.count == 16 {
      "[\(description)]"
    } else {
      description
    }
  }
}

extension HostName: CustomStringConvertible {
  /// The name, or the address in its usual form.
  package var description: String {
    switch self {
    case .name(let name): name
    case .address(let bytes) where bytes.count == 4:
      bytes.map { String($0) }.joined(separator: ".")
    case .address(let bytes): Self.text(ofIPv6: bytes)
    }
  }

  /// The form of RFC 5952: no leading zeros, and the longest run of zeros, of two groups or more,
  /// as `::`.
  private static func text(ofIPv6 bytes: [UInt8]) -> String {
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    var best = 0..<0
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      if end - start > max(1, best.count) { best = start..<end }
      start = max(end, start + 1)
    }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    return best.isEmpty
      ? text(0..<groups.count)
      : text(0..<best.lowerBound) + "::" + text(best.upperBound..<groups.count)
  }
}
