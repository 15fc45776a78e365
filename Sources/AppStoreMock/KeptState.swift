import BAPackKit
import FoundationEssentials
import Glibc
import SystemIO

/// What the mock knows, in a file for its next run; it appears whole or not at all.
enum KeptState {
  /// Larger than what thousands of versions take.
  private static let largest = 64 << 20

  private struct Document: Codable {
    var format = 1
    let store: Store
  }

  /// The right to the file, which one mock has at a time: two would undo what the other one did.
  final class Right {
    private let lock: FileLock

    init(to path: String) throws(PackError) {
      var isTaken = false
      do throws(Failure) {
        lock = try FileLock(besides: path) { () throws(Failure) in
          isTaken = true
          throw Failure(.interrupted, path)
        }
      } catch {
        guard isTaken else { throw PackError(error, while: .writing) }
        throw PackError(
          .conflict, "another mock has the state in '\(path)'",
          remedy: "end that mock, or name another file")
      }
    }
  }

  /// Reads the file; nil if it is not there yet, or empty.
  static func read(_ path: String) throws(PackError) -> Store? {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileDescriptor.open(path, for: .reading).readToEnd(atMost: largest)
    } catch {
      if error.code == ENOENT { return nil }
      throw PackError(error, while: .reading)
    }
    if bytes.isEmpty { return nil }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
      document.format == 1
    else {
      throw PackError(
        .malformed(offset: nil), "'\(path)' is no state of a mock",
        remedy: "name another file, or remove it if nothing in it is wanted")
    }
    return document.store
  }

  static func write(_ store: Store, to path: String) throws(PackError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(Document(store: store)) else {
      throw PackError(.invalidValue, "the state of the mock cannot be written")
    }
    try during(.writing) { () throws(Failure) in
      let place = OutputPlace(path)
      let file = try AtomicFile(
        replacing: place.name, in: try FileDescriptor.open(place.folder, for: .directory))
      // The signatures of addresses are made of what is in it.
      try file.setPermissions(0o600)
      try file.write(Array(data))
      try file.publish(syncing: false)
    }
  }
}

extension Store {
  /// Forgets which parts of uploads came: their bytes are gone.
  mutating func forgetParts() {
    for var file in files.all where !file.isCommitted {
      for index in file.parts.indices { file.parts[index].tag = nil }
      files[file.id] = file
    }
  }
}
