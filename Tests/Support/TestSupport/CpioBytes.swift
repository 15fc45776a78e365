/// The bytes of a cpio archive of the format "newc" or, with checksums, "crc".
package struct CpioBytes {
  package private(set) var bytes: [UInt8] = []
  private let hasSums: Bool

  package init(hasSums: Bool = false) { self.hasSums = hasSums }

  /// Adds an entry; entries of one inode and several links are one file, which `links` counts.
  package mutating func add(
    _ name: String, mode: Int = 0o100644, inode: Int, links: Int = 1, contents: String = ""
  ) {
    let data = Array(contents.utf8)
    // Like GNU cpio: files have checksums, links have none.
    let sum = hasSums && mode & 0o170_000 == 0o100_000 ? data.reduce(0) { $0 + Int($1) } : 0
    let numbers = [
      inode, mode, 501, 20, links, 978_307_200, data.count, 0, 1, 0, 0, name.utf8.count + 1, sum,
    ]
    bytes += (hasSums ? "070702" : "070701").utf8
    for number in numbers {
      let digits = String(number, radix: 16)
      bytes += (String(repeating: "0", count: 8 - digits.count) + digits).utf8
    }
    bytes += Array(name.utf8) + [0]
    fillUp()
    bytes += data
    fillUp()
  }

  private mutating func fillUp() {
    while bytes.count % 4 != 0 { bytes.append(0) }
  }

  package var archive: [UInt8] {
    var whole = self
    whole.add("TRAILER!!!", mode: 0, inode: 0)
    return whole.bytes
  }
}
