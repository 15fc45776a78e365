package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The files from which packs are served: finds them, verifies them, and takes them up; and looks again
/// when they may have changed.
///
/// A pack is served whole or not at all: what is being written is left alone until it is finished, and
/// what is damaged is refused by name, while the others, and what it was before, stay. Any thread may
/// look; one after another does.
package final class Shelf: @unchecked Sendable {
  /// What happened to a file.
  package enum Event: Sendable {
    case taken(PackID, Catalogue.Change, path: String)
    /// The pack is damaged.
    case damaged(path: String, Ledger)
    /// The file cannot be read, or is no pack, or its version cannot be given out.
    case refused(path: String, PackError)
    /// The file is no longer there.
    case gone(PackID, path: String)
  }

  private let operands: [String]
  private let catalogue: Catalogue
  private let verification: Verification
  private let lock = Lock()
  private var known: KnownPacks
  /// The files that were taken up or refused, as they were then.
  private var seen: [String: Seen] = [:]
  /// The files that were changing when they were last looked at.
  private var unsettled: [String: FileStatus] = [:]

  private struct Seen {
    let status: FileStatus
    let id: PackID?
  }

  /// Serves packs from `operands`: archives, and folders of them.
  package init(
    _ operands: [String], into catalogue: Catalogue, known: KnownPacks = KnownPacks(),
    verification: Verification = Verification()
  ) {
    self.operands = operands
    self.catalogue = catalogue
    self.known = known
    self.verification = verification
  }

  // MARK: Taking up

  /// Takes up all packs for the first time; `versions` are for the operands, in their order.
  ///
  /// It throws if an operand cannot be looked at, if two packs have the same ID, and if a version cannot
  /// be given out.
  package func takeAll(
    versions: [Int?] = [], progress: (Verification.Progress) -> Void = { _ in }
  ) throws(PackError) -> [Event] {
    lock.take()
    defer { lock.giveBack() }
    var events: [Event] = []
    for (index, operand) in operands.enumerated() {
      let wanted = index < versions.count ? versions[index] : nil
      for path in try files(of: operand) where seen[path] == nil {
        let event = try take(path, version: wanted, progress)
        if case .refused(_, let error) = event, error.kind == .conflict { throw error }
        events.append(event)
      }
    }
    // Next time they are read again, if this cannot be written down.
    try? known.keep()
    return events
  }

  /// Looks whether files came, changed or went, and tells what became of them.
  ///
  /// A file that changes is taken up when it was the same twice: who writes into a place where others
  /// read takes some time.
  package func lookAgain() throws(PackError) -> [Event] {
    lock.take()
    defer { lock.giveBack() }
    var events: [Event] = []
    var present: Set<String> = []
    for operand in operands {
      guard let paths = try? files(of: operand) else { continue }
      for path in paths where present.insert(path).inserted {
        guard let status = try? FileStatus(ofFileAt: path) else { continue }
        if seen[path]?.status == status {
          unsettled[path] = nil
          continue
        }
        guard unsettled.updateValue(status, forKey: path) == status else { continue }
        unsettled[path] = nil
        events.append(try take(path, version: nil) { _ in })
      }
    }
    for (path, file) in seen where !present.contains(path) {
      // A folder that cannot be read for a moment has not lost its packs.
      guard (try? FileStatus(ofFileAt: path)) == nil else { continue }
      seen[path] = nil
      guard let id = file.id, !seen.values.contains(where: { $0.id == id }) else { continue }
      catalogue.remove(id)
      events.append(.gone(id, path: path))
    }
    try? known.keep()
    return events
  }

  /// The archives that an operand stands for.
  private func files(of operand: String) throws(PackError) -> [String] {
    try during(.reading) { () throws(Failure) in
      guard try FileStatus(ofFileAt: operand).kind == .directory else { return [operand] }
      return try ArchiveFolder.archives(in: operand)
    }
  }

  private func take(
    _ path: String, version wanted: Int?, _ progress: (Verification.Progress) -> Void
  ) throws(PackError) -> Event {
    let before = seen[path]
    do throws(PackError) {
      let file = try read(path, progress)
      guard let archive = file.archive else {
        seen[path] = Seen(status: file.status, id: before?.id)
        return .damaged(path: path, file.findings)
      }
      // The first file of an ID stays.
      let other = seen.first { $0.key != path && $0.value.id == archive.id }?.key
      if let other {
        seen[path] = Seen(status: file.status, id: nil)
        throw Self.duplicate(archive.id, other, path)
      }
      let change = catalogue.take(archive, file.file, version: wanted)
      if case .refused(let wanted, let highest) = change {
        seen[path] = Seen(status: file.status, id: before?.id)
        throw Self.refusal(archive, wanted, highest)
      }
      seen[path] = Seen(status: file.status, id: archive.id)
      if let old = before?.id, old != archive.id { catalogue.remove(old) }
      return .taken(archive.id, change, path: path)
    } catch {
      if error.kind == .interrupted { throw error }
      if seen[path] == nil, let status = try? FileStatus(ofFileAt: path) {
        seen[path] = Seen(status: status, id: nil)
      }
      return .refused(path: path, error)
    }
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

  /// A file that was read.
  private struct ReadFile {
    /// What it is; nil if it is damaged, as the findings say.
    var archive: PublishedArchive?
    var findings = Ledger()
    let file: PackFile
    let status: FileStatus
  }

  private func read(
    _ path: String, _ progress: (Verification.Progress) -> Void
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
