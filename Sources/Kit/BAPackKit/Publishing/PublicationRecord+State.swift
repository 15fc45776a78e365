import SourceDiagnostics
package import SystemIO

// The record as a separate file, which a server keeps between runs.
extension PublicationRecord: StateDocument {
  package static let noun = "version lock"
  package static let loss =
    "versions start again at 0, and a device with a higher version is never updated"
  package static var largest: Int { limits.size }
  /// The file may belong to a project, and may be a symbolic link.
  package static let rules = StateRules(.everyone, followsLinks: true)

  package static func read(
    _ bytes: [UInt8], named name: String
  ) throws(StateFault) -> StateReading<Self> {
    let document = PublicationRecordDocument(parsing: bytes, named: name)
    if let format = document.newerFormat { throw .newer(format: format) }
    guard let record = document.record else {
      throw StateFault(document.findings) ?? .damaged("it contains no versions")
    }
    return StateReading(record)
  }

  package func encoded() -> [UInt8] { json() }
}
