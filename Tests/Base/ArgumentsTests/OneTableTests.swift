import Arguments
import Foundation
import TestSupport
import Testing

/// Help, completions, manual pages and reference are written from one table; these tests read them.
@Suite("One table, many uses")
struct OneTableTests {
  private let root = CommandPath(Sample.program)

  @Test
  func `the help of each command names exactly its options, arguments and subcommands`() {
    for path in root.all.dropFirst() {
      let help = path.help(.full, width: 100)
      let rows = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .map(String.init)
      for option in path.ownOptions {
        let row = (option.short.map { "  -\($0), " } ?? "  ") + option.synopsis
        #expect(rows.count { $0.hasPrefix(row) } == 1, "\(path.name) \(option.name)")
      }
      let listed = rows.compactMap { $0.firstMatch(of: /^  (?:-\w, )?--([\w-]+)/)?.1 }
      #expect(listed.map(String.init) == path.optionGroups.flatMap(\.options).map(\.name))
      #expect(Set(listed.map(String.init)) == Set(path.ownOptions.map(\.name)))
      for option in Sample.program.sharedOptions { #expect(help.contains("--\(option.name)")) }
      for command in path.command.subcommands {
        #expect(rows.count { $0.hasPrefix("  \(command.name) ") } == 1)
      }
    }
  }

  @Test(arguments: Shell.allCases)
  func `each script has exactly the long options of the table`(_ shell: Shell) {
    let expected = Set(root.all.flatMap { $0.options.map(\.name) })
    let pattern = shell == .fish ? /-l ([a-z][\w-]*)/ : /--([a-z][\w-]*)/
    // The functions of fish have options of fish's own.
    let script = root.completionScript(for: shell).split(separator: "\n").dropFirst(2)
      .filter { shell != .fish || $0.hasPrefix("complete ") }.joined(separator: "\n")
    #expect(Set(script.matches(of: pattern).map { String($0.1) }) == expected)
    for path in root.all.dropFirst() {
      for name in [path.command.name] + (shell == .fish ? [] : path.command.aliases) {
        #expect(script.contains(name))
      }
    }
  }

  @Test
  func `there is a manual page for the overview, each command and each file format`() {
    #expect(
      Sample.program.manualPages().map(\.path) == [
        "man1/sample.1", "man1/sample-work.1", "man1/sample-pair.1", "man1/sample-group.1",
        "man5/sample-file.5",
      ])
  }

  @Test
  func `the manual pages have every option of every command, with its text`() throws {
    let pages = Sample.program.manualPages()
    for page in pages {
      // Keys and URLs are never hyphenated.
      #expect(page.text.contains("\n.nh\n") && !page.text.contains("\n.hy"))
      #expect(page.text.hasPrefix(".\\\" Made by 'sample --generate-man-pages'.\n.TH "))
      #expect(page.text.firstMatch(of: /\n\.S[HS] .*\n\.PP/) == nil)
    }
    for path in root.all.dropFirst() {
      let name = "sample-\(path.steps[0].name)"
      let page = try #require(pages.first { $0.name == name }).text.replacing("\\-", with: "-")
        .split(separator: "\n")
      let text = page.joined(separator: " ")
      for parameter in path.parameters + Sample.program.sharedOptions {
        let label = (parameter.short.map { "-\($0), " } ?? "") + parameter.synopsis
        #expect(page.contains("\\fB\(label)\\fR"))
        #expect(text.contains(parameter.explanation(.full)))
      }
    }
  }

  @Test
  func `the reference in Markdown has every command and option`() {
    let text = Sample.program.commandReference()
    for path in root.all.dropFirst() {
      #expect(text.contains("# \(path.name)\n"))
      for option in path.ownOptions { #expect(text.contains("--\(option.name)")) }
    }
    #expect(text.contains("- `-l, --loud`: Print more. For tests of details.\n"))
  }

  private func checkSyntax(_ shell: Shell) throws {
    let flags = shell == .fish ? ["--no-execute"] : ["-n"]
    let tool = try #require(Tool(shell.rawValue))
    let result = try tool.run(flags + ["/dev/stdin"], input: root.completionScript(for: shell))
    #expect(result == "")
  }

  // A test for each shell, because one that is not installed must not hide the others.
  @Test(.needs("bash")) func `bash accepts its script`() throws { try checkSyntax(.bash) }
  @Test(.needs("zsh")) func `zsh accepts its script`() throws { try checkSyntax(.zsh) }
  @Test(.needs("fish")) func `fish accepts its script`() throws { try checkSyntax(.fish) }

  @Test(arguments: [
    ("help ", "group methods pair work"), ("", "group help pair work"), ("w", "work"),
    ("-fql ", ""), ("work --me", "--method"),
    ("work --method ", "fast slow thorough"), ("work --method = t", "thorough"),
    ("work --method =", "fast slow thorough"), ("labor --kinds fast s", "slow"),
    ("work --method fast --met", "--method"), ("group ", "inner"), ("group inner -f", "-f"),
    ("work --method fast --method s", "slow"), ("work -f -f --method s", "slow"),
    ("--color f", "fast"), ("--color slow gr", "group"), ("pair ", ""), ("work -t ", ""),
    ("help w", "work"), ("help group ", "inner"), ("a.in --met", "--method"),
    ("--met", "--method"), ("a.in w", ""), ("-q a.in --kinds fast th", "thorough"),
  ])
  func `bash completes subcommands, options and values`(_ line: String, _ expected: String) throws {
    let bash = try #require(Tool("bash"))
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let empty = try TemporaryFolder()
    let script =
      root.completionScript(for: .bash) + """

        cd \(empty.path)
        COMP_WORDS=(sample \(quoted)) COMP_CWORD=\(words.count)
        _sample
        printf '%s\\n' "${COMPREPLY[@]}" | sort -u | paste -sd ' '
        """
    let result = try bash.run(["/dev/stdin"], input: script)
    #expect(result.trimmingCharacters(in: .whitespacesAndNewlines) == expected)
  }

  @Test(.needs("groff"))
  func `groff reads the manual pages without warnings`() throws {
    let groff = try #require(Tool("groff"))
    for page in Sample.program.manualPages() {
      let messages = try groff.run(["-man", "-Tutf8", "-ww", "-z"], input: page.text)
      #expect(messages == "", "\(page.path)")
    }
  }
}

/// A program that may be installed.
private struct Tool {
  private let path: String

  init?(_ name: String) {
    guard let path = Peer.path(of: name) else { return nil }
    self.path = path
  }

  /// Runs it and returns its output.
  func run(_ arguments: [String], input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let folder = try TemporaryFolder()
    let file = folder.path + "input"
    try Data(input.utf8).write(to: URL(filePath: file))
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
