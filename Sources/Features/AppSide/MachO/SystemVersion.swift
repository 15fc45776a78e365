/// A version of an operating system, such as 26.0 or 16.4.1.
package struct SystemVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let parts: [UInt32]

  /// Parses one to three numbers; nil for other texts.
  package init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let parts = words.compactMap { UInt32($0) }
    guard (1...3).contains(parts.count), parts.count == words.count else { return nil }
    self.parts = parts + Array(repeating: 0, count: 3 - parts.count)
  }

  /// Creates the version in a load command: 16, 8 and 8 bits.
  init(packed number: UInt32) { parts = [number >> 16, number >> 8 & 0xFF, number & 0xFF] }

  package init(_ major: UInt32, _ minor: UInt32 = 0) { parts = [major, minor, 0] }

  package static func < (left: SystemVersion, right: SystemVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }

  package var description: String {
    "\(parts[0]).\(parts[1])" + (parts[2] == 0 ? "" : ".\(parts[2])")
  }
}
