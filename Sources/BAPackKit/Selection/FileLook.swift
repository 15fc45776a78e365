import SystemIO

/// A look at the first bytes of files in a folder, for the rules that need them.
struct FileLook: Sendable {
  let selection: Selection
  let checksPrograms: Bool

  /// Whether a rule wants to look into the entry at all.
  func concerns(_ index: Int) -> Bool {
    selection.isFile(at: index)
      && (mayBeManifest(index) || mayBeProgram(index) || mayBePointer(index))
  }

  func mayBeManifest(_ index: Int) -> Bool {
    PackagingManifest.mayBe(selection.destinationBytes(at: index), size: selection.size(at: index))
  }

  func isProgram(_ index: Int, _ start: [UInt8]) -> Bool {
    mayBeProgram(index) && MachOHeader.isForMacOS(start)
  }

  private func mayBePointer(_ index: Int) -> Bool {
    PointerFiles.mayBe(selection.destinationBytes(at: index), size: selection.size(at: index))
  }

  /// What kind of pointer the file is; nil for any other file.
  func pointer(_ index: Int, _ start: [UInt8]) -> PointerFiles.Kind? {
    mayBePointer(index)
      ? PointerFiles.kind(of: selection.destinationBytes(at: index), start) : nil
  }

  private func mayBeProgram(_ index: Int) -> Bool {
    checksPrograms && selection.size(at: index) >= MacProgram.least
  }

  private func maySuspect(_ index: Int, _ start: [UInt8]) -> Bool {
    mayBeManifest(index) && PackagingManifest.holdsKeys(start) || isProgram(index, start)
      || pointer(index, start) != nil
  }

  /// How much of a file is looked at.
  private func size(at index: Int) -> Int {
    let most =
      mayBeManifest(index)
      ? PackagingManifest.look : mayBeProgram(index) ? MacProgram.look : PointerFiles.look
    return min(most, Int(clamping: selection.size(at: index)))
  }

  /// The files, in order, that a rule may object to, each with its first bytes.
  ///
  /// Opening files is most of what it costs, and several threads open several files at once.
  func suspicious(
    among files: [Int], in tree: FolderTree
  ) throws(PackError) -> [(index: Int, start: [UInt8])] {
    let shares = stride(from: 0, to: files.count, by: Share.size).map {
      files[$0..<min($0 + Share.size, files.count)]
    }
    let threads = max(1, min(ProcessState.processorCount, shares.count))
    var ring: WorkRing<Share, FileOpener>
    do throws(SystemError) {
      ring = try WorkRing(
        window: threads + 1, threads: threads, makeWorker: { FileOpener(tree) },
        perform: { opener, share in share.read(self, &opener) })
    } catch {
      throw PackError(error)
    }
    var found: [(index: Int, start: [UInt8])] = []
    var next = 0
    while true {
      if next < shares.count, ring.hasRoom {
        ring.give(Share(files: shares[next]))
        next += 1
        continue
      }
      guard let share = ring.takeOldest() else { return found }
      if let failure = share.failure { throw failure }
      found += share.found
    }
  }

  /// Some of the files, and what one thread found in them.
  private struct Share: Sendable {
    static let size = 512

    var files: ArraySlice<Int> = []
    private(set) var found: [(index: Int, start: [UInt8])] = []
    private(set) var failure: PackError?

    mutating func read(_ look: FileLook, _ opener: inout FileOpener) {
      for index in files {
        let path = look.selection.sourceBytes(at: index)
        do throws(SystemError) {
          let start = try opener.open(path).readToEnd(atMost: look.size(at: index))
          if look.maySuspect(index, start) { found.append((index, start)) }
        } catch {
          failure = PackError(error, opening: path)
          return
        }
      }
    }
  }
}
