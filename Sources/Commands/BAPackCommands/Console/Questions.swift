import BAPackKit
import SystemIO
import TerminalText

/// Prompts for the user at a terminal.
extension Console {
  /// Whether the user can reply to prompts: the input and the messages are on a terminal.
  var canPrompt: Bool { messages.isTerminal && (givenInput != nil || Terminal.isTerminal(0)) }

  /// Shows a prompt; returns the typed line, or nil at the end of input.
  func prompt(_ text: String) throws(PackError) -> String? {
    finding(text: shown(text) + " ")
    return try typedLine()
  }

  /// Prompts for yes or no: an empty line is yes, the end of input is no.
  func confirm(_ question: String) throws(PackError) -> Bool {
    while let reply = try prompt(question + " [Y/n]")?.lowercased() {
      if ["", "y", "yes"].contains(reply) { return true }
      if ["n", "no"].contains(reply) { return false }
      finding(text: "Type 'y' or 'n'.\n")
    }
    finding(text: "\n")
    return false
  }

  /// Returns the next line of standard input without white space at its ends; nil at the end of
  /// input.
  func typedLine() throws(PackError) -> String? {
    let most = 4096
    let line: [UInt8]?
    if let givenInput { line = nextLine(of: givenInput) } else { line = try readLine(most) }
    return line.map {
      let text = String(decoding: $0.prefix(most), as: UTF8.self).drop(while: \.isWhitespace)
      return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }
  }

  private func nextLine(of input: [UInt8]) -> [UInt8]? {
    usedInput.with { used in
      guard used < input.count else { return nil }
      let line = Array(input[used...].prefix { $0 != UInt8(ascii: "\n") })
      used += line.count + 1
      return line
    }
  }

  private func readLine(_ most: Int) throws(PackError) -> [UInt8]? {
    try mapFailure(.reading) { () throws(Failure) -> [UInt8]? in
      let input = try FileDescriptor.standardInput(work)
      var line: [UInt8] = []
      // Single bytes, because the text after the line belongs to other readers.
      while line.count < most {
        guard let byte = try input.readToEnd(atMost: 1).first else {
          return line.isEmpty ? nil : line
        }
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
      }
      return line
    }
  }
}
