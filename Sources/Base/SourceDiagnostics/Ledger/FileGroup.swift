/// Files for which a rule makes one finding.
///
/// Each of them is known separately in a list of known findings, so that a new file is a new
/// finding.
package struct FileGroup: Sendable, Equatable {
  /// The text before the files.
  private let intro: Finding.Message
  /// The text after one file, and after several files.
  private let one: Finding.Message
  private let several: Finding.Message
  /// The maximum number of files in the message.
  private let listed: Int
  /// The paths of the files, at most ``Ledger/fileLimit``.
  package private(set) var paths: [String] = []
  /// The number of files, listed or not.
  package private(set) var count = 0

  /// Creates a group without files.
  package init(
    intro: Finding.Message = "", one: Finding.Message = "", several: Finding.Message = "",
    listing listed: Int = 1
  ) {
    self.intro = intro
    self.one = one
    self.several = several
    self.listed = listed
  }

  package mutating func add(_ path: String) {
    count += 1
    if paths.count < Ledger.fileLimit { paths.append(path) }
  }

  /// The message about the files.
  package var message: Finding.Message {
    if count <= listed {
      return "\(intro)\(Finding.list(Array(paths.prefix(count))))\(count == 1 ? one : several)"
    }
    let others = count - 1
    return "\(intro)'\(path: paths.first ?? "")' and \(others) more "
      + "\(others == 1 ? "file" : "files")\(several)"
  }

  /// The message about each file, and about the files that are not listed, with their number.
  var messages: [(text: String, count: Int)] {
    var messages = paths.map { path in (text(about: path), 1) }
    if count > paths.count {
      messages.append(("\(intro)files that are not listed\(several)", count - paths.count))
    }
    return messages
  }

  private func text(about path: String) -> String {
    ("\(intro)'\(path: path)'\(one)" as Finding.Message).text
  }

  /// Removes files, and returns their number; `known` returns how many files with a message are
  /// removed.
  mutating func remove(_ known: (_ message: String, _ count: Int) -> Int) -> Int {
    let before = count
    let rest = messages.dropFirst(paths.count).first
    paths = paths.filter { known(text(about: $0), 1) == 0 }
    count = paths.count + (rest.map { $0.count - known($0.text, $0.count) } ?? 0)
    return before - count
  }
}
