package import BAPackKit

extension PackUploader {
  /// Returns whether an archive must be uploaded.
  ///
  /// Sends requests only if the listed records are not sufficient.
  package func verdict(
    _ archive: UploadArchive, _ record: PackRecord?
  ) throws(PackError) -> UploadVerdict {
    let journal = try journals.journal(of: archive.pack)
    judged[archive.pack] = journal.delivered
    return try verdict(archive, record, journal)
  }

  private func verdict(
    _ archive: UploadArchive, _ record: PackRecord?, _ journal: UploadJournal
  ) throws(PackError) -> UploadVerdict {
    let verdict = UploadVerdict(archive.archive, journal, record)
    switch verdict {
    case .unchanged, .archived, .failed: return verdict
    case .needed:
      guard let record else { return .needed }
      return try verdictByDigests(archive, journal, record)
    case .unchangedUnless(let version, let later):
      return try plainly { () throws(ServiceTrouble) in
        try service.version(later.id).hasFailed ? .unchanged(version) : .needed
      }
    case .perhapsProcessing(let version):
      guard let record else { return .needed }
      return try plainly { () throws(ServiceTrouble) in
        let versions = try service.versions(of: record.id)
        guard let own = versions.first(where: { $0.id == version.id }) else { return .needed }
        guard !own.hasFailed else { return options.retriesFailed ? .needed : .failed(own) }
        // What came later, from here or from elsewhere, takes its place unless it fails.
        let isReplaced = versions.contains { other in
          (other.number ?? 0) > (own.number ?? 0) && !other.isAwaitingUpload && !other.hasFailed
        }
        guard !isReplaced else { return .needed }
        return own.isComplete ? .unchanged(version) : .perhapsProcessing(version)
      }
    case .perhapsFailed(let version):
      guard let record, !options.retriesFailed else { return .needed }
      return try plainly { () throws(ServiceTrouble) in
        let own = try service.versions(of: record.id).first { $0.id == version.id }
        return own.flatMap { $0.hasFailed ? .failed($0) : nil } ?? .needed
      }
    }
  }

  /// Returns the existing version of an archive that need not be uploaded; nil if it must be
  /// uploaded.
  ///
  /// - Throws: An error if the archive failed in processing, or if its pack is archived.
  func existingVersion(
    _ archive: UploadArchive, _ record: PackRecord, _ journal: UploadJournal
  ) throws(PackError) -> VersionKey? {
    let verdict = try verdict(archive, record, journal)
    switch verdict {
    case .unchanged(let version), .unchangedUnless(let version, _),
      .perhapsProcessing(let version):
      notify(archive.pack, .notNeeded(verdict))
      return version
    case .failed(let version): throw Processing.failure(of: archive.pack, as: version)
    case .archived: throw PackError.archived(archive.pack)
    case .needed, .perhapsFailed: return nil
    }
  }

  /// Compares an archive without a journal entry with the newest version, which another machine may
  /// have uploaded.
  private func verdictByDigests(
    _ archive: UploadArchive, _ journal: UploadJournal, _ record: PackRecord
  ) throws(PackError) -> UploadVerdict {
    let isKnown =
      record.internalVersion.map { newest in
        journal.delivered.contains { $0.version.id == newest.id }
      } ?? !journal.delivered.isEmpty
    guard journal.current == nil, !isKnown else { return .needed }
    let versions = try plainly { () throws(ServiceTrouble) in
      try service.versions(of: record.id)
    }
    for version in versions where !version.isAwaitingUpload {
      if let digests = version.asset, try digests.describe(archive, work) {
        if version.hasFailed { return options.retriesFailed ? .needed : .failed(version) }
        return version.isComplete ? .unchanged(version.key) : .perhapsProcessing(version.key)
      }
      // A failed version replaced no other version, so an earlier one may still be the newest.
      if !version.hasFailed { break }
    }
    return .needed
  }
}

/// Whether an archive has to be sent.
package enum UploadVerdict: Sendable, Equatable {
  /// It is the newest complete version.
  case unchanged(VersionKey)
  /// It is the newest complete version, unless the other one, which was sent later, comes to be.
  case unchangedUnless(VersionKey, later: VersionKey)
  /// It was sent last, and is not complete as far as is seen.
  case perhapsProcessing(VersionKey)
  /// It was sent before, and another archive after it; it may have failed.
  case perhapsFailed(VersionKey)
  /// It was sent before, and failed in processing.
  case failed(PackVersion)
  case needed
  /// Its pack was archived, and takes nothing any more.
  case archived

  /// Judges by what was delivered from here, and by what internal testers get.
  package init(
    _ archive: UploadJournal.Archive, _ journal: UploadJournal, _ record: PackRecord?
  ) {
    self = .needed
    guard let record else { return }
    guard !record.isArchived else {
      self = .archived
      return
    }
    // An upload that may have arrived is looked at first.
    if journal.current?.phase.isCompleting == true { return }
    guard let last = journal.delivered.last else { return }
    if let before = journal.delivered.last(where: { $0.archive == archive }) {
      self = .perhapsFailed(before.version)
    }
    if let newest = record.internalVersion {
      if let own = journal.delivered.last(where: { $0.version.id == newest.id }) {
        if own.archive == archive {
          self =
            own.version.id == last.version.id
            ? .unchanged(own.version) : .unchangedUnless(own.version, later: last.version)
          return
        }
      } else if let seen = newest.number, let own = last.version.number, seen > own {
        // Somebody else, or another machine, brought a newer one.
        return
      }
    }
    if last.archive == archive { self = .perhapsProcessing(last.version) }
  }
}
