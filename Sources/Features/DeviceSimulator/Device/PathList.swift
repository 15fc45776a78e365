import BAPackKit
import SystemIO

/// The paths of the files of all packs on a device, one pack after the other.
///
/// For each file, the list contains the size, a space, the path and a NUL. It can have a million
/// paths.
struct PathList {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the list of a device.
  static func bytes(of state: DeviceState) -> [UInt8] {
    var bytes: [UInt8] = []
    for id in state.installedIDs {
      guard let contents = state.installed[id]?.pack.contents else { continue }
      for index in 0..<contents.count {
        bytes += Array("\(contents.size(at: index)) ".utf8)
        bytes += contents[index].bytes
        bytes.append(0)
      }
    }
    return bytes
  }

  /// Reads the next files.
  mutating func nextContents(_ count: Int) throws(StateFault) -> PackContents {
    var contents = PackContents()
    for _ in 0..<count {
      guard let end = bytes[place...].firstIndex(of: 0) else {
        throw .damaged("the list of paths is truncated")
      }
      let line = bytes[place..<end]
      let digits = line.prefix { $0 != UInt8(ascii: " ") }
      let path = AssetPath(unchecked: line.dropFirst(digits.count + 1))
      guard let size = UInt64(String(decoding: digits, as: UTF8.self)),
        contents.hasRoom(for: path)
      else { throw .damaged("the list of paths has a line without a size") }
      contents.append(path, size: size)
      place = end + 1
    }
    contents.sort()
    return contents
  }
}
