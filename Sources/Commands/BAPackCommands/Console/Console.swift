import Arguments
package import BAPackKit
import Synchronization
package import SystemIO
import TerminalText

/// The outputs of a command: results are written to one stream, all other text to the other.
///
/// Any thread may use it. The text of one call is written in one piece, above a progress line.
package struct Console: Sendable {
  /// The amount of text in addition to the results.
  package enum Verbosity: Comparable, Sendable {
    case quiet, normal, verbose
  }

  /// For results.
  package let output: TextStream
  /// For findings, progress and summaries.
  package let messages: TextStream
  /// The work of a command, which a signal (Ctrl-C) stops.
  package let work: Work
  /// The function that returns the value of an environment variable.
  package let environment: @Sendable (String) -> String?
  /// Used instead of standard input; nil reads standard input.
  let givenInput: [UInt8]?
  /// The number of bytes of ``givenInput`` that were read as lines.
  let usedInput = InTurn(0)
  package private(set) var verbosity = Verbosity.normal
  private var colorChoice = ColorChoice.auto
  private let bottomLine = BottomLine()

  package init(
    output: TextStream, messages: TextStream, _ work: Work, input: [UInt8]? = nil,
    environment: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.output = output
    self.messages = messages
    self.work = work
    self.environment = environment
    givenInput = input
  }

  /// Returns the console with the common options applied.
  func adjusted(to arguments: ParsedArguments) -> Console {
    var console = self
    if arguments[CommonOptions.verbose] { console.verbosity = .verbose }
    if arguments[CommonOptions.quiet] { console.verbosity = .quiet }
    console.colorChoice = arguments[CommonOptions.color]
    return console
  }
}

// MARK: - Messages

extension Console {
  /// Prints a line of the result.
  package func result(_ line: String) { result(text: line + "\n") }

  /// Prints a path as a line of the result: its bytes to a file or a pipe, escaped on a terminal.
  package func result(path: ArraySlice<UInt8>) {
    if output.isTerminal || Self.hasControls(path) { return result(shownBytes(path)) }
    // A list of a large pack has millions of lines: no strings are created for them.
    if !bottomLine.isAbandoned.load(ordering: .relaxed) { output.write(line: path) }
  }

  /// Prints text of the result: unchanged to a file or a pipe, escaped on a terminal.
  package func result(text: String) {
    if bottomLine.isAbandoned.load(ordering: .relaxed) { return }
    guard output.isTerminal else { return output.write(restoringCharacters(in: text)) }
    let text = shownLines(text)
    bottomLine.line.with { line in
      // Both streams are on one terminal: the progress line is erased, and drawn again below.
      guard let line else { return output.write(text) }
      ProgressLine.erase(on: messages)
      output.write(text)
      output.flush()
      if text.hasSuffix("\n") { ProgressLine.draw(line.text, on: messages) }
    }
  }

  /// Prints a picture made of characters, dark on light in all color schemes.
  func picture(_ lines: [String]) {
    let isColored = usesColor(on: output)
    for line in lines where line.count < output.columns {
      output.write(isColored ? "\u{1B}[97;40m\(line)\u{1B}[0m\n" : line + "\n")
    }
    output.flush()
  }

  /// Returns a name in a line of the result: its bytes for a file or a pipe, escaped for a
  /// terminal.
  func named(_ name: some Collection<UInt8>) -> [UInt8] {
    output.isTerminal || Self.hasControls(name) ? Array(shownBytes(name).utf8) : Array(name)
  }

  /// Whether a name cannot be in a line: a line break in it would begin another line, which a CI
  /// system may read as a command.
  private static func hasControls(_ name: some Sequence<UInt8>) -> Bool {
    name.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// Prints bytes of the result: unchanged to a file or a pipe, escaped on a terminal.
  package func result(bytes: [UInt8]) {
    if output.isTerminal {
      result(text: String(decoding: bytes, as: UTF8.self))
    } else {
      output.write(bytes)
    }
  }

  /// Prints an error, even with `--quiet`.
  package func error(_ message: String, remedy: String? = nil) {
    let prefix = usesColor(on: messages) ? "\u{1B}[1;31mError:\u{1B}[0m " : "Error: "
    write(prefix + withHint(message, remedy))
  }

  /// Prints an error, with its hints.
  package func error(_ error: PackError) { self.error(error.message, remedy: error.remedyText) }

  /// Prints a problem that does not affect the results, even with `--quiet`.
  package func warning(_ message: String, remedy: String? = nil) {
    let prefix = usesColor(on: messages) ? "\u{1B}[1;33mWarning:\u{1B}[0m " : "Warning: "
    write(prefix + withHint(message, remedy))
  }

  /// Returns the escaped lines of a message and of its hint.
  private func withHint(_ message: String, _ remedy: String?) -> String {
    shown(message) + "\n" + (remedy.map { "hint: \(shown($0))\n" } ?? "")
  }

  /// Runs one of several independent tasks; returns nil if it fails.
  ///
  /// An error is printed, so that the caller can continue with the other tasks.
  package func attempt<Success>(
    _ work: () throws(PackError) -> Success
  ) throws(PackError) -> Success? {
    do throws(PackError) {
      return try work()
    } catch {
      if error.kind == .interrupted { throw error }
      self.error(error)
      return nil
    }
  }

  /// Prints findings, even with `--quiet`.
  package func finding(text: String) { write(text) }

  /// Prints a summary of the work, unless `--quiet` is given.
  package func summary(_ line: String) {
    if verbosity > .quiet { write(shown(line) + "\n") }
  }

  /// Prints details with `--verbose`.
  package func detail(_ line: @autoclosure () -> String) {
    if verbosity == .verbose { write(shown(line()) + "\n") }
  }

  private func write(_ text: String) {
    if bottomLine.isAbandoned.load(ordering: .relaxed) { return }
    bottomLine.line.with { line in
      // Both streams often write to one terminal. Flushing keeps the order of results and messages.
      guard let line else {
        output.flush()
        return messages.write(text)
      }
      if output.isTerminal {
        ProgressLine.erase(on: messages)
        output.flush()
      }
      messages.write(
        ProgressLine.erasing + text
          + (text.hasSuffix("\n") ? ProgressLine.drawing(line.text) : ""))
    }
  }
}

// MARK: - The progress line

extension Console {
  /// Returns a variable of the environment that is not empty.
  func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// The progress line below all other text.
  private final class BottomLine: Sendable {
    /// The line, if one is shown; also the lock of all output.
    let line = InTurn<(owner: ObjectIdentifier, text: String)?>(nil)
    /// Whether the console discards all further messages.
    let isAbandoned = Atomic<Bool>(false)
  }

  /// Discards all further messages, because another thread may wait indefinitely in a write to a
  /// blocked output.
  func abandon() {
    bottomLine.isAbandoned.store(true, ordering: .relaxed)
    output.abandon()
    messages.abandon()
  }

  /// Draws the progress line of `owner`; it replaces any other.
  func draw(_ text: String, of owner: ObjectIdentifier) {
    bottomLine.line.with { line in
      line = (owner, text)
      ProgressLine.draw(text, on: messages)
    }
  }

  /// Erases the progress line of `owner`, if it is shown.
  func erase(lineOf owner: ObjectIdentifier) {
    bottomLine.line.with { line in
      guard line?.owner == owner else { return }
      line = nil
      ProgressLine.erase(on: messages)
    }
  }
}

/// Keeps lines and columns, and escapes all other control characters.
private func shownLines(_ text: String) -> String {
  text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    line.split(separator: "\t", omittingEmptySubsequences: false)
      .map { shown(String($0)) }.joined(separator: "\t")
  }.joined(separator: "\n")
}

// MARK: - Color

/// The condition under which colors are used.
package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never
}

extension Console {
  /// Returns whether colors are used on `stream`.
  package func usesColor(on stream: TextStream) -> Bool {
    switch colorChoice {
    case .always: true
    case .never: false
    case .auto:
      stream.isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
  }
}
