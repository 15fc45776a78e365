import AssetHistory
import Proposing
import SystemIO
import TestSupport

extension SeededTree {
  /// A history in which files change at random: those of some folders in nearly all releases, and
  /// those of others in few.
  ///
  /// A tenth of the files is in no release.
  func history(seed: UInt64, releases count: Int) -> AssetHistory {
    var random = Seeded(seed: seed)
    var rates: [[UInt8]: Int] = [:]
    var paths: [[UInt8]] = []
    var contents: [AssetHistory.Content] = []
    var releases = (0..<count).map { AssetHistory.Release(name: "v\($0)", files: []) }
    for file in files where random.next(below: 10) > 0 {
      let folder = Array(file.path[..<(file.path.lastIndex(of: slash) ?? 0)])
      let rate = rates[folder] ?? [0, 0, 1, 5, 9][random.next(below: 5)]
      rates[folder] = rate
      let path = Int32(paths.count)
      paths.append(file.path)
      let first = random.next(below: 4) == 0 ? random.next(below: count) : 0
      for release in first..<count {
        if release == first || random.next(below: 10) < rate {
          let size = release == count - 1 ? file.size : file.size / 2 + file.size / 8 * 5
          contents.append(.init(size: size, digest: []))
        }
        releases[release].files.append(.init(path: path, content: Int32(contents.count - 1)))
      }
    }
    return AssetHistory(paths, contents, releases)
  }
}

extension AssetHistory {
  /// The releases in a range.
  func part(_ range: Range<Int>) -> AssetHistory {
    AssetHistory(paths, contents, Array(releases[range]))
  }
}
