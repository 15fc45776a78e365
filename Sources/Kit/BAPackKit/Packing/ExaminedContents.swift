import AssetArchive
import BlockCodecs
import SystemIO

/// Digests of the files, computed from the bytes that are written to the archive.
struct ExaminedContents: ~Copyable {
  private let plan: PackPlan
  private let examinedAt: Moment?
  private var digest: Digest?
  private(set) var files = ExaminedFiles()

  /// Creates digests; without a moment, no file is read.
  init(of plan: PackPlan, at examinedAt: Moment?) {
    self.plan = plan
    self.examinedAt = examinedAt
  }

  // If the archive contains the times and permissions of its files, later checks need more than
  // contents.
  private var digestsAll: Bool { examinedAt != nil && plan.settings.metadata == .fixed }

  private func isUnsettled(_ index: Int) -> Bool {
    examinedAt.map { !FileWitness(plan.selection.records[index]).isSettled(at: $0) } ?? false
  }

  /// Whether the bytes of the current file are needed.
  var isReading: Bool { digest != nil }

  /// Reads a source root that is an archive: one file.
  mutating func inspectSourceRoot(_ work: Work) throws(PackError) {
    guard let examinedAt, case .archive(_, let file, _) = plan.source.storage,
      !FileWitness(file.status).isSettled(at: examinedAt)
    else { return }
    let source = try mapFailure(.packing) { () throws(Failure) in
      try ByteSource(try file.descriptor.duplicate())
    }
    files.contents.append(
      ExaminedFiles.Content(
        index: ExaminedFiles.Content.archive, sha256: try fileDigest(of: source, work)))
  }

  mutating func begin(_ index: Int) throws(PackError) {
    guard !plan.source.isArchive, digestsAll || isUnsettled(index) else { return }
    digest = try Digest.starting(.sha256)
  }

  mutating func update(_ bytes: RawSpan) { digest?.update(bytes) }

  mutating func end(_ index: Int) {
    guard let sha256 = digest.take()?.finish() else { return }
    if digestsAll { files.digests += sha256 }
    guard isUnsettled(index) else { return }
    files.contents.append(ExaminedFiles.Content(index: index, sha256: sha256))
  }
}
