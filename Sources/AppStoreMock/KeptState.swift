import BAPackKit
import FoundationEssentials
import SystemIO

/// The contents of a mock's state file, which its next run reads.
struct KeptState: StateDocument {
  let store: Store

  static let noun = "state of a mock of App Store Connect"
  static let loss = "the mock begins without apps, packs and versions"
  /// Larger than the state of thousands of versions.
  static let largest = 64 << 20
  // Only the owner may read it, because it contains the seed of signatures. A killed mock needs no sync.
  static let rules = StateRules(.owner, isSynced: false, followsLinks: true, makesFolder: false)
  private static let format = 1

  private struct Format: Decodable { let format: Int }

  private struct Document: Codable {
    var format = KeptState.format
    let store: Store
  }

  static func read(
    _ bytes: [UInt8], named name: String
  ) throws(StateFault) -> StateReading<KeptState> {
    let (decoder, data) = (JSONDecoder(), Data(bytes))
    guard let written = try? decoder.decode(Format.self, from: data) else {
      throw .damaged("it has no number 'format'")
    }
    // The format is checked first, because a newer document may have any members.
    guard written.format <= format else { throw .newer(format: written.format) }
    guard written.format == format, let document = try? decoder.decode(Document.self, from: data)
    else { throw .damaged("the members of 'store' cannot be read") }
    return StateReading(KeptState(store: document.store))
  }

  func encoded() throws(Failure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(Document(store: store)) else {
      throw .malformed("the state of the mock cannot be written")
    }
    return Array(data)
  }

  /// Locks and reads the file at a path.
  ///
  /// Only one mock uses it at a time, because two mocks would overwrite each other's changes.
  static func hold(_ path: String) throws(PackError) -> StateHold<KeptState> {
    var isTaken = false
    do throws(Failure) {
      return try StateFile<KeptState>(path).hold(.unstoppable) { () throws(Failure) in
        isTaken = true
        throw Failure(.interrupted, path)
      }
    } catch {
      guard isTaken else { throw PackError(error, while: .reading) }
      throw PackError(
        .conflict, "another mock has the state in '\(path)'",
        remedy: "stop that mock, or name another file")
    }
  }
}

extension KeptState {
  /// Two states are equal if their files are equal.
  static func == (left: KeptState, right: KeptState) -> Bool {
    (try? left.encoded()) == (try? right.encoded())
  }
}

extension Store {
  /// Marks the parts of unfinished uploads as missing, because their bytes are lost.
  mutating func forgetParts() {
    for var file in files.all where !file.isCommitted {
      for index in file.parts.indices { file.parts[index].tag = nil }
      files[file.id] = file
    }
  }
}
