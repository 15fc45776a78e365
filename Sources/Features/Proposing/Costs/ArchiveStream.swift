import BAPackKit
import SystemIO

/// The uncompressed contents of the archive of a pack: for each file its header and its bytes, and
/// a header for each folder before its first file, also in a subfolder.
///
/// It is a view of the tree without storage for the files. The manifest, which is last in an
/// archive, is a part of the first entry.
struct ArchiveStream: Sendable {
  private let tree: AssetTree
  private let files: [Range<Int>]
  /// The headers of the archive's outer folders, and the manifest with its header.
  private let frame: [UInt8]
  /// The number of bytes.
  let size: UInt64
  /// The number of files.
  let count: Int

  /// A position in the stream.
  struct Place: Sendable {
    /// The index of the file in the tree, and of its range.
    fileprivate var file: Int
    fileprivate var range: Int
    /// The file before it in the pack.
    fileprivate var last: Int?
    /// The number of bytes in the entry of the file before the position.
    fileprivate var offset: UInt64
  }

  init(of pack: ProposedPack, in tree: AssetTree) {
    let json = pack.manifest.archivedJSON()
    let outer = PackPlan.headerBytes(ofEntryAt: Self.someName, size: nil)
    let manifest = PackPlan.headerBytes(
      ofEntryAt: Array("Manifest.json".utf8), size: UInt64(json.count))
    self.init(of: pack.files, in: tree, frame: outer + outer + manifest + json)
  }

  private init(of files: [Range<Int>], in tree: AssetTree, frame: [UInt8]) {
    self.tree = tree
    self.files = files
    self.frame = frame
    var (size, count) = (UInt64(frame.count), 0)
    Self.walk(files, tree) { place, entry in
      size = size.addingSaturated(entry)
      count += 1
    }
    self.size = size
    self.count = count
  }

  /// A name of one byte.
  private static let someName = Array("a".utf8)
  /// The lengths of headers without the path.
  private static let folderHeader = headerSize(nil)
  private static let fileHeaders = [0, 1 << 16, 1 << 32].map(headerSize)

  private static func headerSize(_ size: UInt64?) -> UInt64 {
    UInt64(PackPlan.headerBytes(ofEntryAt: someName, size: size).count - 1)
  }

  /// Calls a function with the place and the size of the entry of each file.
  private static func walk(
    _ files: [Range<Int>], _ tree: AssetTree, _ body: (Place, UInt64) -> Void
  ) {
    var place = Place(file: 0, range: 0, last: nil, offset: 0)
    var (folder, folderLength) = (-1, 0)
    for (index, range) in files.enumerated() {
      place.range = index
      for file in range where tree.files[file].kind == .file {
        place.file = file
        let length = tree.name(ofFile: file).count
        var entry = UInt64(0)
        if Int(tree.files[file].folder) != folder {
          folder = Int(tree.files[file].folder)
          folderLength = folder == AssetTree.rootFolder ? 0 : tree.path(ofFolder: folder).count + 1
          for folder in newFolders(of: file, after: place.last, tree) {
            entry += folderHeader + UInt64(tree.path(ofFolder: folder).count)
          }
        }
        let size = tree.files[file].size
        let header = fileHeaders[size < 1 << 16 ? 0 : size < 1 << 32 ? 1 : 2]
        entry = (entry + header + UInt64(folderLength + length)).addingSaturated(size)
        body(place, entry)
        place.last = file
      }
    }
  }

  /// Returns the folders that contain a file, but not the file before it, the outer ones first.
  private static func newFolders(of file: Int, after last: Int?, _ tree: AssetTree) -> [Int] {
    var folders: [Int] = []
    var folder = Int(tree.files[file].folder)
    while folder != AssetTree.rootFolder, last.map(tree.allFiles(of: folder).contains) != true {
      folders.append(folder)
      folder = Int(tree.folders[folder].parent)
    }
    return folders.reversed()
  }

  /// Returns the places at these offsets, which are in ascending order.
  func places(at offsets: [UInt64]) -> [Place] {
    var places: [Place] = []
    var position = UInt64(0)
    Self.walk(files, tree) { place, size in
      let size = place.last == nil ? size.addingSaturated(UInt64(frame.count)) : size
      while places.count < offsets.count, offsets[places.count] - position < size {
        var found = place
        found.offset = offsets[places.count] - position
        places.append(found)
      }
      position = position.addingSaturated(size)
    }
    return places
  }

  /// Appends the bytes from a place on, at most `limit`; returns the number of those bytes of the
  /// stream that cannot be read, because a file changed or is not readable.
  func read(from place: Place, upTo limit: Int, into buffer: inout ByteBuffer) -> UInt64 {
    var (left, missing, skipped, last) = (UInt64(limit), UInt64(0), place.offset, place.last)
    for range in place.range..<files.count {
      let start = range == place.range ? place.file : files[range].lowerBound
      for file in start..<files[range].upperBound where tree.files[file].kind == .file {
        guard left > 0 else { return missing }
        let header = header(of: file, after: last)
        last = file
        let part = header.dropFirst(Int(clamping: skipped)).prefix(Int(left))
        skipped -= min(skipped, UInt64(header.count))
        left -= UInt64(Array(part).withRawSpan { buffer.append($0) })
        let size = min(left, tree.files[file].size - min(skipped, tree.files[file].size))
        if size > 0 { missing += size - read(file, at: skipped, UInt64(size), into: &buffer) }
        left -= size
        skipped -= min(skipped, tree.files[file].size)
      }
    }
    return missing
  }

  /// Returns the bytes before the contents of a file.
  private func header(of file: Int, after last: Int?) -> [UInt8] {
    var bytes = last == nil ? frame : []
    if last.map({ tree.files[$0].folder }) != tree.files[file].folder {
      for folder in Self.newFolders(of: file, after: last, tree) {
        bytes += PackPlan.headerBytes(ofEntryAt: tree.path(ofFolder: folder), size: nil)
      }
    }
    return bytes
      + PackPlan.headerBytes(ofEntryAt: tree.path(ofFile: file), size: tree.files[file].size)
  }

  /// Appends bytes of a file; returns their number, which is smaller if it cannot be read.
  private func read(
    _ file: Int, at offset: UInt64, _ count: UInt64, into buffer: inout ByteBuffer
  ) -> UInt64 {
    let path = tree.root.appending(FilePath(tree.path(ofFile: file)))
    guard let descriptor = try? FileDescriptor.open(path.text, for: .reading),
      (try? descriptor.status().kind) == .file
    else { return 0 }
    var done = UInt64(0)
    while done < count {
      let step = try? buffer.append(upTo: Int(count - done)) { (output) throws(Failure) in
        try descriptor.read(into: &output, at: offset + done)
      }
      guard let step, step > 0 else { break }
      done += UInt64(step)
    }
    return done
  }
}

// MARK: - Kinds of files

extension ArchiveStream {
  /// A kind of files: an extension, and a class of sizes.
  private struct Kind: Hashable {
    var name: ArraySlice<UInt8>
    var sizeClass: Int

    init(_ name: ArraySlice<UInt8>, _ size: UInt64) {
      self.name = fileExtension(of: name)
      sizeClass = Self.borders.count { size >= $0 }
    }

    private static let borders: [UInt64] = [1 << 14, 1 << 18, 1 << 22]
  }

  /// The maximum number of kinds that are distinguished in a pack.
  private static let mostKinds = 12
  /// A kind with less than this part of a pack is not distinguished from other rare kinds.
  private static let rarestPart: UInt64 = 64

  /// Returns the contents of the files of each frequent kind, and those of all others.
  func kinds() -> [ArchiveStream] {
    var sums: [Kind: (bytes: UInt64, first: Int)] = [:]
    for file in files.joined() {
      let kind = Kind(tree.name(ofFile: file), tree.files[file].size)
      sums[kind, default: (0, file)].bytes.addSaturated(tree.files[file].size)
    }
    let frequent = sums.filter { $0.value.bytes > size / Self.rarestPart }.sorted {
      ($1.value.bytes, $0.value.first) < ($0.value.bytes, $1.value.first)
    }.prefix(Self.mostKinds - 1)
    let numbers = Dictionary(uniqueKeysWithValues: zip(frequent.map(\.key), frequent.indices))
    var parts = [[Range<Int>]](repeating: [], count: frequent.count + 1)
    for file in files.joined() {
      let kind = Kind(tree.name(ofFile: file), tree.files[file].size)
      let number = numbers[kind] ?? frequent.count
      if let last = parts[number].last, last.upperBound == file {
        parts[number][parts[number].count - 1] = last.lowerBound..<file + 1
      } else {
        parts[number].append(file..<file + 1)
      }
    }
    return parts.filter { !$0.isEmpty }.enumerated().map { number, files in
      ArchiveStream(of: files, in: tree, frame: number == 0 ? frame : [])
    }
  }
}
