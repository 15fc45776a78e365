import SystemIO

/// The inspection of the first bytes of files in a folder or a list, for the rules that need them.
struct FileInspection: Sendable {
  let selection: Selection
  let document: ManifestDocument
  let checksPrograms: Bool

  /// A file with a finding.
  ///
  /// The bytes are not stored, because the number of such files is not limited.
  struct Suspect: Sendable {
    var index: Int
    var isManifest: Bool
    var isProgram: Bool
    var pointer: PointerFile?
  }

  /// Whether a rule needs the contents of the entry.
  func concerns(_ index: Int) -> Bool {
    selection.isFile(at: index)
      && (mayBeManifest(index) || mayBeProgram(index) || mayBePointer(index))
  }

  private func mayBeManifest(_ index: Int) -> Bool {
    PackagingManifest.mayBe(
      selection.pathInContents(at: index).bytes, size: selection.size(at: index))
  }

  private func mayBePointer(_ index: Int) -> Bool {
    PointerFile.mayBe(
      selection.pathInContents(at: index).bytes, size: selection.size(at: index))
  }

  private func mayBeProgram(_ index: Int) -> Bool {
    checksPrograms && selection.size(at: index) >= MacProgram.least
  }

  /// Returns the suspicion about a file with this beginning; nil if there is none.
  private func suspect(_ index: Int, _ start: [UInt8]) -> Suspect? {
    let suspect = Suspect(
      index: index,
      isManifest: mayBeManifest(index) && PackagingManifest.isAnother(start, than: document),
      isProgram: mayBeProgram(index) && MachOHeader.isForMacOS(start),
      pointer: mayBePointer(index)
        ? PointerFile.kind(of: selection.pathInContents(at: index).bytes, start) : nil)
    return suspect.isManifest || suspect.isProgram || suspect.pointer != nil ? suspect : nil
  }

  /// Returns the number of bytes to read of a file.
  private func size(at index: Int) -> Int {
    let most =
      mayBeManifest(index)
      ? PackagingManifest.startSize
      : mayBeProgram(index) ? MacProgram.startSize : PointerFile.startSize
    return min(most, Int(clamping: selection.size(at: index)))
  }

  /// Returns the files with findings, in order.
  ///
  /// Most of the time is needed to open files, so several threads are used.
  func suspects(_ opener: FileOpener, _ work: Work) throws(PackError) -> [Suspect] {
    let files = selection.indices.filter(concerns)
    let shares = stride(from: 0, to: files.count, by: Share.size).map {
      files[$0..<min($0 + Share.size, files.count)]
    }
    let threads = max(1, min(ProcessState.processorCount, shares.count))
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Share, FileOpener>(
        window: threads + 1, threads: threads, makeWorker: { opener },
        perform: { opener, share in share.read(self, &opener) })
    }
    var found: [Suspect] = []
    try ring.run(shares.lazy.map { Share(files: $0) }) { (share) throws(PackError) in
      try work.checkCancellation()
      if let failure = share.failure { throw failure }
      found += share.found
    }
    return found
  }

  /// A part of the files, and the findings of one thread.
  private struct Share: Sendable {
    static let size = 512

    var files: ArraySlice<Int> = []
    private(set) var found: [Suspect] = []
    private(set) var failure: PackError?

    mutating func read(_ inspection: FileInspection, _ opener: inout FileOpener) {
      for index in files {
        let path = inspection.selection.sourceBytes(at: index)
        do throws(Failure) {
          let start = try opener.open(path).readToEnd(atMost: inspection.size(at: index))
          if let suspect = inspection.suspect(index, start) { found.append(suspect) }
        } catch {
          failure = PackError(error, opening: path)
          return
        }
      }
    }
  }
}
