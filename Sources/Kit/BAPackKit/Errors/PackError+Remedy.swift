import Glibc
package import SourceDiagnostics
package import SystemIO

/// The activity of this library during which a system call failed.
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
  /// Reading a file that a selector selects.
  case packing
  /// Writing to a temporary file without a name.
  case spooling
  /// Listening for connections, and accepting them.
  case listening
  /// Connecting to another host, and exchanging bytes with it.
  case connecting
}

/// The remedies for failures.
enum RemedyTable {
  /// The remedies for some error codes of system calls during some activities.
  private struct Row {
    var codes: Set<Int32>
    var during: Set<Activity>
    var remedies: [Remedy]

    init(_ codes: Set<Int32>, during: Set<Activity>, _ remedies: Remedy...) {
      self.codes = codes
      self.during = during
      self.remedies = remedies
    }
  }

  static let outputs: Set<Activity> = [.writing, .extracting]
  static let all: Set<Activity> = [
    .writing, .extracting, .publishing, .rewriting, .reading, .packing, .spooling, .listening,
    .connecting,
  ]

  /// The first matching row is used.
  private static let rows: [Row] = [
    Row([EEXIST], during: [.writing], .replaceExisting, .specifyAnotherOutput),
    Row(
      [EEXIST], during: [.publishing],
      .updateDownloadManifest, .replaceDownloadManifest),
    Row(
      [ENOSPC, EDQUOT], during: outputs, "free some space", .writeToAnotherDisk),
    Row([ENOSPC, EDQUOT], during: [.publishing, .rewriting], "free some space"),
    Row(
      [ENOSPC, EDQUOT], during: [.spooling],
      "free some space there, or set TMPDIR to a folder on another disk"),
    Row(
      [EFBIG], during: outputs,
      "raise the limit on file sizes (ulimit -f)", .writeToAnotherDisk),
    Row([EFBIG], during: [.spooling], "raise the limit on file sizes (ulimit -f)"),
    Row(
      [ENOENT, ENOTDIR], during: [.writing, .extracting, .publishing], "create the folder first"),
    Row(
      [EACCES, EPERM, EROFS], during: outputs,
      .writeToOwnFolder),
    Row(
      [EACCES, EPERM, EROFS], during: [.publishing], "write to a folder with write permission"),
    Row(
      [EACCES, EPERM, EROFS], during: [.rewriting],
      "run this as the owner of the file, with write permission for its folder"),
    Row([ESTALE], during: [.rewriting, .publishing], "another process changed it: try again"),
    Row(
      [EACCES, EPERM, EROFS, ENOENT, ENOTDIR], during: [.spooling],
      "set TMPDIR to a folder with write permission"),
    Row(
      [EACCES, EPERM], during: [.packing],
      "make it readable, or exclude it with a 'fileExclusion'"),
    Row([EACCES, EPERM], during: [.reading], "make it readable"),
    Row([EISDIR], during: [.reading, .publishing], "specify a file, not a folder"),
    Row([EISDIR], during: [.writing], "remove the folder", .specifyAnotherOutput),
    Row([FileRewrite.notRegular], during: [.writing], .specifyAnotherOutput),
    Row([ESPIPE], during: [.reading], "save it to a file first: reading requires random access"),
    Row([ENAMETOOLONG], during: outputs, "write to a file system that supports longer names"),
    Row([EIO], during: outputs, "check the disk", .writeToAnotherDisk),
    Row([EIO], during: [.publishing, .rewriting], "check the disk"),
    Row([EIO], during: [.reading, .packing], "check the disk, or get another copy of the file"),
    Row(
      [EIO], during: [.spooling], "check the disk, or set TMPDIR to a folder on another disk"),
    Row([ENOMEM], during: [.writing], .useFewerThreads, .useSmallerBlocks),
    Row([ENOMEM, EAGAIN], during: [.extracting], .useFewerThreads),
    Row(
      [EADDRINUSE], during: [.listening],
      "use another port (0: any free port), or stop the program that uses it (see 'ss -ltnp')"),
    Row(
      [EACCES, EPERM], during: [.listening],
      "use a port from 1024 to 65535: lower ports require root"),
    Row([EADDRNOTAVAIL], during: [.listening], "use an address of this machine"),
    Row(
      [EAFNOSUPPORT], during: [.listening, .connecting], "use an address of the other IP version"),
    Row(
      [ECONNREFUSED], during: [.connecting],
      "check that the server runs and that the port is correct"),
    Row(
      [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL], during: [.connecting],
      "check the network connection of this machine"),
    Row(
      [EACCES, EPERM], during: [.connecting], "check whether a firewall blocks the connection"),
    Row(
      [ECONNRESET, ECONNABORTED, EPIPE], during: [.connecting],
      "try again: the other side closed the connection"),
    Row([EMFILE, ENFILE], during: all, "raise the limit on open files (ulimit -n)"),
  ]

  static func remedies(for code: Int32, during activity: Activity) -> [Remedy] {
    rows.first { $0.codes.contains(code) && $0.during.contains(activity) }?.remedies ?? []
  }

  /// The remedies for a library that cannot be opened.
  static func remedies(forLibrary name: String) -> [Remedy] {
    let packages = [
      "libarchive.so.13": "libarchive (package libarchive13",
      "libcrypto.so.3": "OpenSSL (package libssl3",
      "libcurl.so.4": "libcurl (package libcurl4",
      "libqrencode.so.4": "libqrencode (package libqrencode4",
      "libssl.so.3": "OpenSSL (package libssl3",
    ]
    return packages[name].map { ["install \($0) on Debian and Ubuntu)"] } ?? []
  }

  /// The remedies for a failure other than a failed system call.
  static func remedies(for failure: Failure) -> [Remedy] {
    switch failure.kind {
    case .timedOut:
      ["try again later, or check whether a firewall or a proxy blocks the connection"]
    case .unresolved:
      ["check the host name, and the network connection of this machine"]
    default: []
    }
  }
}

extension RemedyTable {
  /// The remedies for a file that is kept between runs and cannot be used.
  static func remedies(for failure: StateFailure) -> [Remedy] {
    let loss = Remedy.advice("move it away: then \(failure.loss)")
    switch failure.fault {
    case .newer: return ["use the version of the program that wrote it", loss]
    case .damaged: return ["restore it from a backup", loss]
    case .tooLarge, .notAFile: return [loss]
    }
  }
}

extension Operation {
  /// The activity, if it follows from the operation.
  fileprivate var activity: Activity? {
    if isTemporary { return .spooling }
    if isListening { return .listening }
    return isConnecting ? .connecting : nil
  }
}

extension PackError {
  /// Creates an error for a failure, with remedies for the activity.
  package init(_ error: Failure, while activity: Activity = .reading) {
    guard case .refused(let operation, let code) = error.kind else {
      self.init(besidesSystem: error, while: activity)
      return
    }
    let activity = operation.activity ?? activity
    let remedies =
      code == ELIBACC
      ? RemedyTable.remedies(forLibrary: error.path)
      : RemedyTable.remedies(for: code, during: activity)
    switch (code, activity) {
    case (EEXIST, .writing), (EEXIST, .publishing):
      self.init(.exists, "'\(error.path)' already exists", remedies: remedies)
    case (ESPIPE, .reading):
      self.init(
        .system(ESPIPE), "cannot \(operation.phrase) '\(error.path)': it is not a regular file",
        remedies: remedies)
    case (FileRewrite.notRegular, .rewriting), (FileRewrite.notRegular, .publishing),
      (FileRewrite.notRegular, .writing):
      self.init(
        .unsupported, "cannot \(operation.phrase) '\(error.path)': it is not a regular file",
        remedies: remedies)
    case (ESTALE, .rewriting), (ESTALE, .publishing):
      self.init(
        .changed, "'\(error.path)' was changed by another process during the operation",
        remedies: remedies)
    default: self.init(error, remedies: remedies)
    }
  }

  /// Creates an error for a failure, with a remedy of the caller.
  package init(_ error: Failure, remedy: Remedy?) {
    self.init(error, remedies: remedy.map { [$0] } ?? [])
  }

  private init(_ error: Failure, remedies: [Remedy]) {
    self.init(.system(error.code), error.description, remedies: remedies)
  }
}
