import BAPackKit

/// Reading a part of a pack gives the same results as reading all of it.
package enum PackWalkProperty {
  /// An entry with a digest of its contents.
  private struct Seen: Equatable {
    var path: [UInt8]
    var kind: PackEntry.Kind
    var sum: UInt64
  }

  /// All entries, or those before an error.
  private struct Whole {
    var entries: [Seen] = []
    var error: String?
  }

  /// Reads a pack in the steps of `script` with several threads, and compares each result with that
  /// of reading the complete pack in order with one thread.
  ///
  /// - Returns: The difference; nil if there is none.
  package static func violation(in pack: [UInt8], walkedBy script: [UInt8]) -> String? {
    let whole = whole(pack)
    var first: [String]?
    for threads in [1, 2, 3, 8] {
      let walk: [String]
      switch self.walk(pack, script, threads, whole) {
      case .success(let seen): walk = seen
      case .failure(let violation): return "\(violation.words), with \(threads) threads"
      }
      if let first, first != walk { return "\(threads) threads see \(walk), and one \(first)" }
      first = walk
    }
    return nil
  }

  private struct Violation: Error {
    var words: String
  }

  private static func whole(_ pack: [UInt8]) -> Whole {
    var whole = Whole()
    do throws(PackError) {
      var reader = try PackReader(pack, named: "pack")
      while let entry = try reader.nextEntry() {
        let sum = try sum(&reader)
        whole.entries.append(Seen(path: entry.archivePath.bytes, kind: entry.kind, sum: sum))
      }
    } catch {
      whole.error = error.message
    }
    return whole
  }

  private static func walk(
    _ pack: [UInt8], _ script: [UInt8], _ threads: Int, _ whole: Whole
  ) -> Result<[String], Violation> {
    var seen: [String] = []
    do throws(PackError) {
      var reader = try PackReader(pack, named: "pack", threads: threads)
      var place = 0
      for step in script {
        if step % 8 == 7 {
          try reader.restart()
          place = 0
          continue
        }
        guard let entry = try reader.nextEntry() else {
          if place < whole.entries.count {
            return .failure(Violation(words: "the walk ends at entry \(place)"))
          }
          try reader.restart()
          place = 0
          continue
        }
        defer { place += 1 }
        // The results after skipped damage are undefined.
        let expected = place < whole.entries.count ? whole.entries[place] : nil
        if let expected, entry.archivePath.bytes != expected.path || entry.kind != expected.kind {
          return .failure(Violation(words: "entry \(place) is '\(entry.archivePath)'"))
        }
        if expected == nil, whole.error == nil {
          return .failure(Violation(words: "'\(entry.archivePath)' comes after the last entry"))
        }
        seen.append("\(entry.archivePath) \(entry.kind)")
        switch step % 8 {
        case 0, 1:
          let sum = try sum(&reader)
          if let expected, sum != expected.sum {
            return .failure(Violation(words: "'\(entry.archivePath)' has other contents"))
          }
          seen.append("\(sum)")
        case 2:
          // Stops in the middle of the contents.
          var left = Int(step / 8)
          do throws(PackError) {
            try reader.readContents { _ throws(PackError) in
              left -= 1
              if left < 0 { throw Self.enough }
            }
          } catch  where error == enough {}
        default: continue
        }
      }
    } catch {
      if whole.error == nil { return .failure(Violation(words: error.message)) }
      seen.append(error.message)
    }
    return .success(seen)
  }

  private static let enough = PackError(.interrupted, "enough")

  private static func sum(_ reader: inout PackReader) throws(PackError) -> UInt64 {
    var sum: UInt64 = 0
    try reader.readContents { bytes in
      for index in 0..<bytes.byteCount {
        sum = sum &* 31 &+ UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      }
    }
    return sum
  }
}
