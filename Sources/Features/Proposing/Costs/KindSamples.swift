package import BAPackKit
package import SystemIO

extension AssetTree {
  /// The number of bytes of a kind from which it is measured.
  private static let least: UInt64 = 100_000
  private static let mostKinds = 24
  private static let mostFiles = 16
  private static let bytesOfFile: UInt64 = 128 << 10
  /// Files that become smaller are placeholders, such as those of zeros, which tell nothing.
  private static let leastShare = 0.01

  /// Compresses samples of each kind of file, for the decisions about the sizes of packs.
  ///
  /// Kinds that are compressed themselves, and those with few bytes, are not read. The samples are
  /// the starts of files at equal distances, so equal folders have equal results.
  package mutating func measureKinds(_ work: Work) throws(PackError) {
    var members: [String: (files: [Int], bytes: UInt64)] = [:]
    for (index, file) in files.enumerated() where file.kind == .file && file.size > 0 {
      let kind = lowered(fileExtension(of: name(ofFile: index)))
      members[kind, default: ([], 0)].files.append(index)
      members[kind, default: ([], 0)].bytes.addSaturated(file.size)
    }
    let kinds = members.filter {
      $0.value.bytes >= Self.least && !CompressionKinds.isCompressed($0.key)
    }.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }.prefix(Self.mostKinds)
    let samples = kinds.map { kind in
      let count = min(kind.value.files.count, Self.mostFiles)
      return (0..<count).map { kind.value.files[$0 * kind.value.files.count / count] }
    }
    var shares: [Double] = []
    let tree = self
    try samples.inParallel(threads: ProcessState.processorCount, work) {
      (files, _) throws(PackError) in
      try mapFailure(.reading) { () throws(Failure) in try tree.share(ofSamples: files) }
    } _: { (share) throws(PackError) in
      shares.append(try share.get())
    }
    for (kind, share) in zip(kinds, shares) where share >= Self.leastShare {
      shareOfKinds[kind.key] = share
    }
  }

  /// Returns the size of the starts of files after compression, divided by that before it.
  private func share(ofSamples files: [Int]) throws(Failure) -> Double {
    var meter = try BlockMeter(PackSettings())
    var size = 0
    let packed = try meter.size { buffer in
      for file in files {
        _ = append(file, at: 0, min(self.files[file].size, Self.bytesOfFile), to: &buffer)
      }
      size = buffer.count
    }
    return size == 0 ? 1 : min(1, Double(packed) / Double(size))
  }

  /// Appends bytes of a file; returns their number, which is smaller if it cannot be read.
  func append(
    _ file: Int, at offset: UInt64, _ count: UInt64, to buffer: inout ByteBuffer
  ) -> UInt64 {
    let path = root.appending(FilePath(path(ofFile: file)))
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
