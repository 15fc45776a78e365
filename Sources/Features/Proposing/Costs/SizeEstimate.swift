package import BAPackKit
import SystemIO

extension Proposal {
  /// Estimates the size of the archive of each pack.
  ///
  /// It compresses blocks of each archive as `pack` does, at equal distances; all of them if the
  /// proposal is small. A file that cannot be read counts with its size.
  ///
  /// - Throws: ``PackError/Kind/interrupted`` if the operation must stop.
  package mutating func estimateSizes(of tree: AssetTree, _ work: Work) throws(PackError) {
    try estimateSizes(of: tree, SizeEstimate(), work)
  }

  mutating func estimateSizes(
    of tree: AssetTree, _ estimate: SizeEstimate, _ work: Work
  ) throws(PackError) {
    let sizes = try estimate.archiveSizes(of: packs.map { ArchiveStream(of: $0, in: tree) }, work)
    for index in packs.indices { packs[index].compressed = sizes[index] }
  }
}

/// Compresses blocks of archives at equal distances.
struct SizeEstimate {
  /// The number of bytes to read and compress.
  var limit: UInt64 = 384 << 20
  var threads = ProcessState.processorCount

  private static let settings = PackSettings()
  private static let blockSize = UInt64(settings.blockSize)
  /// The number of blocks that one encoder compresses.
  private static let groupSize = 4

  /// A number of bytes before and after compression.
  private typealias Sizes = (raw: UInt64, packed: UInt64)

  func archiveSizes(of streams: [ArchiveStream], _ work: Work) throws(PackError) -> [UInt64] {
    let total = streams.map(\.size).saturatedSum
    let groups = streams.indices.flatMap { index -> [(stream: Int, offsets: ArraySlice<UInt64>)] in
      let offsets = offsets(in: streams[index].size, of: total, streams.count)
      return stride(from: 0, to: offsets.count, by: Self.groupSize).map { start in
        (stream: index, offsets: offsets[start...].prefix(Self.groupSize))
      }
    }
    var sums = [Sizes](repeating: (0, 0), count: streams.count)
    var done = 0
    try groups.inParallel(threads: threads, work) { (group, _) throws(PackError) in
      try mapFailure(.reading) { () throws(Failure) in
        try Self.measure(streams[group.stream], at: group.offsets)
      }
    } _: { (result) throws(PackError) in
      let sizes = try result.get()
      sums[groups[done].stream].raw += sizes.raw
      sums[groups[done].stream].packed += sizes.packed
      done += 1
      work.report?(Work.Progress(done: UInt64(done), total: UInt64(groups.count)))
    }
    return zip(streams, sums).map { stream, sizes in
      let scale = Double(stream.size) / Double(max(1, sizes.raw))
      return BlockMeter.containerSize + UInt64(Double(sizes.packed) * scale)
    }
  }

  /// Returns the offsets of the blocks to compress.
  ///
  /// Half of the limit is the same for all packs, because each size is shown; the other half is for
  /// their bytes, because the total is shown, too.
  private func offsets(in size: UInt64, of total: UInt64, _ packs: Int) -> [UInt64] {
    let count = (size + Self.blockSize - 1) / Self.blockSize
    let share = 0.5 / Double(packs) + 0.5 * Double(size) / Double(max(1, total))
    let most = max(1, Double(limit / Self.blockSize) * share)
    let chosen = total <= limit ? count : min(count, UInt64(most))
    return (0..<chosen).map { number in
      UInt64((Double(number) + 0.5) / Double(chosen) * Double(count)) * Self.blockSize
    }
  }

  private static func measure(
    _ stream: ArchiveStream, at offsets: ArraySlice<UInt64>
  ) throws(Failure) -> Sizes {
    var meter = try BlockMeter(settings)
    var sizes: Sizes = (0, 0)
    for offset in offsets {
      var missing = UInt64(0)
      let packed = try meter.size { buffer in
        missing = stream.read(at: offset, upTo: blockSize, into: &buffer)
        sizes.raw += UInt64(buffer.count) + missing
      }
      sizes.packed += packed + missing
    }
    return sizes
  }
}

/// The uncompressed contents of the archive of a pack: for each file its header and its bytes, and
/// a header for each folder before its first file, also in a subfolder.
///
/// It is a view of the tree without storage for the files. The manifest, which is last in an
/// archive, is a part of the first entry.
struct ArchiveStream: Sendable {
  private let tree: AssetTree
  private let files: [Int]
  /// The end of the entry of each file.
  private var ends: [UInt64] = []
  /// The headers of the archive's outer folders, and the manifest with its header.
  private let frame: [UInt8]

  /// The number of bytes.
  var size: UInt64 { ends.last ?? UInt64(frame.count) }

  init(of pack: ProposedPack, in tree: AssetTree) {
    self.tree = tree
    files = (Array(pack.files.joined()) + pack.fills).sorted()
      .filter { tree.files[$0].kind == .file }
    let json = pack.manifest.archivedJSON()
    let outer = PackPlan.headerBytes(ofEntryAt: Self.someName, size: nil)
    let manifest = PackPlan.headerBytes(
      ofEntryAt: Array("Manifest.json".utf8), size: UInt64(json.count))
    frame = outer + outer + manifest + json
    ends.reserveCapacity(files.count)
    var (end, folderLength) = (UInt64(frame.count), 0)
    for (index, file) in files.enumerated() {
      let folder = Int(tree.files[file].folder)
      if index == 0 || folder != Int(tree.files[files[index - 1]].folder) {
        folderLength = folder == AssetTree.rootFolder ? 0 : tree.path(ofFolder: folder).count + 1
        for folder in newFolders(at: index) {
          end += Self.folderHeader + UInt64(tree.path(ofFolder: folder).count)
        }
      }
      let size = tree.files[file].size
      end += Self.fileHeaders[size < 1 << 16 ? 0 : size < 1 << 32 ? 1 : 2]
      end += UInt64(folderLength + tree.name(ofFile: file).count)
      end.addSaturated(size)
      ends.append(end)
    }
  }

  /// A name of one byte.
  private static let someName = Array("a".utf8)
  /// The lengths of headers without the path.
  private static let folderHeader = headerSize(nil)
  private static let fileHeaders = [0, 1 << 16, 1 << 32].map(headerSize)

  private static func headerSize(_ size: UInt64?) -> UInt64 {
    UInt64(PackPlan.headerBytes(ofEntryAt: someName, size: size).count - 1)
  }

  /// Returns the folders that contain a file, but not the file before it, the outer ones first.
  private func newFolders(at index: Int) -> [Int] {
    var folders: [Int] = []
    var folder = Int(tree.files[files[index]].folder)
    while folder != AssetTree.rootFolder,
      index == 0 || !tree.allFiles(of: folder).contains(files[index - 1])
    {
      folders.append(folder)
      folder = Int(tree.folders[folder].parent)
    }
    return folders.reversed()
  }

  /// Appends the bytes at an offset, at most `limit`; returns the number of those bytes of the
  /// stream that cannot be read, because a file changed or is not readable.
  func read(at offset: UInt64, upTo limit: UInt64, into buffer: inout ByteBuffer) -> UInt64 {
    var index = firstIndex(endingAfter: offset)
    var skipped = offset - (index > 0 ? ends[index - 1] : 0)
    var (left, missing) = (limit, UInt64(0))
    while left > 0, index < files.count {
      let header = header(at: index)
      let part = header.dropFirst(Int(clamping: skipped)).prefix(Int(left))
      skipped -= min(skipped, UInt64(header.count))
      left -= UInt64(Array(part).withRawSpan { buffer.append($0) })
      let whole = tree.files[files[index]].size
      let size = min(left, whole - min(skipped, whole))
      if size > 0 { missing += size - tree.append(files[index], at: skipped, size, to: &buffer) }
      left -= size
      skipped -= min(skipped, whole)
      index += 1
    }
    return missing
  }

  private func firstIndex(endingAfter offset: UInt64) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the bytes before the contents of a file.
  private func header(at index: Int) -> [UInt8] {
    let file = files[index]
    var bytes = index == 0 ? frame : []
    if index == 0 || tree.files[files[index - 1]].folder != tree.files[file].folder {
      for folder in newFolders(at: index) {
        bytes += PackPlan.headerBytes(ofEntryAt: tree.path(ofFolder: folder), size: nil)
      }
    }
    return bytes
      + PackPlan.headerBytes(ofEntryAt: tree.path(ofFile: file), size: tree.files[file].size)
  }
}
