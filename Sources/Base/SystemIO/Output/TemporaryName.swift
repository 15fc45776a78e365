import Glibc

/// The names of files that are written next to an output before it gets its final name.
///
/// A process that creates a file under such a name keeps the file locked (`flock`) until it renames
/// or removes the file. The system releases the locks of a process that was killed: an unlocked
/// file is a leftover.
package enum TemporaryName {
  private static let prefix = ".ba-package-"
  private static let suffix = ".tmp"

  /// The prefix of all names of this program.
  fileprivate static var prefixBytes: String.UTF8View { prefix.utf8 }

  /// Returns a new name, different from the names of other processes.
  package static func make() -> FileName {
    let number = UInt64.random(in: .min ... .max)
    return FileName(prefix + String(number, radix: 36) + suffix)
  }

  /// Returns whether this is a temporary name of this program, perhaps of a process that was
  /// killed.
  package static func matches(_ name: some Collection<UInt8>) -> Bool {
    let number = name.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return name.starts(with: prefix.utf8) && !number.isEmpty
      && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

/// The names of files that are kept next to outputs for the next run.
package enum RecordName {
  private static let suffix = ".record"

  package static func of(_ output: FileName) -> FileName {
    FileName(Array(TemporaryName.prefixBytes) + output.bytes + Array(suffix.utf8))
  }

  /// Returns whether this is such a name, for any output.
  package static func matches(_ name: some Collection<UInt8>) -> Bool {
    name.starts(with: TemporaryName.prefixBytes)
      && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Returns the output of such a name; nil for any other name.
  package static func output(of record: FileName) -> FileName? {
    let output = record.bytes.dropFirst(TemporaryName.prefixBytes.count).dropLast(
      suffix.utf8.count)
    return matches(record.bytes) && !output.isEmpty ? FileName(Array(output)) : nil
  }
}

/// The place of a new file or folder.
///
/// It has a temporary name until it is complete, and then its final name. If the value ends before
/// that, the incomplete file or folder is removed. Archives, extracted folders and the entries of a
/// cache are created this way.
struct StagedName: ~Copyable {
  var folder: FileDescriptor
  /// The current temporary name; nil while there is none.
  var temporary: FileName?
  let isFolder: Bool

  init(in folder: consuming FileDescriptor, _ temporary: FileName?, isFolder: Bool = false) {
    self.folder = folder
    self.temporary = temporary
    self.isFolder = isFolder
  }

  deinit {
    guard let temporary else { return }
    if isFolder { folder.removeTreeQuietly(temporary) } else { folder.removeQuietly(temporary) }
  }

  /// Gives the file its name, and waits until the name is on the disk, unless `syncing` is false.
  consuming func publish(
    as name: FileName, replacing isReplacing: Bool, syncing isSynced: Bool, shown path: String
  ) throws(Failure) {
    if let temporary {
      try folder.rename(temporary, to: name, replacing: isReplacing, shown: path)
      self.temporary = nil
    }
    if isSynced { try folder.sync() }
  }
}

/// A file or a folder under a temporary name; it is locked while it is open.
struct HeldTemporary: ~Copyable {
  let name: FileName
  let descriptor: FileDescriptor
  /// The permissions that the system granted, out of the requested ones.
  let permitted: UInt32
}

extension FileDescriptor {
  /// Creates a file under a temporary name in this folder, and locks it.
  func makeTemporaryFile(permissions: UInt32) throws(Failure) -> HeldTemporary {
    // Before the file is locked, another process may treat it as a leftover and remove it. Then
    // another name is tried.
    for _ in 0..<100 {
      let name = TemporaryName.make()
      let file = try open(name, for: .creating(permissions: permissions))
      do throws(Failure) {
        if try file.hold(name, in: self) {
          return HeldTemporary(name: name, descriptor: file, permitted: permissions)
        }
      } catch {
        removeQuietly(name)
        throw error
      }
    }
    throw Failure(.lock, path, code: EAGAIN)
  }

  /// Creates a folder under a temporary name in this one, and locks it; its owner gets all
  /// permissions, regardless of the umask.
  func makeTemporaryFolder() throws(Failure) -> HeldTemporary {
    for _ in 0..<100 {
      let name = TemporaryName.make()
      try makeFolder(name)
      do throws(Failure) {
        let permitted = try status(of: name).permissions
        let folder = try openForOwner(name, with: permitted)
        if try folder.hold(name, in: self) {
          return HeldTemporary(name: name, descriptor: folder, permitted: permitted)
        }
      } catch {
        // Another process may have treated it as a leftover.
        if error.code != ENOENT {
          removeTreeQuietly(name)
          throw error
        }
      }
    }
    throw Failure(.lock, path, code: EAGAIN)
  }

  /// Locks this file; returns false if another process has treated the file as a leftover.
  ///
  /// Some file systems have no locks: on them leftovers cannot be recognized, and none is removed.
  func hold(_ name: FileName, in folder: borrowing FileDescriptor) throws(Failure) -> Bool {
    guard (try? tryLock()) ?? true else { return false }
    return try isCalled(name, in: folder)
  }

  /// Returns whether this file has that name in a folder.
  func isCalled(_ name: FileName, in folder: borrowing FileDescriptor) throws(Failure) -> Bool {
    guard let found = try ifPresent({ () throws(Failure) in try folder.status(of: name) })
    else { return false }
    return try found.identity == status().identity
  }

  /// Removes the leftovers of killed runs from this folder; returns their names.
  ///
  /// A leftover has a temporary name of this program, belongs to the current user, and is not
  /// locked.
  package func removeLeftovers() throws(Failure) -> [FileName] {
    let listing = try list()
    var removed: [FileName] = []
    for item in listing.items where TemporaryName.matches(listing.name(of: item)) {
      let name = listing.fileName(of: item)
      // Files that cannot be examined, or no longer exist, are skipped.
      if (try? removeLeftover(name)) ?? false { removed.append(name) }
    }
    return removed
  }

  private func removeLeftover(_ name: FileName) throws(Failure) -> Bool {
    let status = try status(of: name)
    guard status.userID == geteuid(), status.kind == .file || status.kind == .directory else {
      return false
    }
    let isFolder = status.kind == .directory
    let leftover = try open(name, for: isFolder ? .directory : .reading)
    guard try leftover.tryLock(), try leftover.isCalled(name, in: self) else { return false }
    if isFolder { removeTreeQuietly(name) } else { removeQuietly(name) }
    return try !contains(name)
  }
}
