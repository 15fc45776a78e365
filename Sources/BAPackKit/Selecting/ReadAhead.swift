import SystemIO

/// Asks the system to read the next files while one is being read.
///
/// Within a file the system reads ahead by itself, but it does not know which file follows. So with
/// a cold cache each small file waits for the disk. Packing the 16,000 files of the game Wesnoth
/// takes 1.1 s with this and 2.1 s without. If all files are cached there is nothing to ask for,
/// and it only costs reading a counter every few files.
///
/// It is only advice: a file that cannot be opened is left for the actual reader to report.
struct ReadAhead {
  /// How many bytes are asked for at once; the next time is when half of them have been read.
  private static let mostBytes: UInt64 = 16 << 20
  private static let mostFiles = 128
  /// How many bytes of one file; once it is being read, the system reads ahead by itself.
  private static let mostOfFile: UInt64 = 4 << 20
  /// After how many files to check whether the cache is cold.
  private static let interval = 16

  private var opener: FileOpener
  private let diskReads: () -> Int
  private var readsBefore = 0
  private var moves = 0
  /// The entry at which to ask again: in the middle of what was asked for.
  private var turn = 0
  /// The first entry that has not been asked for.
  private var next = 0

  /// Reads ahead in `tree` as long as `diskReads` grows.
  init(in tree: FolderTree, diskReads: @escaping () -> Int = { ProcessState.diskReads }) {
    opener = FileOpener(tree)
    self.diskReads = diskReads
  }

  /// Notes that the file at `index` is being read now.
  mutating func move(to index: Int, of selection: Selection) {
    moves += 1
    guard index >= turn, moves % Self.interval == 1 || next > index else { return }
    let reads = diskReads()
    let isCold = reads != readsBefore
    readsBefore = reads
    guard isCold else { return }
    ask(from: max(next, index + 1), of: selection)
  }

  private mutating func ask(from start: Int, of selection: Selection) {
    var bytes: UInt64 = 0
    var files = 0
    next = start
    while next < selection.count, bytes < Self.mostBytes, files < Self.mostFiles {
      if selection.isFile(at: next), selection.size(at: next) > 0 {
        let wanted = min(selection.size(at: next), Self.mostOfFile)
        // Not with `try?`: an optional of what cannot be copied is never closed here (Swift 6.3).
        do throws(Failure) {
          let file = try opener.open(selection.sourceBytes(at: next))
          file.expectReading(upTo: Int(wanted))
        } catch {}
        bytes += wanted
        files += 1
      }
      next += 1
    }
    turn = start + (next - start) / 2
  }
}
