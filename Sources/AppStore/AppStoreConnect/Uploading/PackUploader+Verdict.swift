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
      return try plainly { () throws(ServiceError) in
        try service.version(later.id).hasFailed ? .unchanged(version) : .needed
      }
    case .perhapsProcessing(let version):
      guard let record else { return .needed }
      return try plainly { () throws(ServiceError) in
        let versions = try service.versions(of: record.id)
        guard let own = versions.first(where: { $0.id == version.id }) else { return .needed }
        guard !own.hasFailed else { return options.retriesFailed ? .needed : .failed(own) }
        // A later version replaces it unless the later version fails.
        let isReplaced = versions.contains { other in
          (other.number ?? 0) > (own.number ?? 0) && !other.isAwaitingUpload && !other.hasFailed
        }
        guard !isReplaced else { return .needed }
        return own.isComplete ? .unchanged(version) : .perhapsProcessing(version)
      }
    case .perhapsFailed(let version):
      guard let record, !options.retriesFailed else { return .needed }
      return try plainly { () throws(ServiceError) in
        let own = try service.versions(of: record.id).first { $0.id == version.id }
        return own.flatMap { $0.hasFailed ? .failed($0) : nil } ?? .needed
      }
    }
  }

  /// Returns the existing version of an archive that does not have to be uploaded; nil if the
  /// archive must be uploaded.
  ///
  /// - Throws: An error if the archive failed in processing, or if its pack is archived.
  func existingVersion(
    _ archive: UploadArchive, _ record: PackRecord, _ journal: UploadJournal
  ) throws(PackError) -> Outcome? {
    switch try verdict(archive, record, journal) {
    case .unchanged(let version), .unchangedUnless(let version, _): return .unchanged(version)
    case .perhapsProcessing(let version): return .notNeeded(version)
    case .failed(let version): throw Processing.failure(of: archive.pack, as: version)
    case .archived: throw PackError.archived(archive.pack)
    case .needed, .perhapsFailed: return nil
    }
  }

  /// Compares an archive without a journal entry with the newest version, which another computer
  /// may have uploaded.
  private func verdictByDigests(
    _ archive: UploadArchive, _ journal: UploadJournal, _ record: PackRecord
  ) throws(PackError) -> UploadVerdict {
    let isKnown =
      record.internalVersion.map { newest in
        journal.delivered.contains { $0.version.id == newest.id }
      } ?? !journal.delivered.isEmpty
    guard journal.current == nil, !isKnown else { return .needed }
    let versions = try plainly { () throws(ServiceError) in
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

/// Whether an archive must be uploaded.
package enum UploadVerdict: Sendable, Equatable {
  /// The archive is the newest complete version.
  case unchanged(VersionKey)
  /// The archive is the newest complete version, unless a later version becomes complete.
  case unchangedUnless(VersionKey, later: VersionKey)
  /// The archive was uploaded last, and its version is not complete yet.
  case perhapsProcessing(VersionKey)
  /// The archive was uploaded before another one, and may have failed.
  case perhapsFailed(VersionKey)
  /// The archive was uploaded before, and its processing failed.
  case failed(PackVersion)
  case needed
  /// The pack is archived, and accepts no new versions.
  case archived

  /// Determines the verdict from the deliveries in the journal, and from the version of internal
  /// testers.
  package init(
    _ archive: UploadJournal.Archive, _ journal: UploadJournal, _ record: PackRecord?
  ) {
    self = .needed
    guard let record else { return }
    guard !record.isArchived else {
      self = .archived
      return
    }
    // An upload that may be complete is queried first.
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
        // Another user, or another computer, uploaded a newer version.
        return
      }
    }
    if last.archive == archive { self = .perhapsProcessing(last.version) }
  }
}
