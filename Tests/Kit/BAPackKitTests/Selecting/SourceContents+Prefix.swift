import BAPackKit
import SystemIO

extension SourceContents {
  /// Returns the next bytes of the file, at most `count`.
  func readPrefix(_ count: Int) throws(PackError) -> [UInt8] {
    try [UInt8](capacity: count) { (output) throws(PackError) in
      _ = try readFully(into: &output)
    }
  }
}
