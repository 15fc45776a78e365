import Glibc
package import SystemIO

/// What was being done when the system refused something.
package enum Activity: Sendable {
  /// Writing the requested file.
  case writing
  /// Extracting the files of a pack into a folder.
  case extracting
  /// Writing a download manifest and its record.
  case publishing
  /// Replacing the contents of an existing file.
  case rewriting
  /// Reading a file that the user named.
  case reading
  /// Reading a file that a selector chose.
  case packing
  /// Writing to a temporary file without a name.
  case spooling
  /// Listening for connections, and accepting them.
  case listening
  /// Connecting to another machine, and exchanging bytes with it.
  case connecting
}

/// The remedies for one kind of refusal by the system.
struct Help {
  var codes: Set<Int32>
  var during: Set<Activity>
  var remedies: [Remedy]

  init(_ codes: Set<Int32>, during: Set<Activity>, _ remedies: Remedy...) {
    self.codes = codes
    self.during = during
    self.remedies = remedies
  }

  static let outputs: Set<Activity> = [.writing, .extracting]
  static let all: Set<Activity> = [
    .writing, .extracting, .publishing, .rewriting, .reading, .packing, .spooling, .listening,
    .connecting,
  ]

  /// All remedies; the first entry that fits is used.
  static let table: [Help] = [
    Help([EEXIST], during: [.writing], .replaceExisting, .nameAnotherOutput),
    Help(
      [EEXIST], during: [.publishing],
      .updateDownloadManifest, .replaceDownloadManifest),
    Help(
      [ENOSPC, EDQUOT], during: outputs, "free some space", .writeToAnotherDisk),
    Help([ENOSPC, EDQUOT], during: [.publishing, .rewriting], "free some space"),
    Help(
      [ENOSPC, EDQUOT], during: [.spooling],
      "free some space there, or set TMPDIR to a folder on another disk"),
    Help(
      [EFBIG], during: outputs,
      "raise the limit on file sizes (ulimit -f)", .writeToAnotherDisk),
    Help([EFBIG], during: [.spooling], "raise the limit on file sizes (ulimit -f)"),
    Help(
      [ENOENT, ENOTDIR], during: [.writing, .extracting, .publishing], "create the folder first"),
    Help(
      [EACCES, EPERM, EROFS], during: outputs,
      .writeToOwnFolder),
    Help(
      [EACCES, EPERM, EROFS], during: [.publishing], "write to a folder that you may write to"),
    Help(
      [EACCES, EPERM, EROFS], during: [.rewriting],
      "run this as its owner, where the file and its folder may be written"),
    Help([ESTALE], during: [.rewriting, .publishing], "somebody else changed it: try again"),
    Help(
      [EACCES, EPERM, EROFS, ENOENT, ENOTDIR], during: [.spooling],
      "set TMPDIR to a folder that you may write to"),
    Help(
      [EACCES, EPERM], during: [.packing],
      "make it readable, or leave it out with a 'fileExclusion'"),
    Help([EACCES, EPERM], during: [.reading], "make it readable"),
    Help([EISDIR], during: [.reading], "name a file, not a folder"),
    Help([EISDIR], during: [.writing], "remove the folder", .nameAnotherOutput),
    Help([FileRewrite.notRegular], during: [.writing], .nameAnotherOutput),
    Help([ESPIPE], during: [.reading], "save it to a file first: it is not read in one go"),
    Help([ENAMETOOLONG], during: outputs, "write to a file system that takes longer names"),
    Help([EIO], during: outputs, "check the disk", .writeToAnotherDisk),
    Help([EIO], during: [.publishing, .rewriting], "check the disk"),
    Help([EIO], during: [.reading, .packing], "check the disk, or get the file anew"),
    Help(
      [EIO], during: [.spooling], "check the disk, or set TMPDIR to a folder on another"),
    Help([ENOMEM], during: [.writing], .useFewerThreads, .useSmallerBlocks),
    Help([ENOMEM, EAGAIN], during: [.extracting], .useFewerThreads),
    Help(
      [EADDRINUSE], during: [.listening],
      "end the program that has it ('ss -ltnp' names it), or take another; 0 is any that is free"),
    Help(
      [EACCES, EPERM], during: [.listening],
      "take a port from 1024 on: those below are the administrator's"),
    Help([EADDRNOTAVAIL], during: [.listening], "take an address that this machine has"),
    Help(
      [EAFNOSUPPORT], during: [.listening, .connecting], "take an address of the other IP version"),
    Help(
      [ECONNREFUSED], during: [.connecting],
      "see that the server runs, and that it is the right port"),
    Help(
      [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL], during: [.connecting],
      "see that this machine is on the network"),
    Help(
      [EACCES, EPERM], during: [.connecting], "see whether a firewall forbids the connection"),
    Help(
      [ECONNRESET, ECONNABORTED, EPIPE], during: [.connecting],
      "try again: the other side ended the connection"),
    Help(
      [ELIBACC], during: all,
      "install libcurl: on Debian and Ubuntu, that is the package libcurl4"),
    Help([EMFILE, ENFILE], during: all, "raise the limit on open files (ulimit -n)"),
  ]

  static func remedies(against code: Int32, during activity: Activity) -> [Remedy] {
    table.first { $0.codes.contains(code) && $0.during.contains(activity) }?.remedies ?? []
  }

  /// The remedies for a failure that was not a refused system call.
  static func remedies(against failure: Failure) -> [Remedy] {
    switch failure.kind {
    case .timedOut: ["try again later, or see whether a firewall or a proxy is in the way"]
    case .unresolved:
      ["see that the name is right, and that this machine is on the network"]
    default: []
    }
  }
}

extension Help {
  /// The remedies for a file that is kept between runs and cannot be used.
  static func remedies(against trouble: StateTrouble) -> [Remedy] {
    let loss = Remedy.advice("move it away: then \(trouble.loss)")
    switch trouble.fault {
    case .newer: return ["use the version of the program that wrote it", loss]
    case .damaged: return ["restore it from a backup", loss]
    case .tooLarge, .notAFile: return [loss]
    }
  }
}

extension Operation {
  /// What was being done, if the operation alone tells.
  fileprivate var activity: Activity? {
    if isTemporary { return .spooling }
    if isListening { return .listening }
    return isConnecting ? .connecting : nil
  }
}

extension PackError {
  /// An error for what the system refused, with its remedies.
  package init(_ error: Failure, while activity: Activity = .reading) {
    guard case .refused(let operation, let code) = error.kind else {
      self.init(besidesSystem: error, while: activity)
      return
    }
    let activity = operation.activity ?? activity
    let remedies = Help.remedies(against: code, during: activity)
    switch (code, activity) {
    case (EEXIST, .writing), (EEXIST, .publishing):
      self.init(.exists, "'\(error.path)' exists already", remedies: remedies)
    case (ESPIPE, .reading):
      self.init(
        .system(ESPIPE), "cannot \(operation.phrase) '\(error.path)': it is no regular file",
        remedies: remedies)
    case (FileRewrite.notRegular, .rewriting), (FileRewrite.notRegular, .publishing),
      (FileRewrite.notRegular, .writing):
      self.init(
        .unsupported, "cannot \(operation.phrase) '\(error.path)': it is no regular file",
        remedies: remedies)
    case (ESTALE, .rewriting), (ESTALE, .publishing):
      self.init(
        .changed, "'\(error.path)' changed while this was at work on it", remedies: remedies)
    default: self.init(error, remedies: remedies)
    }
  }

  /// The same, with a remedy that the caller knows.
  package init(_ error: Failure, remedy: Remedy?) {
    self.init(error, remedies: remedy.map { [$0] } ?? [])
  }

  private init(_ error: Failure, remedies: [Remedy]) {
    self.init(.system(error.code), error.description, remedies: remedies)
  }
}
