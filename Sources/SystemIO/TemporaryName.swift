/// The names of what we write beside an output before it gets its own name.
package enum TemporaryName {
  private static let prefix = ".ba-package-"
  private static let suffix = ".tmp"

  /// A name that no two processes choose.
  package static func make() -> FileName {
    let number = UInt64.random(in: .min ... .max)
    return FileName(prefix + String(number, radix: 36) + suffix)
  }

  /// Whether a file of this name is one of ours, perhaps of a process that was killed.
  package static func matches(_ name: some Collection<UInt8>) -> Bool {
    name.starts(with: prefix.utf8) && name.count > prefix.utf8.count + suffix.utf8.count
      && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
