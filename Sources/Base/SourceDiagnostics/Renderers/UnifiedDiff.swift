/// The difference of two texts, in the form of `diff -u`, which `patch` reads.
package enum UnifiedDiff {
  /// The number of equal lines that are shown around a change.
  private static let context = 3
  /// The maximum number of removed and added lines in one change.
  ///
  /// If a change is larger, all remaining lines are shown as one change.
  private static let reach = 256

  /// Returns the difference; empty if the texts are equal.
  package static func render(_ old: [UInt8], _ new: [UInt8], named name: String) -> [UInt8] {
    guard old != new else { return [] }
    let before = lines(old)
    let after = lines(new)
    var output = Array("--- a/\(name)\n+++ b/\(name)\n".utf8)
    for hunk in hunks(shortest(before, after), count: before.count) {
      let old = hunk.start..<hunk.end
      let newCount = old.count + hunk.changes.reduce(0) { $0 + $1.new.count - $1.old.count }
      let shift = hunk.changes[0].new.lowerBound - hunk.changes[0].old.lowerBound
      output += Array(
        "@@ -\(range(old.lowerBound, old.count)) +\(range(old.lowerBound + shift, newCount)) @@\n"
          .utf8)
      var position = old.lowerBound
      for change in hunk.changes {
        for line in before[position..<change.old.lowerBound] { write(" ", line, &output) }
        for line in before[change.old] { write("-", line, &output) }
        for line in after[change.new] { write("+", line, &output) }
        position = change.old.upperBound
      }
      for line in before[position..<old.upperBound] { write(" ", line, &output) }
    }
    return output
  }

  private struct Change {
    var old: Range<Int>
    var new: Range<Int>
  }

  private struct Hunk {
    var start: Int
    var end: Int
    var changes: [Change]
  }

  private static func range(_ start: Int, _ count: Int) -> String {
    count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
  }

  private static func write(_ mark: Character, _ line: ArraySlice<UInt8>, _ output: inout [UInt8]) {
    output += Array(String(mark).utf8)
    output += line
    if line.last != 0x0A { output += Array("\n\\ No newline at end of file\n".utf8) }
  }

  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in text.indices where text[index] == 0x0A {
      lines.append(text[start...index])
      start = index + 1
    }
    if start < text.count { lines.append(text[start...]) }
    return lines
  }

  /// Returns the differences; if all old lines are kept in their order, no line is removed.
  private static func shortest(
    _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]
  ) -> [Change] {
    let all = changes(old, new)
    guard all.contains(where: { !$0.old.isEmpty }) else { return all }
    var additions: [Change] = []
    var (left, start) = (0, 0)
    for (index, line) in new.enumerated() where left < old.count && line == old[left] {
      if start < index { additions.append(Change(old: left..<left, new: start..<index)) }
      left += 1
      start = index + 1
    }
    if start < new.count { additions.append(Change(old: left..<left, new: start..<new.count)) }
    return left == old.count ? additions : all
  }

  /// Returns the differences; each ends at the nearest place from which lines are equal again.
  private static func changes(
    _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]
  ) -> [Change] {
    var changes: [Change] = []
    var left = 0
    var right = 0
    while left < old.count || right < new.count {
      if left < old.count, right < new.count, old[left] == new[right] {
        left += 1
        right += 1
        continue
      }
      let (oldCount, newCount) = distance(old[left...], new[right...])
      changes.append(Change(old: left..<left + oldCount, new: right..<right + newCount))
      left += oldCount
      right += newCount
    }
    return changes
  }

  private static func distance(
    _ old: ArraySlice<ArraySlice<UInt8>>, _ new: ArraySlice<ArraySlice<UInt8>>
  ) -> (Int, Int) {
    for steps in 1...reach {
      for removed in 0...steps {
        let added = steps - removed
        guard removed <= old.count, added <= new.count else { continue }
        let oldRest = old.dropFirst(removed)
        let newRest = new.dropFirst(added)
        // If the numbers of lines differ, one equal line may be a coincidence, such as a line with
        // only a bracket: two equal lines are required.
        let needed = removed == added ? 1 : 2
        if oldRest.prefix(needed).elementsEqual(newRest.prefix(needed)) { return (removed, added) }
      }
    }
    return (old.count, new.count)
  }

  /// Returns the changes with the lines around them; changes whose surroundings touch are one hunk.
  private static func hunks(_ changes: [Change], count: Int) -> [Hunk] {
    var hunks: [Hunk] = []
    for change in changes {
      let end = min(count, change.old.upperBound + context)
      if let last = hunks.last, change.old.lowerBound - context <= last.end {
        hunks[hunks.count - 1].changes.append(change)
        hunks[hunks.count - 1].end = end
      } else {
        let start = max(0, change.old.lowerBound - context)
        hunks.append(Hunk(start: start, end: end, changes: [change]))
      }
    }
    return hunks
  }
}
