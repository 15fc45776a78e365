import SystemIO
import TerminalText

/// Returns a name in lower case; bytes that are not UTF-8 are replaced.
func lowered(_ name: ArraySlice<UInt8>) -> String {
  if name.allSatisfy({ $0 < 0x80 }) {
    return String(decoding: name.map(\.lowercased), as: UTF8.self)
  }
  return String(decoding: name, as: UTF8.self).lowercased()
}

/// Returns the bytes after the last dot of a name; empty if there is none.
func fileExtension(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return [] }
  return name[(dot + 1)...]
}

/// Returns the bytes before the last dot of a name, or the whole name.
func fileStem(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
  return name[..<dot]
}

/// Returns a hash that is equal in all runs (FNV-1a).
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}
