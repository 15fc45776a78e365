// Long because it contains one test for each rule.

import Foundation
import TestSupport
import Testing

/// The rules of ARCHITECTURE.md that the compiler does not check.
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

  /// Returns the places of `pattern` in code, as `path:line`, in the included files.
  func places<Output>(
    of pattern: Regex<Output>, where included: (SourceTree.File) -> Bool
  ) -> [String] {
    sources.filter(included).flatMap { file in
      file.code.filter { $0.text.contains(pattern) }.map { "\(file.path):\($0.number)" }
    }
  }

  @Test
  func `the sources and the tests are found`() {
    #expect(Set(sources.map(\.module)).isSuperset(of: ["BAPackKit", "LZFSE", "ba-package"]))
    #expect(tests.contains { $0.path == "Tests/AllModules/HouseTests/HouseRules.swift" })
  }

  @Test
  func `only the console prints`() {
    let printing = places(of: #/(^|[^.\w])(debugPrint|print|dump|fputs|puts|printf)\(/#) {
      $0.path != "Sources/Commands/BAPackCommands/Console/Console.swift"
    }
    #expect(printing == [])
  }

  @Test
  func `unsafe code is in the modules that call C or process raw bytes`() {
    let fenced: Set = [
      "SystemIO", "LZFSE", "BlockCodecs", "CryptoCalls", "ForeignArchives", "TLSIdentity",
      "HTTPServer", "QRCodes", "Transfers",
    ]
    // The keyword precedes an expression; a fix's grade (`case unsafe`, `.unsafe`) does not.
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
    #expect(places(of: locks) { !$0.path.hasPrefix("Sources/Base/SystemIO/Locks/") } == [])
    #expect(places(of: #/nonisolated\(unsafe\)/#) { _ in true } == [])
  }

  @Test
  func `the lower modules do not use Foundation`() {
    let without: Set = [
      "TerminalText", "SystemIO", "SourceDiagnostics", "SourceLanguages", "LZFSE", "CryptoCalls",
      "BlockCodecs",
      "AssetArchive", "Arguments", "HTTPServer", "TLSIdentity", "Transfers", "QRCodes",
    ]
    let importing = places(of: #/^\s*(\w+\s+)?import\s+Foundation/#) { without.contains($0.module) }
    #expect(importing == [])
    // All of Foundation contains the data of ICU, 40 MB in the executable, which are not used.
    let whole = places(of: #/^\s*(\w+\s+)?import\s+Foundation(?!Essentials)/#) { _ in true }
    #expect(whole == [])
  }

  @Test
  func `system calls are made in SystemIO, where tests force failures`() {
    let calls =
      #/
      (^|[^.\w])
      ( Glibc\.\w+ | dup2? | preadv? | pwritev? | readv | writev | mkstemp | mkdtemp | lseek | fcntl
      | ioctl | mmap | getenv | setenv | strerror | fsync | fdatasync | ftruncate | unlink(at)?
      | fstat | lstat | fstatat | openat | renameat2? | mkdir(at)? | rmdir | symlink | isatty
      | sysconf | sigaction | realpath | f?chmod | utimensat | flock )\(
      /#
    #expect(places(of: calls) { $0.module != "SystemIO" } == [])
    let others = sources.filter { $0.module != "SystemIO" }
    #expect(Self.socketCalls(in: others) == [])
    let calling = sources.filter { $0.module == "SystemIO" }
    #expect(calling.flatMap { Self.socketCalls(in: $0, except: []) }.count > 10)
  }

  /// Returns the calls in files that communicate with other programs, or wait for them.
  ///
  /// A declaration of such a name is not a call, nor is the call of a function that the module of
  /// the file declares.
  private static func socketCalls(in files: [SourceTree.File]) -> [String] {
    var own: [String: Set<String>] = [:]
    for file in files {
      for line in file.code {
        for name in line.text.matches(of: #/\bfunc (\w+)/#).map({ String($0.1) })
        where socketNames.contains(name) {
          own[file.module, default: []].insert(name)
        }
      }
    }
    return files.flatMap { socketCalls(in: $0, except: own[$0.module] ?? []) }
  }

  private static func socketCalls(in file: SourceTree.File, except own: Set<String>) -> [String] {
    file.code.filter { line in
      // Every line of the project is searched, so this works on bytes.
      line.text.utf8.split(separator: UInt8(ascii: "("), omittingEmptySubsequences: false)
        .dropLast().contains { before in
          let end = before.lastIndex { !isPartOfName($0) }
          let name = before[(end.map { before.index(after: $0) } ?? before.startIndex)...]
          let called = String(decoding: name, as: UTF8.self)
          guard socketNames.contains(called), !own.contains(called) else { return false }
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
    let tests = tests.filter { $0.path != "Tests/AllModules/HouseTests/HouseRules.swift" }
    // Raw calls could have any target; those of SystemIO are checked below.
    #expect(Self.socketCalls(in: tests) == [])
    // Addresses of all networks, and host names, in code that makes a connection. Addresses in
    // other texts, such as manifests, have no effect.
    let everywhere = #/"0\.0\.0\.0|INADDR_ANY|in6addr_any|at:\s*\w*\.everywhere|\bURLSession\b/#
    let named =
      #/
      ( \bconnect\(to: | \bSocketAddress\.resolve\( | \bSocketAddress\( )\s*"
      (?! 127\. | ::1" | ::ffff:127\. | 0:0:0:0:0:0:0:1" | localhost" )
      /#
    for text in [#"at: "0.0.0.0""#, #"connect(to: "a.example""#, "Listener(at: .everywhere())"] {
      #expect(text.contains(everywhere) || text.contains(named))
    }
    var outside: [String] = []
    for file in tests {
      for (index, line) in file.lines.enumerated()
      where line.contains(everywhere) || line.contains(named) {
        outside.append("\(file.path):\(index + 1)")
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
        outside.append("\(script.path):\(index + 1)")
      }
    }
    #expect(outside == [])
  }

  @Test
  func `paths are split at bytes: a character may consist of a slash and a combining mark`() {
    let splitting = places(
      of: #/(separator:\s*|Index\(of:\s*|has(Prefix|Suffix)\(|(first|last)\s*==\s*)"\/"/#
    ) { $0.path != "Sources/Base/SourceDiagnostics/Renderers/SARIFRenderer.swift" }
    #expect(splitting == [])
  }

  @Test
  func `the folder Contents is spelled once, where paths in packs are checked`() {
    let spelling = sources.filter {
      !$0.path.contains("/Rules/")
        && $0.path != "Sources/Commands/BAPackCommands/Packs/InfoCommand.swift"
        // Bundles of macOS have a folder with this name.
        && $0.path != "Sources/Features/AppSide/RuntimeFiles.swift"
        && $0.path != "Sources/Features/AppSide/Bundles/CodeBundle.swift"
    }.flatMap { file in
      file.lines.filter {
        // Asset catalogs have a file whose name begins with the same word.
        !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains("\"Contents")
          && !$0.contains("\"Contents.json\"")
      }.map { _ in file.path }
    }
    #expect(spelling == ["Sources/Formats/AssetArchive/Entries/PackPath.swift"])
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
    let elsewhere = places(of: comparing) { !$0.path.hasPrefix("Sources/Kit/BAPackKit/Languages/") }
    #expect(elsewhere == [])
  }

  @Test
  func `no code parses the text of a message`() {
    let reading = places(
      of:
        #/(message|reason|said)\.(contains|starts|split|has(Prefix|Suffix)|drop(First|Last)\([^)])/#
    ) { _ in true }
    #expect(reading == [])
  }

  @Test
  func `'unsupported' means that no input makes this program support the request`() {
    let places = Set(
      sources.filter { $0.module == "BAPackKit" || $0.module == "BAPackCommands" }.flatMap { file in
        file.lines.filter { $0.contains(#/\.unsupported,/#) }.map { _ in file.path }
      })
    #expect(
      places == [
        "Sources/Kit/BAPackKit/Errors/PackError+Failure.swift",
        "Sources/Kit/BAPackKit/Errors/PackError+Remedy.swift",
        "Sources/Kit/BAPackKit/Packing/PackSeries+Job.swift",
        "Sources/Kit/BAPackKit/Reading/Extraction.swift",
      ])
  }

  @Test
  func `encoders use no logarithm of a C library, so their bytes are equal on every machine`() {
    let encoders: Set = ["LZFSE", "BlockCodecs", "AssetArchive"]
    let functions =
      #/(^|[^.\w])(log(2|10|1p)?|exp(2|m1)?|pow|sqrt|cbrt|sin|cos|tan|atan2?|hypot)f?\(/#
    let calls = places(of: functions) { encoders.contains($0.module) }
    #expect(calls.filter { !$0.contains("FixedLogarithm.swift") } == [])
    let named = places(of: #/Glibc\.(log|exp|pow)/#) { encoders.contains($0.module) }
    #expect(named == [])
  }

  @Test
  func `no input ends the program by a trap in the code`() {
    let trapping = places(of: #/\b(fatalError|preconditionFailure)\(|\btry!|\bas!\s/#) { _ in true }
    #expect(trapping == [])
  }

  @Test
  func `only commands handle signals: a library receives the work that can be stopped`() {
    let hearing = places(of: #/\bInterrupt\b/#) { file in
      file.module != "BAPackCommands" && !file.path.hasSuffix("/SystemIO/Calls/Interrupt.swift")
    }
    #expect(hearing == [])
    #expect(places(of: #/: Work = /#) { _ in true } == [])
  }

  @Test
  func `a library contains no option and no command of the program`() {
    let programs: Set = ["Arguments", "BAPackCommands", "ba-package"]
    let naming =
      #/
      (^|[\s'"(]) --[a-z] | 'ba-package | 'download-manifest
      | ba-package\ ( template | validate | pack | project | clean | list | info | evaluate
        | extract | verify | diff | report | simulate | serve | identity | upload | app-store
        | download-manifest | convert | unmanaged | explain | schema | help )\b
      /#
    // In a style sheet the names of properties have the form of options. `AssetHistory` passes
    // options to Git.
    let libraries = sources.filter {
      !programs.contains($0.module) && $0.module != "AssetHistory"
        && !$0.path.hasSuffix("/WebFiles.swift")
    }
    let places = libraries.flatMap { file in
      file.lines.enumerated()
        .filter { !$0.element.drop { $0 == " " }.hasPrefix("//") && $0.element.contains(naming) }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(places == [])
  }

  @Test
  func `downloads of devices are calculated from values of any source`() {
    let files = sources.filter { $0.path.contains("BAPackKit/Downloading/") }
    #expect(files.count > 1)
    // Saturating sums are the only dependency.
    let imports = files.flatMap { file in
      file.code.compactMap { $0.text.firstMatch(of: #/\bimport\s+(\w+)/#).map { String($0.1) } }
    }
    #expect(Set(imports).isSubset(of: ["SystemIO"]))
    let foreign = #/\b(Findings?|JSON\w+|PackError|Archive\w*|Manifest\w*|InfoPlist\w*)\b/#
    #expect(places(of: foreign) { $0.path.contains("BAPackKit/Downloading/") } == [])
  }

  @Test
  func `findings are stored and passed in ledgers only`() {
    let lists = places(of: #/(\[|:\s*|<)Finding\??(\]|>)/#) {
      !$0.path.hasPrefix("Sources/Base/SourceDiagnostics/Ledger/")
    }
    #expect(lists == [])
    let ledger = "Sources/Base/SourceDiagnostics/Ledger/Ledger.swift"
    #expect(sources.contains { $0.path == ledger })
  }

  @Test
  func `only the values of the JSON reader are public`() {
    let shown = places(of: #/^\s*(@\w+\s+)?public\s/#) {
      $0.path.hasPrefix("Sources/Base/SourceDiagnostics/JSON/")
        && $0.path != "Sources/Base/SourceDiagnostics/JSON/JSONValue.swift"
    }
    #expect(shown == [])
  }

  @Test
  func `all public declarations of the library are in its folders Errors, Model and API`() {
    let others = places(of: #/(^|\s)public\s/#) {
      $0.module == "BAPackKit"
        && !$0.path.contains(#/^Sources\/Kit\/BAPackKit\/(Errors|Model|API)\//#)
        // The result of `AssetPack.info()`, which the step returns.
        && !$0.path.hasSuffix("/Reading/PackInspection.swift")
    }
    #expect(others == [])
    // A client of the library uses findings, paths and moments of the modules below.
    let shown = places(
      of: #/^\s*(@_exported\s+)?public\s+import\s+(?!SourceDiagnostics|(struct )?SystemIO)/#
    ) {
      $0.module == "BAPackKit"
    }
    #expect(shown == [])
  }

  @Test
  func `no code is marked as incomplete`() {
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
  func `the files with more than 400 lines, and only these, begin with the reason`() {
    let long = (sources + tests).filter {
      !$0.path.hasSuffix("/WebFiles.swift")
        && ($0.lines.count > 401) != ($0.lines.first?.hasPrefix("// Long because") ?? false)
    }
    #expect(long.map { "\($0.path): \($0.lines.count - 1) lines" } == [])
  }

  @Test
  func `the settings of a command do not change`() {
    var variables: [String] = []
    var commands = 0
    for file in sources where file.module == "BAPackCommands" {
      var isInside = false
      for line in file.code {
        if line.text.contains(#/^(private )?struct \w+: Subcommand \{/#) {
          isInside = true
          commands += 1
        } else if line.text.hasPrefix("}") {
          isInside = false
        } else if isInside, line.text.contains(#/^  (private )?var \w+(: [^{]+)?( = .+)?$/#) {
          variables.append("\(file.path):\(line.number)")
        }
      }
    }
    #expect(commands > 30)
    #expect(variables == [])
  }

  @Test
  func `the imports of modules are the arrows in ARCHITECTURE.md`() throws {
    var drawn: [String: Set<String>] = [:]
    let modules = try SourceTree.text("ARCHITECTURE.md").split(separator: "## Folders")[0]
    let arrow = #/^  ([\w-]+(?: & \w+)*) --> (\w+(?: & \w+)*)$/#.anchorsMatchLineEndings()
    for line in modules.matches(of: arrow) {
      for importing in line.1.split(separator: " & ").map(String.init) {
        drawn[importing, default: []].formUnion(line.2.split(separator: " & ").map(String.init))
      }
    }
    // Indirect imports are not drawn.
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
  func `modules are in the folders of their floors, and import none of a higher floor`() throws {
    var floors: [String] = []
    var listed: [String: String] = [:]
    for row in try SourceTree.text("ARCHITECTURE.md").matches(
      of: #/^\| (\w+) \| ((?:`[\w-]+` ?)+)\|/#.anchorsMatchLineEndings())
    {
      let floor = String(row.1)
      if floors.last != floor { floors.append(floor) }
      for name in row.2.matches(of: #/`([\w-]+)`/#) { listed[String(name.1)] = floor }
    }
    #expect(Set(floors).count == floors.count && floors.count > 5)
    var folders: [String: String] = [:]
    for file in sources { folders[file.module] = file.floor }
    for (module, floor) in folders {
      #expect(listed[module] == floor, "\(module)")
    }
    func height(_ module: String) -> Int {
      folders[module].flatMap { floors.firstIndex(of: $0) } ?? -1
    }
    for file in sources {
      for line in file.code {
        guard let match = line.text.firstMatch(of: #/^(?:\w+\s+)?import\s+(\w+)/#) else { continue }
        #expect(
          height(String(match.1)) <= height(file.module), "\(file.path): \(match.1)")
      }
    }
    for file in tests where file.module.hasSuffix("Tests") {
      let module = String(file.module.dropLast("Tests".count))
      if let floor = folders[module] { #expect(file.floor == floor, "\(file.path)") }
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
        // A long name may be on a separate line.
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
    // Functions of the project have these names, too: those of C are written with their module.
    let namesakes: Set = ["open", "read", "write"]
    let call = #/Glibc\.(\w+)\(|(?:^|[^.\w])([a-z_0-9]+)\(/#
    var unnamed: Set<String> = []
    for file in sources where file.path.hasPrefix("Sources/Base/SystemIO/Descriptors/") {
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
