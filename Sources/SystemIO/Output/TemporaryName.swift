import Glibc

/// The names of what we write beside an output before it gets its own name.
///
/// Whoever makes something under such a name holds its lock (`flock`) until it has another name or is
/// gone. The system takes the lock from a program that is killed: what nobody holds, nobody needs.
package enum TemporaryName {
  private static let prefix = ".ba-package-"
  private static let suffix = ".tmp"

  /// A name that no two processes choose.
  package static func make() -> FileName {
    let number = UInt64.random(in: .min ... .max)
    return FileName(prefix + String(number, radix: 36) + suffix)
  }

  /// Whether a file of this name is one of ours, perhaps of a process that was killed.
  package static func matches(_ name: some Collection<UInt8>) -> Bool {
    let number = name.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return name.starts(with: prefix.utf8) && !number.isEmpty
      && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

/// The place of something new in a folder.
///
/// It stands there under a temporary name until it is whole, and then gets its own; what has not got
/// that when the value ends goes. Archives, extracted folders and the entries of a cache come to be
/// this way, and in no other.
struct StagedName: ~Copyable {
  var folder: FileDescriptor
  /// The name that it has for now; nil while it has none.
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

  /// Gives it its name, and waits until that is on the disk, if somebody wants that.
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

/// A file or a folder under a temporary name, held while it is open.
struct HeldTemporary: ~Copyable {
  let name: FileName
  let descriptor: FileDescriptor
  /// The permissions that the system gave it, of those that were asked for.
  let permitted: UInt32
}

extension FileDescriptor {
  /// Makes a file under a temporary name in this folder, and holds it.
  func makeTemporaryFile(permissions: UInt32) throws(Failure) -> HeldTemporary {
    // Who looks for leftovers may see it before its lock is taken: then it is left to them.
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

  /// Makes a folder under a temporary name in this one, and holds it; its owner may do everything
  /// with it, whatever the umask is.
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
        // Somebody who takes it for a leftover may be faster than we are.
        if error.code != ENOENT {
          removeTreeQuietly(name)
          throw error
        }
      }
    }
    throw Failure(.lock, path, code: EAGAIN)
  }

  /// Takes the lock of this file; false when it was taken for a leftover.
  ///
  /// Some file systems have no locks: there nobody can tell a leftover, and none is removed.
  func hold(_ name: FileName, in folder: borrowing FileDescriptor) throws(Failure) -> Bool {
    guard (try? tryLock()) ?? true else { return false }
    return try isCalled(name, in: folder)
  }

  private func isCalled(
    _ name: FileName, in folder: borrowing FileDescriptor
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      return try folder.status(of: name).identity == status().identity
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// Removes from this folder what runs that were killed have left in it, and says what it was.
  ///
  /// It is ours to remove if it has one of our names, belongs to our user, and nobody holds it.
  package func removeLeftovers() throws(Failure) -> [FileName] {
    let listing = try list()
    var removed: [FileName] = []
    for item in listing.items where TemporaryName.matches(listing.name(of: item)) {
      let name = listing.fileName(of: item)
      // What cannot be looked at, or is gone by now, is not for us.
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
