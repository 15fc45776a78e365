package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The files from which packs are served.
///
/// It finds and verifies the files and adds their packs to the catalogue. It checks the files
/// again when they may have changed. It serves only complete packs: it ignores a file until the
/// file is completely written, and reports a damaged file by name. The other packs, and the
/// previous state of a damaged pack, are still served. Any thread can start a check; only one check
/// runs at a time.
package final class PackFolder: Sendable {
  /// A change of a file.
  package enum FileEvent: Sendable {
    case accepted(PackID, Catalogue.Change, path: String)
    case damaged(path: String, Ledger)
    /// The file cannot be read, is not a pack, or has no valid version.
    case refused(path: String, PackError)
    /// The file was removed.
    case removed(PackID, path: String)
    /// The file of a served pack was changed, so the pack cannot be delivered now.
    case withdrawn(PackID, path: String)
  }

  /// The files to check again.
  package enum Scope: Sendable {
    /// All files of the operands.
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
    /// The files that are not served.
    var leftOut: Set<FileIdentity>
    /// The accepted and refused files, with their state at that time.
    var seen: [String: Seen] = [:]
    /// The files of the served packs.
    var owners: [PackID: String] = [:]
    /// The files that were changing at the last check.
    var unsettled: [String: FileStatus] = [:]
    /// The packs already reported as not deliverable.
    var withdrawn: Set<PackID> = []
  }

  private struct Seen {
    var status: FileStatus
    /// The pack that is served from the file.
    var id: PackID?
    /// The pack that another file already contains, the reason why this file was refused.
    var rival: PackID?
  }

  /// Serves packs from `operands`: archives, and folders of them, without the files `leftOut`.
  package init(
    _ operands: [String], besides leftOut: Set<FileIdentity> = [], into catalogue: Catalogue,
    known: KnownPacks = KnownPacks(),
    verification: Verification = Verification()
  ) {
    self.operands = operands
    self.catalogue = catalogue
    self.verification = verification
    contents = InTurn(Contents(known: known, leftOut: leftOut))
  }

  // MARK: Adding packs

  /// Adds all packs for the first time; `versions` are for the operands, in their order.
  ///
  /// Throws if an operand cannot be read, if two packs have the same ID, or if a version cannot be
  /// assigned.
  package func addAll(
    versions: [Int?] = [], _ work: Work
  ) throws(PackError) -> [FileEvent] {
    try contents.with { contents throws(PackError) in
      var pass = Pass()
      var requested: [String: Int] = [:]
      var paths: [String] = []
      var found: Set<String> = []
      for (index, operand) in operands.enumerated() {
        let version = index < versions.count ? versions[index] : nil
        for path in try files(of: operand, contents) where contents.seen[path] == nil {
          if found.insert(path).inserted { paths.append(path) }
          requested[path] = requested[path] ?? version
        }
      }
      try read(paths, versions: requested, &contents, &pass, work)
      try pass.throwConflict()
      apply(&pass, &contents)
      try pass.throwConflict()
      // The stop also ends a wait for the version file.
      try work.checkCancellation()
      // If this write fails, the next run reads the files again.
      try? contents.known.save()
      return pass.events
    }
  }

  /// Checks for new, changed and removed files.
  ///
  /// Returns what happened to them, and whether files are still changing, so that another check is
  /// due soon. A changed file is read when two checks in a row find the same state: the file is
  /// then completely written.
  package func refresh(
    _ scope: Scope, _ work: Work
  ) throws(PackError) -> (events: [FileEvent], isSettling: Bool) {
    try contents.with { contents throws(PackError) in
      try refresh(scope, areComplete: false, &contents, work)
    }
  }

  /// Checks all files after a build, which replaces complete files.
  ///
  /// The files `leftOut` are not served; nil for the same files as before.
  package func refresh(
    afterBuild leftOut: Set<FileIdentity>?, _ work: Work
  ) throws(PackError) -> [FileEvent] {
    try contents.with { contents throws(PackError) in
      if let leftOut { contents.leftOut = leftOut }
      return try refresh(.everything, areComplete: true, &contents, work).events
    }
  }

  private func refresh(
    _ scope: Scope, areComplete: Bool, _ contents: inout Contents, _ work: Work
  ) throws(PackError) -> (events: [FileEvent], isSettling: Bool) {
    var pass = Pass()
    let suspects = noteWithdrawals(&contents, &pass)
    let paths = scope == .everything ? presentFiles(contents) : suspects
    var settled: [String] = []
    for path in paths {
      guard let status = try? FileStatus(ofFileAt: path) else { continue }
      if contents.seen[path]?.status.isSameFile(as: status) == true {
        contents.unsettled[path] = nil
      } else if contents.unsettled.updateValue(status, forKey: path)?.isSameFile(as: status)
        ?? false || areComplete
      {
        contents.unsettled[path] = nil
        settled.append(path)
      }
    }
    switch scope {
    case .everything: removeMissingFiles(besides: Set(paths), &contents, &pass)
    case .withdrawn: noteAbsent(suspects, contents)
    }
    try read(settled, &contents, &pass, work)
    try readRivals(&contents, &pass, work)
    apply(&pass, &contents)
    try? contents.known.save()
    return (pass.events, !contents.unsettled.isEmpty)
  }

  /// Returns the archives of an operand.
  private func files(
    of operand: String, _ contents: Contents
  ) throws(PackError) -> [String] {
    let leftOut = contents.leftOut
    return try mapFailure(.reading) { () throws(Failure) in
      guard try FileStatus(ofFileAt: operand).kind == .directory else { return [operand] }
      let found = try ArchiveSearch.archives(in: operand)
      guard !leftOut.isEmpty else { return found }
      return found.filter { path in
        (try? FileStatus(ofFileAt: path)).map { !leftOut.contains($0.identity) } ?? true
      }
    }
  }

  private func presentFiles(_ contents: Contents) -> [String] {
    var present: Set<String> = []
    return operands.flatMap { (try? files(of: $0, contents)) ?? [] }.filter {
      present.insert($0).inserted
    }
  }

  // MARK: One pass

  /// The results of one check of the files; they become one change of the catalogue.
  private struct Pass {
    /// The events and offers, in the order of the files; an offer becomes an event with its result.
    var items: [Item] = []
    var events: [FileEvent] = []
    /// The packs whose files no longer exist.
    var removed: [(id: PackID, path: String)] = []
    /// The packs that another file can now provide.
    var freed: Set<PackID> = []
    /// The files of the offered packs.
    var owners: [PackID: String] = [:]

    enum Item {
      case event(FileEvent)
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
      guard let outage = catalogue.outage(of: pack) else {
        contents.withdrawn.remove(pack.id)
        continue
      }
      if pack.outage == nil { catalogue.withdraw(pack.id, because: outage) }
      paths.append(path)
      if contents.withdrawn.insert(pack.id).inserted {
        pass.items.append(.event(.withdrawn(pack.id, path: path)))
      }
    }
    return paths
  }

  /// Removes the entries of files that no longer exist.
  private func removeMissingFiles(
    besides present: Set<String>, _ contents: inout Contents, _ pass: inout Pass
  ) {
    for path in contents.seen.keys.sorted() where !present.contains(path) {
      // The packs in a temporarily unreadable folder still exist.
      let status = try? FileStatus(ofFileAt: path)
      guard status.map({ contents.leftOut.contains($0.identity) }) ?? true else { continue }
      guard let file = contents.seen.removeValue(forKey: path), let id = file.id else { continue }
      contents.owners[id] = nil
      pass.removed.append((id, path))
      pass.freed.insert(id)
    }
    contents.unsettled = contents.unsettled.filter { present.contains($0.key) }
  }

  /// Records the reason for packs that cannot be delivered because their files no longer exist.
  private func noteAbsent(_ paths: [String], _ contents: Contents) {
    for path in paths where (try? FileStatus(ofFileAt: path)) == nil {
      guard let id = contents.seen[path]?.id else { continue }
      catalogue.withdraw(id, because: "'\(path)' no longer exists")
    }
  }

  /// Reads files that were refused because another file contained the same pack.
  ///
  /// Only files whose pack is no longer provided by the other file are read.
  private func readRivals(
    _ contents: inout Contents, _ pass: inout Pass, _ work: Work
  ) throws(PackError) {
    guard !pass.freed.isEmpty else { return }
    let rivals = contents.seen.filter { $0.value.rival.map { pass.freed.contains($0) } ?? false }
    for path in rivals.keys.sorted() {
      guard let rival = rivals[path]?.rival, pass.owners[rival] == nil else { continue }
      try read([path], &contents, &pass, work)
    }
  }

  private func read(
    _ paths: [String], versions: [String: Int] = [:], _ contents: inout Contents,
    _ pass: inout Pass, _ work: Work
  ) throws(PackError) {
    let reading = PackReading(known: contents.known, verification: verification, work: work)
    try reading.read(paths) { path, result throws(PackError) in
      try add(result, from: path, version: versions[path], &contents, &pass)
    }
  }

  private func add(
    _ result: Result<ReadFile, PackError>, from path: String, version requested: Int?,
    _ contents: inout Contents, _ pass: inout Pass
  ) throws(PackError) {
    let before = contents.seen[path]
    do throws(PackError) {
      let file = try result.get()
      guard let archive = file.archive else {
        contents.seen[path] = Seen(status: file.status, id: before?.id)
        pass.items.append(.event(.damaged(path: path, file.findings)))
        lose(before?.id, because: "'\(path)' is damaged", &pass)
        return
      }
      if let begin = file.begin { contents.known.record(archive, file.status, readFrom: begin) }
      let id = archive.id
      let owner = pass.owners[id] ?? (pass.freed.contains(id) ? nil : contents.owners[id])
      // The first file of an ID is kept.
      if let owner, owner != path {
        contents.seen[path] = Seen(status: file.status, id: before?.id, rival: id)
        throw Self.duplicate(id, owner, path)
      }
      pass.owners[id] = path
      if let old = before?.id, old != id { pass.freed.insert(old) }
      let offer = Catalogue.Offer(archive, file.file, version: requested, replacing: before?.id)
      pass.items.append(.offer(offer, path: path, status: file.status))
    } catch {
      if error.kind == .interrupted { throw error }
      pass.items.append(.event(.refused(path: path, error)))
      lose(before?.id, because: error.message, &pass)
      // A file that changes while it is read is read again.
      guard error.kind != .changed, error.kind != .conflict else { return }
      if let status = try? FileStatus(ofFileAt: path) {
        contents.seen[path] = Seen(status: status, id: before?.id)
      }
    }
  }

  /// Records why a pack cannot be delivered, if its served file was changed.
  private func lose(_ id: PackID?, because reason: String, _ pass: inout Pass) {
    guard let id, catalogue.withdraw(id, because: reason) else { return }
    pass.freed.insert(id)
  }

  /// Applies the results of a check to the catalogue.
  private func apply(_ pass: inout Pass, _ contents: inout Contents) {
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
    pass.events += gone.map { .removed($0.id, path: $0.path) }
    pass.items = []
  }

  private func note(
    _ change: Catalogue.Change, of offer: Catalogue.Offer, _ path: String, _ status: FileStatus,
    _ contents: inout Contents
  ) -> FileEvent {
    let id = offer.archive.id
    let before = contents.seen[path]?.id
    if case .refused(let requested, let highest) = change {
      contents.seen[path] = Seen(status: status, id: before)
      return .refused(path: path, Self.refusal(offer.archive, requested, highest))
    }
    if let before, before != id, contents.owners[before] == path { contents.owners[before] = nil }
    if let other = contents.owners[id], other != path {
      contents.seen[other]?.id = nil
      contents.seen[other]?.rival = id
    }
    contents.seen[path] = Seen(status: status, id: id)
    contents.owners[id] = path
    contents.withdrawn.remove(id)
    return .accepted(id, change, path: path)
  }

  private static func duplicate(_ id: PackID, _ one: String, _ other: String) -> PackError {
    PackError(
      .conflict, "'\(one)' and '\(other)' both contain the pack '\(id.text)'",
      remedy: "remove one of them: a device requests a pack by its ID")
  }

  private static func refusal(
    _ archive: PublishedArchive, _ requested: Int?, _ highest: Int
  ) -> PackError {
    guard let requested, highest < .max else {
      return PackError(
        .limit, "'\(archive.id.text)' already has the highest possible version, \(highest)",
        remedy: "use another ID for the pack")
    }
    return PackError(
      .conflict,
      "cannot publish '\(archive.id.text)' as version \(requested): version \(highest) was "
        + "published before\(requested == highest ? " with other bytes" : "")",
      remedy: .raiseVersion(to: highest + 1))
  }
}
