// Long because each rule of the house is one test of it.

import Foundation
import TestSupport
import Testing

/// The rules of ARCHITECTURE.md that a compiler does not hold.
@Suite("House rules")
struct HouseRules {
  let sources: [SourceTree.File]
  let tests: [SourceTree.File]

  // Read once for all rules.
  private static let files = Result {
    (
      sources: try SourceTree.files(below: "Sources", extensions: ["swift"]),
      tests: try SourceTree.files(below: "Tests", extensions: ["swift"])
    )
  }

  init() throws { (sources, tests) = try Self.files.get() }

  /// Where `pattern` occurs in code, as `path:line`, among the files that a rule is about.
  func places<Output>(
    of pattern: Regex<Output>, where included: (SourceTree.File) -> Bool
  ) -> [String] {
    sources.filter(included).flatMap { file in
      file.code.filter { $0.text.contains(pattern) }.map { "\(file.path):\($0.number)" }
    }
  }

  @Test
  func `there is something to look at`() {
    #expect(Set(sources.map(\.module)).isSuperset(of: ["BAPackKit", "LZFSE", "ba-package"]))
    #expect(tests.contains { $0.path == "Tests/HouseTests/HouseRules.swift" })
  }

  @Test
  func `nothing prints but the console`() {
    let printing = places(of: #/(^|[^.\w])(debugPrint|print|dump|fputs|puts|printf)\(/#) {
      $0.path != "Sources/BAPackCommands/Console/Console.swift"
    }
    #expect(printing == [])
  }

  @Test
  func `unsafe code stays in the modules that talk to C or to raw bytes`() {
    let fenced: Set = [
      "SystemIO", "LZFSE", "BlockCodecs", "ForeignArchives", "TLSIdentity", "HTTPServer",
      "QRCodes", "Transfers", "YAMLEvents",
    ]
    // The keyword stands before an expression; a fix's grade (`case unsafe`, `.unsafe`) does not.
    let outside = places(of: #/(^|[^.\w])(unsafe\s+\S|Unsafe\w+|@unsafe|@safe)/#) {
      !fenced.contains($0.module)
    }
    #expect(outside == [])
  }

  @Test
  func `at most eight types are shared between threads unchecked, each with its reason`() {
    let shared = sources.flatMap { file in
      file.code.filter { $0.text.contains("@unchecked Sendable") }.map { (file, $0.number) }
    }
    #expect(shared.count <= 8, "\(shared.map { "\($0.path):\($1)" })")
    let withoutReason = shared.filter { file, number in
      // The comment and the attributes directly above.
      !file.lines[..<(number - 1)].reversed()
        .prefix { $0.contains(#/^\s*(///|@)/#) }
        .contains { $0.contains("/// Unchecked: ") }
    }
    #expect(withoutReason.map { "\($0.path):\($1)" } == [])
  }

  @Test
  func `state that threads share is inside its lock`() {
    let locks = #/(^|[^.\w])(Lock|Mutex|NSLock)(\(|<)|pthread_mutex_t/#
    #expect(places(of: locks) { !$0.path.hasPrefix("Sources/SystemIO/Locks/") } == [])
    #expect(places(of: #/nonisolated\(unsafe\)/#) { _ in true } == [])
  }

  @Test
  func `the lower modules do without Foundation`() {
    let without: Set = [
      "TerminalText", "SystemIO", "SourceDiagnostics", "LZFSE", "BlockCodecs", "AssetArchive",
      "Arguments", "HTTPServer", "TLSIdentity", "Transfers", "QRCodes",
    ]
    let importing = places(of: #/^\s*(\w+\s+)?import\s+Foundation/#) { without.contains($0.module) }
    #expect(importing == [])
    // The whole of it brings the data of ICU: 40 MB in the executable, and nothing here needs them.
    let whole = places(of: #/^\s*(\w+\s+)?import\s+Foundation(?!Essentials)/#) { _ in true }
    #expect(whole == [])
  }

  @Test
  func `system calls are made where forced faults reach them`() {
    let calls =
      #/
      (^|[^.\w])
      ( Glibc\.\w+ | dup2? | preadv? | pwritev? | readv | writev | mkstemp | mkdtemp | lseek | fcntl
      | ioctl | mmap | getenv | setenv | strerror | fsync | fdatasync | ftruncate | unlink(at)?
      | fstat | lstat | fstatat | openat | renameat2? | mkdir(at)? | rmdir | symlink | isatty
      | sysconf | sigaction | realpath | f?chmod | utimensat | flock )\(
      /#
    #expect(places(of: calls) { $0.module != "SystemIO" } == [])
    #expect(sources.filter { $0.module != "SystemIO" }.flatMap(Self.socketCalls) == [])
    #expect(sources.filter { $0.module == "SystemIO" }.flatMap(Self.socketCalls).count > 10)
  }

  /// Where a file calls what reaches other programs, or waits for them; to declare something of
  /// such a name is no call.
  private static func socketCalls(_ file: SourceTree.File) -> [String] {
    file.code.filter { line in
      // Every line of the project comes by, so this looks at bytes.
      line.text.utf8.split(separator: UInt8(ascii: "("), omittingEmptySubsequences: false)
        .dropLast().contains { before in
          let end = before.lastIndex { !isPartOfName($0) }
          let name = before[(end.map { before.index(after: $0) } ?? before.startIndex)...]
          guard socketNames.contains(String(decoding: name, as: UTF8.self)) else { return false }
          let start = String(decoding: before.dropLast(name.count), as: UTF8.self)
          return !start.hasSuffix(".") && !start.hasSuffix("func ") && !start.hasSuffix("case ")
        }
    }.map { "\(file.path):\($0.number)" }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static let socketNames: Set = [
    "socket", "socketpair", "bind", "listen", "accept", "accept4", "connect", "send", "sendto",
    "sendmsg", "sendmmsg", "sendfile", "recv", "recvfrom", "recvmsg", "recvmmsg", "poll", "ppoll",
    "select", "pselect", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "getaddrinfo",
    "getnameinfo", "gethostbyname", "gethostbyaddr", "getsockopt", "setsockopt", "getsockname",
    "getpeername", "eventfd", "eventfd_read", "eventfd_write", "pipe", "pipe2", "shutdown",
    "inet_pton", "inet_ntop",
  ]

  @Test
  func `no test opens a socket beyond this machine`() throws {
    let tests = tests.filter { $0.path != "Tests/HouseTests/HouseRules.swift" }
    // Raw calls could go anywhere; those of SystemIO are looked at below.
    #expect(tests.flatMap(Self.socketCalls) == [])
    // What stands for every network, or names a machine, in what makes a connection. Addresses in
    // texts that are only read, such as manifests, do no harm.
    let everywhere = #/"0\.0\.0\.0|INADDR_ANY|in6addr_any|at:\s*\w*\.everywhere|\bURLSession\b/#
    let named =
      #/
      ( \bconnect\(to: | \bSocketAddress\.resolve\( | \bSocketAddress\( )\s*"
      (?! 127\. | ::1" | ::ffff:127\. | 0:0:0:0:0:0:0:1" | localhost" )
      /#
    for text in [#"at: "0.0.0.0""#, #"connect(to: "a.example""#, "Listener(at: .everywhere())"] {
      #expect(text.contains(everywhere) || text.contains(named))
    }
    var strangers: [String] = []
    for file in tests {
      for (index, line) in file.lines.enumerated()
      where line.contains(everywhere) || line.contains(named) {
        strangers.append("\(file.path):\(index + 1)")
      }
    }
    // Other languages: scripts and programs in the folders of tests.
    let reaching =
      #/
      \b0\.0\.0\.0\b
      | \b(curl|wget|nc|urlopen|create_connection)\s(?!.*(localhost|127\.0\.0\.1|\[::1\]))
      /#
    for script in try SourceTree.scripts(below: "Tests") {
      for (index, line) in script.lines.enumerated()
      where !line.drop(while: { $0 == " " }).hasPrefix("#") && line.contains(reaching) {
        strangers.append("\(script.path):\(index + 1)")
      }
    }
    #expect(strangers == [])
  }

  @Test
  func `paths are split at bytes, and not at characters, which may hold a slash and a mark`() {
    let splitting = places(
      of: #/(separator:\s*|Index\(of:\s*|has(Prefix|Suffix)\(|(first|last)\s*==\s*)"\/"/#
    ) { $0.path != "Sources/SourceDiagnostics/Renderers/SARIFRenderer.swift" }
    #expect(splitting == [])
  }

  @Test
  func `the folder that apps see is spelt once, where paths in packs are checked`() {
    let spelling = sources.filter {
      !$0.path.contains("/Rules/") && $0.path != "Sources/BAPackCommands/Packs/InfoCommand.swift"
    }.flatMap { file in
      file.lines.filter {
        // Asset catalogs have a file of a name that begins the same.
        !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains("\"Contents")
          && !$0.contains("\"Contents.json\"")
      }.map { _ in file.path }
    }
    #expect(spelling == ["Sources/AssetArchive/Entries/PackPath.swift"])
  }

  @Test
  func `languages are compared by meaning, in one folder`() {
    let comparing =
      #/
      (\w*[Ll]anguage|\bwanted|\btag)[?!]?\s*(==|!=)\s*(?!nil\b)[\w.$]*([Ll]anguage|[Tt]ag|wanted)\b
      | (Set<|\[)LanguageTag(>|\s*:) | Set\([^)]*[Ll]anguages?\b | \.contains\([\w.]*[Ll]anguage\)
      /#
    for text in ["language == other.language", "tag != language", "Set<LanguageTag>"] {
      #expect(text.contains(comparing))
    }
    #expect(!"pack.language == nil".contains(comparing))
    let elsewhere = places(of: comparing) { !$0.path.hasPrefix("Sources/BAPackKit/Languages/") }
    #expect(elsewhere == [])
  }

  @Test
  func `nothing is read out of the words of a message`() {
    let reading = places(
      of:
        #/(message|reason|said)\.(contains|starts|split|has(Prefix|Suffix)|drop(First|Last)\([^)])/#
    ) { _ in true }
    #expect(reading == [])
  }

  @Test
  func `'unsupported' is what this program cannot do, whatever is given to it`() {
    let places = Set(
      sources.filter { $0.module == "BAPackKit" || $0.module == "BAPackCommands" }.flatMap { file in
        file.lines.filter { $0.contains(#/\.unsupported,/#) }.map { _ in file.path }
      })
    #expect(
      places == [
        "Sources/BAPackKit/Errors/PackError+Failure.swift",
        "Sources/BAPackKit/Errors/PackError+Remedy.swift",
        "Sources/BAPackKit/Packing/PackSeries+Job.swift",
        "Sources/BAPackKit/Reading/Extraction.swift",
      ])
  }

  @Test
  func `equal bytes on every machine: no encoder asks a C library for a logarithm`() {
    let encoders: Set = ["LZFSE", "BlockCodecs", "AssetArchive"]
    let functions =
      #/(^|[^.\w])(log(2|10|1p)?|exp(2|m1)?|pow|sqrt|cbrt|sin|cos|tan|atan2?|hypot)f?\(/#
    let calls = places(of: functions) { encoders.contains($0.module) }
    #expect(calls.filter { !$0.contains("FixedLogarithm.swift") } == [])
    let named = places(of: #/Glibc\.(log|exp|pow)/#) { encoders.contains($0.module) }
    #expect(named == [])
  }

  @Test
  func `no input ends the program by a trap that somebody wrote`() {
    let trapping = places(of: #/\b(fatalError|preconditionFailure)\(|\btry!|\bas!\s/#) { _ in true }
    #expect(trapping == [])
  }

  @Test
  func `only commands hear signals: a library receives the work that can be stopped`() {
    let hearing = places(of: #/\bInterrupt\b/#) { file in
      file.module != "BAPackCommands" && !file.path.hasSuffix("/SystemIO/Calls/Interrupt.swift")
    }
    #expect(hearing == [])
    #expect(places(of: #/: Work = /#) { _ in true } == [])
  }

  @Test
  func `a library names no option and no command of the program`() {
    let programs: Set = ["Arguments", "BAPackCommands", "ba-package"]
    let naming = #/(^|[\s'"(])--[a-z]|'ba-package|'download-manifest|ba-package [a-z]/#
    // In a style sheet the names of properties look like options.
    let libraries = sources.filter {
      !programs.contains($0.module) && !$0.path.hasSuffix("/WebFiles.swift")
    }
    let places = libraries.flatMap { file in
      file.lines.enumerated()
        .filter { !$0.element.drop { $0 == " " }.hasPrefix("//") && $0.element.contains(naming) }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(places == [])
  }

  @Test
  func `what devices download is calculated from values, by whoever asks`() {
    let files = sources.filter { $0.path.contains("BAPackKit/Downloading/") }
    #expect(files.count > 1)
    // Sums that end at the largest number are the one thing that it needs.
    let imports = files.flatMap { file in
      file.code.compactMap { $0.text.firstMatch(of: #/\bimport\s+(\w+)/#).map { String($0.1) } }
    }
    #expect(Set(imports).isSubset(of: ["SystemIO"]))
    let foreign = #/\b(Findings?|JSON\w+|PackError|Archive\w*|Manifest\w*|InfoPlist\w*)\b/#
    #expect(places(of: foreign) { $0.path.contains("BAPackKit/Downloading/") } == [])
  }

  @Test
  func `findings are kept in a ledger, and passed on in nothing else`() {
    let lists = places(of: #/(\[|:\s*|<)Finding\??(\]|>)/#) {
      !$0.path.hasPrefix("Sources/SourceDiagnostics/Ledger/")
    }
    #expect(lists == [])
    let ledger = "Sources/SourceDiagnostics/Ledger/Ledger.swift"
    #expect(sources.contains { $0.path == ledger })
  }

  @Test
  func `of the reader of JSON only the values are public`() {
    let shown = places(of: #/^\s*(@\w+\s+)?public\s/#) {
      $0.path.hasPrefix("Sources/SourceDiagnostics/JSON/")
        && $0.path != "Sources/SourceDiagnostics/JSON/JSONValue.swift"
    }
    #expect(shown == [])
  }

  @Test
  func `all that is public of the library is in its folders Errors, Model and API`() {
    let others = places(of: #/(^|\s)public\s/#) {
      $0.module == "BAPackKit"
        && !$0.path.contains(#/^Sources\/BAPackKit\/(Errors|Model|API)\//#)
    }
    #expect(others == [])
    // Of the modules below it, a client of the library sees findings, paths and moments.
    let shown = places(
      of: #/^\s*(@_exported\s+)?public\s+import\s+(?!SourceDiagnostics|(struct )?SystemIO)/#
    ) {
      $0.module == "BAPackKit"
    }
    #expect(shown == [])
  }

  @Test
  func `nothing is left for later`() {
    let marks = sources.flatMap { file in
      file.lines.enumerated()
        .filter {
          let line = $0.element
          return ["TODO", "FIXME", "XXX", "HACK"].contains { line.contains($0) }
            && line.contains(#/\b(TODO|FIXME|XXX|HACK)\b/#) && !file.path.contains("HouseRules")
        }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(marks == [])
  }

  @Test
  func `a file above 400 lines says why in its first line`() {
    let long = (sources + tests).filter {
      $0.lines.count > 401 && !($0.lines.first?.hasPrefix("// Long because") ?? false)
    }
    #expect(long.map { "\($0.path): \($0.lines.count - 1) lines" } == [])
  }

  @Test
  func `the arrows between modules are the ones that ARCHITECTURE.md draws`() throws {
    var drawn: [String: Set<String>] = [:]
    let modules = try SourceTree.text("ARCHITECTURE.md").split(separator: "## Folders")[0]
    for line in modules.matches(of: #/^  ([\w-]+) --> (\w+(?: & \w+)*)$/#.anchorsMatchLineEndings())
    {
      drawn[String(line.1), default: []].formUnion(line.2.split(separator: " & ").map(String.init))
    }
    // Imports that follow from other arrows are not drawn.
    func isReachable(_ module: String, from start: String) -> Bool {
      (drawn[start] ?? []).contains { $0 == module || isReachable(module, from: $0) }
    }
    let ours = Set(sources.map(\.module))
    var imports: [String: Set<String>] = [:]
    for file in sources {
      for line in file.code where line.text.contains("import") {
        guard let match = line.text.firstMatch(of: #/^(?:\w+\s+)?import\s+(\w+)/#) else { continue }
        let imported = String(match.1)
        if ours.contains(imported) { imports[file.module, default: []].insert(imported) }
      }
    }
    for (module, others) in imports {
      #expect(others.filter { !isReachable($0, from: module) } == [], "\(module)")
    }
    for (module, others) in drawn {
      #expect(others.subtracting(imports[module] ?? []) == [], "\(module)")
      #expect(!isReachable(module, from: module))
    }
  }

  @Test
  func `every test is named by a sentence`() {
    var others: [String] = []
    for file in tests {
      for (index, line) in file.code.enumerated() where line.text.contains(#/@Test\b[^\/]*$/#) {
        let next = index + 1 < file.code.count ? file.code[index + 1].text : ""
        let isTitled =
          line.text.contains("@Test(\"")
          || line.text.hasSuffix("@Test(") && next.drop { $0 == " " }.hasPrefix("\"")
        // A long name may be on a line of its own.
        let declaration = file.code[index...].drop { !$0.text.contains(#/\bfunc\b/#) }.prefix(2)
        let code = declaration.map(\.text).joined(separator: " ")
        if isTitled || !code.contains(#/\bfunc\s+`/#) {
          others.append("\(file.path):\(line.number)")
        }
      }
    }
    #expect(others == [])
  }

  @Test
  func `a wrapper of a system call names the C function`() {
    let calls = [
      "faccessat", "fchmod", "fchmodat", "fchown", "fcntl", "fgetxattr", "flistxattr", "flock",
      "fremovexattr", "fsetxattr", "fstat", "fstatat", "fstatvfs", "fsync", "ftruncate", "futimens",
      "getdents64", "lseek", "mkdirat", "open", "openat", "posix_fadvise", "pread", "read",
      "readlinkat", "renameat2", "sync_file_range", "syncfs", "unlinkat", "utimensat", "write",
    ]
    // Functions of our own have these names, too: those of C are written with their module.
    let namesakes: Set = ["open", "read", "write"]
    let call = #/Glibc\.(\w+)\(|(?:^|[^.\w])([a-z_0-9]+)\(/#
    var unnamed: Set<String> = []
    for file in sources where file.path.hasPrefix("Sources/SystemIO/Descriptors/") {
      var documentation = ""
      var described = ""
      var function = ""
      for line in file.lines {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("///") {
          documentation += text
        } else if text.contains(#/\bfunc \w|\b(init|deinit)\b.*\{$/#) {
          described = documentation
          function = "\(file.path): \(text)"
          documentation = ""
        } else {
          if !text.hasPrefix("@") { documentation = "" }
          let isNamed = described.isEmpty || calls.contains { described.contains("`\($0)`") }
          let made = text.matches(of: call).map { match in
            String(match.1 ?? match.2.flatMap { namesakes.contains(String($0)) ? nil : $0 } ?? "")
          }
          if !isNamed, !Set(calls).isDisjoint(with: made) { unnamed.insert(function) }
        }
      }
    }
    #expect(unnamed == [])
  }
}
