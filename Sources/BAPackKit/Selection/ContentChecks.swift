import SystemIO

/// The rules for which files must be opened: only their first bytes are read.
enum ContentChecks {
  static func check(_ pack: inout SelectedPack, _ hosting: Hosting?) throws(PackError) {
    // An archive would have to be unpacked for that; packing it looks at every byte anyway.
    guard let root = pack.root, case .folder(let tree) = root.storage else { return }
    let look = Look(selection: pack.selection, checksPrograms: hosting == .apple)
    let files = pack.selection.indices.filter(look.concerns)
    var findings = SelectionFindings(pack.document)
    try read(files, of: tree, look) { index, start in
      if look.mayBeManifest(index) {
        PackagingManifest.check(start, pack.selection[index], pack.document, &findings)
      }
      if look.mayBeProgram(index) { MacProgram.check(start, pack.selection[index], &findings) }
    }
    pack.add(findings.sorted())
  }

  /// Which files are opened, and how much of each is read.
  private struct Look: Sendable {
    let selection: Selection
    let checksPrograms: Bool

    func concerns(_ index: Int) -> Bool {
      selection.isFile(at: index) && (mayBeManifest(index) || mayBeProgram(index))
    }

    func mayBeManifest(_ index: Int) -> Bool {
      PackagingManifest.mayBe(
        selection.destinationBytes(at: index), size: selection.size(at: index))
    }

    func mayBeProgram(_ index: Int) -> Bool {
      checksPrograms && selection.size(at: index) >= MacProgram.least
    }

    func start(of index: Int, in contents: FolderContents) throws(PackError) -> [UInt8] {
      let most = mayBeManifest(index) ? PackagingManifest.look : MacProgram.look
      try contents.open(index)
      return try contents.readPrefix(min(most, Int(clamping: selection.size(at: index))))
    }
  }

  /// Gives the first bytes of each file that may matter to `body`, in order.
  ///
  /// Opening files is most of what it costs, and several threads open several files at once. Bytes
  /// that no rule could object to do not come back from there.
  private static func read(
    _ files: [Int], of tree: FolderTree, _ look: Look, _ body: (Int, [UInt8]) -> Void
  ) throws(PackError) {
    let shares = stride(from: 0, to: files.count, by: Share.size).map {
      files[$0..<min($0 + Share.size, files.count)]
    }
    let threads = max(1, min(ProcessState.processorCount, shares.count))
    var ring: WorkRing<Share, FolderContents>
    do throws(SystemError) {
      ring = try WorkRing(
        window: threads + 1, threads: threads, makeSlot: { () throws(SystemError) in Share() },
        makeWorker: { FolderContents(look.selection, in: tree) },
        perform: { contents, share in share.read(look, contents) })
    } catch {
      throw PackError(error)
    }
    var next = 0
    while next < shares.count || !ring.isEmpty {
      if next < shares.count, ring.hasFreeSlot {
        ring.free = Share(files: shares[next])
        ring.post()
        next += 1
        continue
      }
      ring.waitForOldest()
      if let failure = ring.oldest.failure { throw failure }
      for (index, start) in ring.oldest.found { body(index, start) }
      ring.releaseOldest()
    }
  }

  /// Some of the files, and what one thread found in them.
  private struct Share: Sendable {
    static let size = 512

    var files: ArraySlice<Int> = []
    private(set) var found: [(index: Int, start: [UInt8])] = []
    private(set) var failure: PackError?

    mutating func read(_ look: Look, _ contents: FolderContents) {
      do throws(PackError) {
        for index in files {
          let start = try look.start(of: index, in: contents)
          let matters =
            look.mayBeManifest(index) && PackagingManifest.holdsKeys(start)
            || look.mayBeProgram(index) && MachOHeader.isForMacOS(start)
          if matters { found.append((index, start)) }
        }
      } catch {
        failure = error
      }
    }
  }
}
