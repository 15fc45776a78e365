import BAPackKit
import SourceDiagnostics
import SystemIO

/// The contents of a mock's state file, which its next run reads.
struct KeptState: JSONStateDocument, Described {
  var store: MockStore

  static let noun = "state of a mock of App Store Connect"
  static let loss = "the mock starts without apps, packs and versions"
  /// Larger than the state of thousands of versions.
  static let largest = 64 << 20
  // Only the owner may read it, because it contains the seed of signatures. The file is not synced
  // to the disk: written data survives a killed mock without that.
  static let rules = StateRules(
    .owner, isSynced: false, followsLinks: true, makesFolder: false)
  static let format = 1

  static let table = Table(
    "a state of a mock", blank: KeptState(store: MockStore(apps: [], seed: ""))
  ) {
    Key("store", \.store, .object, "The contents of the mock.")
  }

  /// Locks and reads the file at a path.
  ///
  /// Only one mock uses it at a time, because two mocks would overwrite each other's changes.
  static func hold(_ path: String) throws(PackError) -> StateHold<KeptState> {
    var isInUse = false
    do throws(Failure) {
      return try StateFile<KeptState>(path).hold(.unstoppable) { () throws(Failure) in
        isInUse = true
        throw Failure(.interrupted, path)
      }
    } catch {
      guard isInUse else { throw PackError(error, while: .reading) }
      throw PackError(
        .conflict, "another mock uses the state in '\(path)'",
        remedy: "stop that mock, or use another file")
    }
  }
}

extension KeptState {
  /// Two states are equal if their files are equal.
  static func == (left: KeptState, right: KeptState) -> Bool {
    left.members == right.members
  }
}

extension MockStore {
  /// Marks the parts of unfinished uploads as missing, because their bytes are lost.
  mutating func discardParts() {
    for var file in files.all where !file.isCommitted {
      for index in file.parts.indices { file.parts[index].tag = nil }
      files[file.id] = file
    }
  }
}
