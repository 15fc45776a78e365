import SystemIO

/// The paths of an archive in order, in a compact form: each item stores only the part that differs
/// from the previous path.
struct PathList {
  private struct Item {
    /// The length of the common prefix with the previous path.
    var common: UInt16
    var count: UInt16
    var isFile: Bool
  }

  private var items: [Item] = []
  /// The different parts in sequence, in arrays that are never reallocated.
  private var pieces: [[UInt8]] = []
  private var last: [UInt8] = []

  private static let pieceSize = 1 << 20

  var count: Int { items.count }

  mutating func append(_ path: ArraySlice<UInt8>, isFile: Bool) {
    let path = path.prefix(Int(UInt16.max))
    let common = zip(path, last).prefix { $0 == $1 }.count
    let rest = path.dropFirst(common)
    items.append(Item(common: UInt16(common), count: UInt16(rest.count), isFile: isFile))
    if (pieces.last?.count ?? .max) > Self.pieceSize - rest.count {
      var piece: [UInt8] = []
      piece.reserveCapacity(max(rest.count, pieces.isEmpty ? 0 : Self.pieceSize))
      pieces.append(piece)
    }
    pieces[pieces.count - 1] += rest
    last.removeLast(last.count - common)
    last += rest
  }

  /// Calls `body` with each path and the length of the common prefix with the previous path.
  func forEach(_ body: ([UInt8], _ isFile: Bool, _ common: Int) -> Void) {
    var path: [UInt8] = []
    var piece = 0
    var start = 0
    for item in items {
      let count = Int(item.count)
      if piece < pieces.count, start + count > pieces[piece].count {
        piece += 1
        start = 0
      }
      path.removeLast(path.count - Int(item.common))
      if count > 0 { path += pieces[piece][start..<start + count] }
      start += count
      body(path, item.isFile, Int(item.common))
    }
  }
}
