import ForeignArchives
import Glibc
package import SystemIO

/// What was being done when the system refused something.
package enum Activity: Sendable {
  /// Writing the file that was asked for.
  case writing
  /// Putting the files of a pack into a folder.
  case extracting
  /// Keeping a download manifest and its record.
  case publishing
  /// Putting other bytes into a file that is there, under the same name.
  case rewriting
  /// Reading something that was named.
  case reading
  /// Reading a file that a selector chose.
  case packing
  /// Putting bytes aside for a while, in a file without a name.
  case spooling
}

/// What helps against one kind of refusal.
private struct Remedy {
  var codes: Set<Int32>
  var during: Set<Activity>
  var words: String

  init(_ codes: Set<Int32>, during: Set<Activity>, _ words: String) {
    self.codes = codes
    self.during = during
    self.words = words
  }

  static let outputs: Set<Activity> = [.writing, .extracting]
  static let all: Set<Activity> = [
    .writing, .extracting, .publishing, .rewriting, .reading, .packing, .spooling,
  ]

  /// Every remedy; the first that fits is the one to name.
  static let table: [Remedy] = [
    Remedy([EEXIST], during: [.writing], "replace it with --force, or name another with -o"),
    Remedy(
      [EEXIST], during: [.publishing],
      "use 'download-manifest update', or make it anew with --force: its versions go on"),
    Remedy(
      [ENOSPC, EDQUOT], during: outputs, "free some space, or write to another disk with -o"),
    Remedy([ENOSPC, EDQUOT], during: [.publishing, .rewriting], "free some space"),
    Remedy(
      [ENOSPC, EDQUOT], during: [.spooling],
      "free some space there, or set TMPDIR to a folder on another disk"),
    Remedy(
      [EFBIG], during: outputs,
      "raise the limit on file sizes (ulimit -f), or write to another disk with -o"),
    Remedy([EFBIG], during: [.spooling], "raise the limit on file sizes (ulimit -f)"),
    Remedy(
      [ENOENT, ENOTDIR], during: [.writing, .extracting, .publishing], "create the folder first"),
    Remedy(
      [EACCES, EPERM, EROFS], during: outputs,
      "write to a folder that you may write to, with -o"),
    Remedy(
      [EACCES, EPERM, EROFS], during: [.publishing], "write to a folder that you may write to"),
    Remedy(
      [EACCES, EPERM, EROFS], during: [.rewriting],
      "run this as its owner, where the file and its folder may be written"),
    Remedy([ESTALE], during: [.rewriting, .publishing], "somebody else changed it: try again"),
    Remedy(
      [EACCES, EPERM, EROFS, ENOENT, ENOTDIR], during: [.spooling],
      "set TMPDIR to a folder that you may write to"),
    Remedy(
      [EACCES, EPERM], during: [.packing],
      "make it readable, or leave it out with a 'fileExclusion'"),
    Remedy([EACCES, EPERM], during: [.reading], "make it readable"),
    Remedy([EISDIR], during: [.reading], "name a file, not a folder"),
    Remedy([EISDIR], during: [.writing], "remove the folder, or name another file with -o"),
    Remedy([ESPIPE], during: [.reading], "save it to a file first: it is not read in one go"),
    Remedy([ENAMETOOLONG], during: outputs, "write to a file system that takes longer names"),
    Remedy([EIO], during: outputs, "check the disk, or write to another with -o"),
    Remedy([EIO], during: [.publishing, .rewriting], "check the disk"),
    Remedy([EIO], during: [.reading, .packing], "check the disk, or get the file anew"),
    Remedy(
      [EIO], during: [.spooling], "check the disk, or set TMPDIR to a folder on another"),
    Remedy(
      [ENOMEM], during: [.writing],
      "use fewer threads (--threads) or smaller blocks (--block-size)"),
    Remedy([ENOMEM, EAGAIN], during: [.extracting], "use fewer threads (--threads)"),
    Remedy([EMFILE, ENFILE], during: all, "raise the limit on open files (ulimit -n)"),
  ]

  static func words(against code: Int32, during activity: Activity) -> String? {
    table.first { $0.codes.contains(code) && $0.during.contains(activity) }?.words
  }
}

extension PackError {
  /// What the system refused, with what to do about it.
  package init(_ error: SystemError, while activity: Activity = .reading) {
    let remedy = Remedy.words(against: error.code, during: activity)
    switch (error.code, activity) {
    case (EEXIST, .writing), (EEXIST, .publishing):
      self.init(.exists, "'\(error.path)' exists already", remedy: remedy)
    case (ESPIPE, .reading):
      self.init(
        .system(ESPIPE), "cannot \(error.operation) '\(error.path)': it is no regular file",
        remedy: remedy)
    case (FileRewrite.notRegular, .rewriting), (FileRewrite.notRegular, .publishing):
      self.init(
        .unsupported, "cannot \(error.operation) '\(error.path)': it is no regular file",
        remedy: remedy)
    case (ESTALE, .rewriting), (ESTALE, .publishing):
      self.init(
        .changed, "'\(error.path)' changed while this was at work on it", remedy: remedy)
    default: self.init(error, remedy: remedy)
    }
  }

  /// The same with a remedy that the place knows better.
  package init(_ error: SystemError, remedy: String?) {
    self.init(.system(error.code), error.description, remedy: remedy)
  }

  /// What libarchive refused, or the system behind it.
  init(_ error: ForeignArchiveError, while activity: Activity) {
    switch error.cause {
    case .archive:
      let verb = activity == .writing ? "write" : "read"
      let path = shownBytes(error.path.utf8)
      self.init(.malformed(offset: nil), "cannot \(verb) '\(path)': \(error.reason)")
    case .system(let error): self.init(error, while: activity)
    case .temporaryFile(let error): self.init(error, while: .spooling)
    case .interrupt: self.init(.interrupted, "interrupted")
    }
  }
}
