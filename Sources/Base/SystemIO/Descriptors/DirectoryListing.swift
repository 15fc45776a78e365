import CSystem
import Glibc

/// The names in a folder, sorted by their bytes and kept in one array.
package struct DirectoryListing: Sendable {
  /// The position of a name in ``names``, and the kind of file according to the folder.
  package struct Item: Sendable {
    var start: UInt32
    // A name on a disk has at most 255 bytes; one in an archive can be longer.
    var length: UInt32
    /// The kind; `unknown` if the file system does not record kinds in its folders.
    package var kind: FileKind
  }

  /// The names, each followed by a NUL.
  private var names: [UInt8] = []
  package private(set) var items: [Item] = []

  /// Creates an empty listing.
  fileprivate init() {}

  /// Creates a listing of a folder that is not on a disk.
  package init(_ names: some Sequence<(name: [UInt8], kind: FileKind)>) {
    for (name, kind) in names { append(name, kind) }
    sort()
  }

  private mutating func append(_ name: some Collection<UInt8>, _ kind: FileKind) {
    items.append(Item(start: UInt32(names.count), length: UInt32(name.count), kind: kind))
    names.append(contentsOf: name)
    names.append(0)
  }

  /// Returns the bytes of an item's name.
  package func name(of item: Item) -> ArraySlice<UInt8> {
    names[Int(item.start)..<Int(item.start) + Int(item.length)]
  }

  /// Returns the name of an item as a separate value.
  package func fileName(of item: Item) -> FileName { FileName(name(of: item)) }

  fileprivate func withCString<Result>(
    of item: Item, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    unsafe names.withUnsafeBytes { buffer in
      // `names` is not empty if there is an item, and every name ends in NUL.
      unsafe body(
        (buffer.baseAddress.unsafelyUnwrapped + Int(item.start))
          .assumingMemoryBound(to: CChar.self))
    }
  }
}

extension FileDescriptor {
  /// Returns the names in this folder, without `.` and `..`, sorted by their bytes (`getdents64`).
  package func list() throws(Failure) -> DirectoryListing {
    var listing = DirectoryListing()
    // A previous listing leaves the position at the end.
    _ = try perform(.seek, path) { lseek(number, 0, SEEK_SET) }
    var records = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try perform(.readDirectory, path) {
        unsafe records.withUnsafeMutableBytes { buffer in
          guard let base = buffer.baseAddress else { return 0 }
          return unsafe getdents64(number, base, buffer.count)
        }
      }
      if count == 0 { break }
      listing.append(records: records[..<count])
    }
    listing.sort()
    if ForcedFailures.areArmed, ForcedFailures.withholds(.readDirectory, path) {
      listing.removeKinds()
    }
    return listing
  }

  /// Returns the status of a listed name (`fstatat`); does not follow a symbolic link.
  package func status(of item: DirectoryListing.Item, in listing: DirectoryListing)
    throws(Failure) -> FileStatus
  {
    var status = stat()
    _ = try perform(.status, joined(listing.fileName(of: item))) {
      unsafe listing.withCString(of: item) {
        unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW)
      }
    }
    return FileStatus(status)
  }
}

extension DirectoryListing {
  /// Adds the records that `getdents64` wrote.
  ///
  /// Each has an inode (8 bytes), an offset (8), the record's length (2), a kind (1) and a name
  /// that ends in NUL.
  fileprivate mutating func append(records: ArraySlice<UInt8>) {
    let header = 19
    var position = 0
    while position + header < records.count {
      let length = Int(records[position + 16]) | Int(records[position + 17]) << 8
      guard length > header, position + length <= records.count else { return }
      let kind = FileKind(directoryType: records[position + 18])
      let name = records[position + header..<position + length].prefix { $0 != 0 }
      position += length
      if name.elementsEqual([dot]) || name.elementsEqual([dot, dot]) { continue }
      append(name, kind)
    }
  }

  /// Removes the kinds, as for a file system that does not record them in its folders.
  fileprivate mutating func removeKinds() {
    for index in items.indices { items[index].kind = .unknown }
  }

  fileprivate mutating func sort() {
    unsafe names.withUnsafeBytes { buffer in
      items.sort { left, right in
        let shorter = Int(min(left.length, right.length))
        guard let base = buffer.baseAddress else { return false }
        let order = unsafe memcmp(base + Int(left.start), base + Int(right.start), shorter)
        return order == 0 ? left.length < right.length : order < 0
      }
    }
  }
}

extension FileKind {
  fileprivate init(directoryType: UInt8) {
    self =
      switch Int(directoryType) {
      case DT_REG: .file
      case DT_DIR: .directory
      case DT_LNK: .symbolicLink
      case DT_CHR: .characterDevice
      case DT_BLK: .blockDevice
      case DT_FIFO: .pipe
      case DT_SOCK: .socket
      default: .unknown
      }
  }
}
