/// The bytes of a tar archive, which can contain more than programs write.
package struct TarBytes {
  /// The entries, without the end of the archive.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(
    _ name: String, type: Character = "0", target: String = "", contents: String = "",
    mode: Int = 0o644
  ) {
    addHeader(name, type: type, target: target, size: contents.utf8.count, mode: mode)
    bytes += contents.utf8
    bytes += [UInt8](repeating: 0, count: (512 - contents.utf8.count % 512) % 512)
  }

  /// Adds an entry with binary contents.
  package mutating func add(_ name: String, type: Character = "0", contents: [UInt8]) {
    addHeader(name, type: type, size: contents.count)
    bytes += contents
    bytes += [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
  }

  /// Adds the header of the contents.
  package mutating func addHeader(
    _ name: String, type: Character = "0", target: String = "", size: Int, mode: Int = 0o644
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func octal(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    put(name, at: 0)
    put(octal(mode, 7), at: 100)
    put(octal(501, 7), at: 108)
    put(octal(20, 7), at: 116)
    put(octal(size, 11), at: 124)
    put(octal(978_307_200, 11), at: 136)
    put("        ", at: 148)
    put(String(type), at: 156)
    put(target, at: 157)
    put("ustar", at: 257)
    put("00", at: 263)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
    bytes += header
  }

  package var archive: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }
}
