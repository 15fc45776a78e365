import SystemIO

/// What waits for its turn, in one temporary file without a name.
struct Spool: ~Copyable {
  /// Where something is in the file.
  struct Stretch { var offset: UInt64, count: UInt64 }

  private var file: TemporaryFile

  init() throws(ForeignArchiveError) {
    do throws(SystemError) {
      file = try TemporaryFile()
    } catch {
      throw ForeignArchiveError(error, aboutTemporaryFile: true)
    }
  }

  /// Appends bytes at the end.
  mutating func append(_ bytes: RawSpan) throws(ForeignArchiveError) {
    do throws(SystemError) {
      try file.append(bytes)
    } catch {
      throw ForeignArchiveError(error, aboutTemporaryFile: true)
    }
  }

  /// The offset at which the next byte goes.
  var position: UInt64 { file.size }

  /// Reads from the start of a stretch, which shrinks by what was read.
  func read(_ stretch: inout Stretch, into output: inout OutputRawSpan) throws(ForeignArchiveError)
  {
    guard stretch.count > 0, !output.isFull else { return }
    let count: Int
    do throws(SystemError) {
      count = try file.read(
        into: &output, at: stretch.offset, upTo: Int(clamping: stretch.count))
    } catch {
      throw ForeignArchiveError(error, aboutTemporaryFile: true)
    }
    guard count > 0 else {
      throw ForeignArchiveError("the temporary file", reason: "somebody cut it off")
    }
    stretch.offset += UInt64(count)
    stretch.count -= UInt64(count)
  }
}
