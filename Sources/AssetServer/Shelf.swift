package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The files from which packs are served: finds them, verifies them, and takes them up; and looks again
/// when they may have changed.
///
/// A pack is served whole or not at all: what is being written is left alone until it is finished, and
/// what is damaged is refused by name, while the others, and what it was before, are kept. Any thread may
/// look; one after another does.
package final class Shelf: Sendable {
  /// What happened to a file.
  package enum Event: Sendable {
    case taken(PackID, Catalogue.Change, path: String)
    /// The pack is damaged.
    case damaged(path: String, Ledger)
    /// The file cannot be read, or is no pack, or its version cannot be given out.
    case refused(path: String, PackError)
    /// The file is no longer there.
    case gone(PackID, path: String)
    /// The file of a pack that is served was changed, so that the pack cannot be delivered for now.
    case withdrawn(PackID, path: String)
  }

  /// Which files are looked at again.
  package enum Scope: Sendable {
    /// All that the operands stand for.
    case everything
    /// The files of packs that cannot be delivered.
    case withdrawn
  }

  private let operands: [String]
  let catalogue: Catalogue
  private let verification: Verification
  private let contents: InTurn<Contents>

  private struct Contents {
    var known: KnownPacks
    /// The files that were taken up or refused, as they were then.
    var seen: [String: Seen] = [:]
    /// The files of the packs that are served.
    var owners: [PackID: String] = [:]
    /// The files that were changing when they were last looked at.
    var unsettled: [String: FileStatus] = [:]
    /// The packs of which it was reported that they cannot be delivered.
    var withdrawn: Set<PackID> = []
  }

  private struct Seen {
    var status: FileStatus
    /// The pack that is served from the file.
    var id: PackID?
    /// The pack that another file has, for which this one was refused.
    var rival: PackID?
  }

  /// Serves packs from `operands`: archives, and folders of them.
  package init(
    _ operands: [String], into catalogue: Catalogue, known: KnownPacks = KnownPacks(),
    verification: Verification = Verification()
  ) {
    self.operands = operands
    self.catalogue = catalogue
    self.verification = verification
    contents = InTurn(Contents(known: known))
  }

  // MARK: Taking up

  /// Takes up all packs for the first time; `versions` are for the operands, in their order.
  ///
  /// It throws if an operand cannot be looked at, if two packs have the same ID, and if a version cannot
  /// be given out.
  package func takeAll(
    versions: [Int?] = [], progress: (Verification.Progress) -> Void = { _ in }
  ) throws(PackError) -> [Event] {
    try contents.with { contents throws(PackError) in
      var pass = Pass()
      for (index, operand) in operands.enumerated() {
        let wanted = index < versions.count ? versions[index] : nil
        for path in try files(of: operand) where contents.seen[path] == nil {
          try read(path, version: wanted, &contents, &pass, progress)
        }
      }
      try pass.throwConflict()
      takeUp(&pass, &contents)
      try pass.throwConflict()
      // An interrupt also ends a wait for the file of versions.
      if verification.isCancelled() { throw PackError(.interrupted, "interrupted") }
      // Next time they are read again, if this cannot be written.
      try? contents.known.keep()
      return pass.events
    }
  }

  /// Looks whether files came, changed or went; returns what became of them, and whether to look again soon
  /// because files are still changing.
  ///
  /// A file that changes is taken up when it was the same twice: writing takes some time.
  package func lookAgain(
    _ scope: Scope = .everything
  ) throws(PackError) -> (events: [Event], isSettling: Bool) {
    try contents.with { contents throws(PackError) in
      var pass = Pass()
      let suspects = noteWithdrawals(&contents, &pass)
      let paths = scope == .everything ? presentFiles() : suspects
      var settled: [String] = []
      for path in paths {
        guard let status = try? FileStatus(ofFileAt: path) else { continue }
        if contents.seen[path]?.status == status {
          contents.unsettled[path] = nil
        } else if contents.unsettled.updateValue(status, forKey: path) == status {
          contents.unsettled[path] = nil
          settled.append(path)
        }
      }
      switch scope {
      case .everything: forgetFiles(besides: Set(paths), &contents, &pass)
      case .withdrawn: noteAbsent(suspects, contents)
      }
      for path in settled { try read(path, version: nil, &contents, &pass) { _ in } }
      try readRivals(&contents, &pass)
      takeUp(&pass, &contents)
      try? contents.known.keep()
      return (pass.events, !contents.unsettled.isEmpty)
    }
  }

  /// The archives that an operand stands for.
  private func files(of operand: String) throws(PackError) -> [String] {
    try during(.reading) { () throws(Failure) in
      guard try FileStatus(ofFileAt: operand).kind == .directory else { return [operand] }
      return try ArchiveFolder.archives(in: operand)
    }
  }

  private func presentFiles() -> [String] {
    var present: Set<String> = []
    return operands.flatMap { (try? files(of: $0)) ?? [] }.filter { present.insert($0).inserted }
  }

  // MARK: One pass

  /// What one look at the files found; it becomes one change of the catalogue.
  private struct Pass {
    /// What is reported, in the order of the files; an offer is reported with its result.
    var items: [Item] = []
    var events: [Event] = []
    /// The packs whose files are gone.
    var removed: [(id: PackID, path: String)] = []
    /// The packs that another file may have from now on.
    var freed: Set<PackID> = []
    /// The files of the packs that are offered.
    var owners: [PackID: String] = [:]

    enum Item {
      case event(Event)
      case offer(Catalogue.Offer, path: String, status: FileStatus)
    }

    func throwConflict() throws(PackError) {
      let reported = items.compactMap { if case .event(let event) = $0 { event } else { nil } }
      for case .refused(_, let error) in reported + events where error.kind == .conflict {
        throw error
      }
    }
  }

  /// Finds the packs whose open files were changed; returns the paths of those files.
  private func noteWithdrawals(_ contents: inout Contents, _ pass: inout Pass) -> [String] {
    var paths: [String] = []
    for pack in catalogue.all {
      guard let path = contents.owners[pack.id] else { continue }
      guard catalogue.outage(of: pack) != nil else {
        contents.withdrawn.remove(pack.id)
        continue
      }
      paths.append(path)
      if contents.withdrawn.insert(pack.id).inserted {
        pass.items.append(.event(.withdrawn(pack.id, path: path)))
      }
    }
    return paths
  }

  /// Forgets files that are gone.
  private func forgetFiles(
    besides present: Set<String>, _ contents: inout Contents, _ pass: inout Pass
  ) {
    for path in contents.seen.keys.sorted() where !present.contains(path) {
      // A folder that cannot be read for a moment has not lost its packs.
      guard (try? FileStatus(ofFileAt: path)) == nil else { continue }
      guard let file = contents.seen.removeValue(forKey: path), let id = file.id else { continue }
      contents.owners[id] = nil
      pass.removed.append((id, path))
      pass.freed.insert(id)
    }
    contents.unsettled = contents.unsettled.filter { present.contains($0.key) }
  }

  /// Finds files of packs that cannot be delivered that are gone.
  private func noteAbsent(_ paths: [String], _ contents: Contents) {
    for path in paths where (try? FileStatus(ofFileAt: path)) == nil {
      guard let id = contents.seen[path]?.id else { continue }
      catalogue.withdraw(id, because: "'\(path)' is gone")
    }
  }

  /// Reads the files that were refused because another had their pack, if that one has it no longer.
  private func readRivals(_ contents: inout Contents, _ pass: inout Pass) throws(PackError) {
    guard !pass.freed.isEmpty else { return }
    let rivals = contents.seen.filter { $0.value.rival.map { pass.freed.contains($0) } ?? false }
    for path in rivals.keys.sorted() {
      guard let rival = rivals[path]?.rival, pass.owners[rival] == nil else { continue }
      try read(path, version: nil, &contents, &pass) { _ in }
    }
  }

  private func read(
    _ path: String, version wanted: Int?, _ contents: inout Contents, _ pass: inout Pass,
    _ progress: (Verification.Progress) -> Void
  ) throws(PackError) {
    let before = contents.seen[path]
    do throws(PackError) {
      let file = try read(path, &contents.known, progress)
      guard let archive = file.archive else {
        contents.seen[path] = Seen(status: file.status, id: before?.id)
        pass.items.append(.event(.damaged(path: path, file.findings)))
        lose(before?.id, because: "'\(path)' is damaged", &pass)
        return
      }
      let id = archive.id
      let owner = pass.owners[id] ?? (pass.freed.contains(id) ? nil : contents.owners[id])
      // The first file of an ID stays.
      if let owner, owner != path {
        contents.seen[path] = Seen(status: file.status, id: before?.id, rival: id)
        throw Self.duplicate(id, owner, path)
      }
      pass.owners[id] = path
      if let old = before?.id, old != id { pass.freed.insert(old) }
      let offer = Catalogue.Offer(archive, file.file, version: wanted, replacing: before?.id)
      pass.items.append(.offer(offer, path: path, status: file.status))
    } catch {
      if error.kind == .interrupted { throw error }
      pass.items.append(.event(.refused(path: path, error)))
      lose(before?.id, because: error.message, &pass)
      // What changes while it is read is read again.
      guard error.kind != .changed, error.kind != .conflict else { return }
      if let status = try? FileStatus(ofFileAt: path) {
        contents.seen[path] = Seen(status: status, id: before?.id)
      }
    }
  }

  /// Notes why a pack cannot be delivered, if the file from which it is served was changed.
  private func lose(_ id: PackID?, because reason: String, _ pass: inout Pass) {
    guard let id, catalogue.withdraw(id, because: reason) else { return }
    pass.freed.insert(id)
  }

  /// Puts all that was found into the catalogue.
  private func takeUp(_ pass: inout Pass, _ contents: inout Contents) {
    let offers = pass.items.compactMap { item -> Catalogue.Offer? in
      if case .offer(let offer, _, _) = item { offer } else { nil }
    }
    let gone = pass.removed.filter { pass.owners[$0.id] == nil }
    var results: [Catalogue.Change] = []
    if !offers.isEmpty || !gone.isEmpty {
      results = catalogue.replace(removing: gone.map(\.id), by: offers).reversed()
    }
    for item in pass.items {
      switch item {
      case .event(let event): pass.events.append(event)
      case .offer(let offer, let path, let status):
        guard let change = results.popLast() else { continue }
        pass.events.append(note(change, of: offer, path, status, &contents))
      }
    }
    pass.events += gone.map { .gone($0.id, path: $0.path) }
    pass.items = []
  }

  private func note(
    _ change: Catalogue.Change, of offer: Catalogue.Offer, _ path: String, _ status: FileStatus,
    _ contents: inout Contents
  ) -> Event {
    let id = offer.archive.id
    let before = contents.seen[path]?.id
    if case .refused(let wanted, let highest) = change {
      contents.seen[path] = Seen(status: status, id: before)
      return .refused(path: path, Self.refusal(offer.archive, wanted, highest))
    }
    if let before, before != id, contents.owners[before] == path { contents.owners[before] = nil }
    if let other = contents.owners[id], other != path {
      contents.seen[other]?.id = nil
      contents.seen[other]?.rival = id
    }
    contents.seen[path] = Seen(status: status, id: id)
    contents.owners[id] = path
    contents.withdrawn.remove(id)
    return .taken(id, change, path: path)
  }

  private static func duplicate(_ id: PackID, _ one: String, _ other: String) -> PackError {
    PackError(
      .conflict, "'\(one)' and '\(other)' are both the pack '\(id.text)'",
      remedy: "leave one of them out: a device asks for a pack by its ID")
  }

  private static func refusal(
    _ archive: PublishedArchive, _ wanted: Int?, _ highest: Int
  ) -> PackError {
    guard let wanted, highest < .max else {
      return PackError(
        .limit, "'\(archive.id.text)' had the highest version that there is: \(highest)",
        remedy: "give the pack another ID")
    }
    return PackError(
      .conflict,
      "'\(archive.id.text)' cannot be version \(wanted): devices were told of version "
        + "\(highest)\(wanted == highest ? " with other bytes" : "")",
      remedy: .raiseVersion(to: highest + 1))
  }

  // MARK: One file

  /// A file that was read.
  private struct ReadFile {
    /// What it is; nil if it is damaged, as the findings say.
    var archive: PublishedArchive?
    var findings = Ledger()
    let file: PackFile
    let status: FileStatus
  }

  private func read(
    _ path: String, _ known: inout KnownPacks, _ progress: (Verification.Progress) -> Void
  ) throws(PackError) -> ReadFile {
    let begin = Moment.now
    var read = try during(.reading) { () throws(Failure) -> ReadFile in
      let file = try FileDescriptor.open(path, for: .reading)
      let status = try file.status()
      return ReadFile(file: PackFile(try ByteSource(file)), status: status)
    }
    read.archive = known.archive(at: path, read.status)
    if read.archive != nil { return read }
    let report = try verification.verify(path, progress: progress)
    read.findings = report.findings
    read.archive = report.hasErrors ? nil : try PublishedArchive(reading: path)
    let after = try during(.reading) { () throws(Failure) in try FileStatus(ofFileAt: path) }
    guard after == read.status else {
      throw PackError(
        .changed, "'\(path)' changed while it was read", remedy: "try again when it is whole")
    }
    if let archive = read.archive { known.remember(archive, read.status, readFrom: begin) }
    return read
  }
}
