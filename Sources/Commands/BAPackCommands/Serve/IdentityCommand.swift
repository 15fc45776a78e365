import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText

/// `identity`: the certificate authority that `serve` created.
struct IdentityCommand: Subcommand {
  static let definition = Command(
    "identity",
    overview: "Manage the certificate authority of 'serve'.",
    discussion: [
      """
      The first run of 'serve' creates the certificate authority and keeps it, so that a device \
      trusts it only once. It can issue certificates only for local names, private addresses, \
      and the hosts of the run that created it.
      """
    ],
    subcommands: subcommands.map { $0.definition })

  static let subcommands: [any Subcommand.Type] = [
    IdentityShowCommand.self, IdentityExportCommand.self, IdentityRemoveCommand.self,
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) -> ExitStatus { .usage }
}

extension IdentityFolder {
  /// Returns the existing authority in the folder.
  fileprivate func found() throws(PackError) -> Authority {
    let found = try mapFailure(.reading) { () throws(Failure) -> Authority? in try kept() }
    guard let found else {
      throw PackError(
        .missing, "there is no certificate authority in '\(path)'",
        remedy: "run 'ba-package serve', which creates one")
    }
    return found
  }
}

/// `identity show`: the properties of the authority.
struct IdentityShowCommand: Subcommand {
  static let definition = Command(
    "show", overview: "Show the certificate authority and its hosts.",
    discussion: [DocumentName.identity.described()],
    [KeepingOptions.identity, ReportFormat.option],
    examples: [Term("ba-package identity show", "Compare the SHA-256 digest with a device.")])

  private let folder: String?
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) {
    folder = arguments[KeepingOptions.identity]
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let folder = try KeepingOptions.identityFolder(folder, console)
    let authority = try folder.found()
    let (digest, hosts) = try mapFailure(.reading) {
      () throws(Failure) -> (String, [(host: HostName, end: Moment)]) in
      (TrustProfile.fingerprintText(try authority.root.fingerprint()), try folder.keptHosts())
    }
    let root = authority.root
    let result = IdentityResult(folder: folder, root: root, digest: digest, hosts: hosts)
    console.result(result, as: format, .readable) {
      console.result("folder       \(folder.path)")
      console.result("certificate  \(folder.rootPath)")
      console.result("SHA-256      \(digest)")
      console.result(
        "valid        from \(root.begin?.day ?? "?") until \(root.end?.day ?? "?")")
      console.result(
        "valid for    "
          + (root.isConstrained
            ? "this machine, local names, private addresses, and the hosts of 'serve'"
            : "any host"))
      for (host, end) in hosts { console.result("host         \(host), until \(end.day)") }
    }
    return .done
  }
}

/// The result of `identity show` as JSON.
struct IdentityResult: Described {
  let folder: IdentityFolder
  let root: Certificate
  let digest: String
  let hosts: [(host: HostName, end: Moment)]

  static let table = Table<Self>(written: "a certificate authority") {
    Key("folder", written: \.folder.path, .text, "The folder of the certificate authority.")
    Key("certificate", written: \.folder.rootPath, .text, "The file of the root certificate.")
    Key("sha256", written: \.digest, .text, "The SHA-256 digest of the root certificate.")
    Key(
      "validFrom", written: \.root.begin, .nullable(.moment),
      "The time from which the root certificate is valid.")
    Key(
      "validUntil", written: \.root.end, .nullable(.moment),
      "The time until which the root certificate is valid.")
    Key(
      "isConstrained", written: \.root.isConstrained, .flag,
      """
      Whether the authority can issue certificates only for local names, private addresses and the \
      hosts of 'serve'.
      """)
    Key("hosts", written: \.hosts, .list(of: .object(host)), "The hosts with a certificate.")
  }

  static let host = Table<(host: HostName, end: Moment)>(written: "a host") {
    Key("host", written: \.host.description, .text, "The name or address of the host.")
    Key("validUntil", written: \.end, .moment, "The time until which it is valid.")
  }
}

/// `identity export`: the root certificate for a device or a program, or a server's certificate
/// with its key.
struct IdentityExportCommand: Subcommand {
  /// The format of the output.
  enum Form: String, Sendable, CaseIterable {
    case pem, der, mobileconfig, p12
    case legacyP12 = "p12-legacy"

    /// The format for the extension of a name.
    init?(endOf name: String) {
      let name = name.lowercased()
      let ends: [(String, Form)] = [
        (".pem", .pem), (".crt", .pem), (".der", .der), (".cer", .der),
        (".mobileconfig", .mobileconfig), (".p12", .p12), (".pfx", .p12),
      ]
      guard let found = ends.first(where: { name.hasSuffix($0.0) }) else { return nil }
      self = found.1
    }
  }

  private static let form =
    Option(
      "form", .choice, called: "form", in: .output,
      "Set the format (default: from the extension).",
      details: """
        'pem', 'der' and 'mobileconfig' have the root certificate. 'p12' has the certificate of a \
        host and its key; 'p12-legacy' is the same with triple DES, for old systems.
        """) as Option<Form>
  private static let host = Option(
    "host", .host, called: "host", in: .output, "Export the certificate of this host as p12.",
    details: "The certificate is created if necessary.")

  static let definition = Command(
    "export", overview: "Write the root certificate or the certificate of a host.",
    discussion: [
      """
      A p12 file is encrypted with the password in BA_IDENTITY_PASSWORD.
      """
    ],
    [TextOutput.path, form, host, TextOutput.force, KeepingOptions.identity],
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term(
        "ba-package identity export -o root.pem", "Write the root for 'curl --cacert'."
      ),
      Term(
        "ba-package identity export -o trust.mobileconfig", "Write a profile for devices."),
      Term(
        "BA_IDENTITY_PASSWORD=secret ba-package identity export --host 192.168.1.10 -o server.p12",
        "Write the certificate of a host with its key."),
    ])

  private let form: Form
  private let host: HostName?
  private let output: TextOutput
  private let folder: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    let given = arguments[Self.form]
    let fromName = output.path.flatMap { Form(endOf: $0) }
    if given == nil, fromName == nil, let path = output.path, path != "-" {
      throw UsageError("Unknown extension of '\(path)': use '--form <form>'")
    }
    form = given ?? fromName ?? .pem
    host = arguments[Self.host]
    folder = arguments[KeepingOptions.identity]
    let holdsKey = form == .p12 || form == .legacyP12
    if holdsKey, host == nil {
      throw UsageError("Missing host of the p12 file: use '--host <host>'")
    }
    if !holdsKey, host != nil { throw .withoutEffect(Self.host, beside: "--form \(form.rawValue)") }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let folder = try KeepingOptions.identityFolder(folder, console)
    let authority = try folder.found()
    let password = console.environment("BA_IDENTITY_PASSWORD") ?? ""
    if host != nil, password.isEmpty {
      throw PackError(
        .missing, "a p12 file contains a private key and requires a password",
        remedy: "set BA_IDENTITY_PASSWORD in the environment")
    }
    if let host { try authority.check(for: host, at: .now, in: folder) }
    let isBinary = form == .der || host != nil
    if isBinary, output.path == nil, console.output.isTerminal {
      throw PackError(
        .invalidValue, "refusing to write \(form.rawValue) data to a terminal",
        remedies: [.specifyAnotherOutput])
    }
    let bytes = try mapFailure(.publishing) { () throws(Failure) -> [UInt8] in
      switch form {
      case .pem: try authority.root.pem()
      case .der: try authority.root.der()
      case .mobileconfig:
        Array(try TrustProfile.text(for: authority.root, called: ServerTrust.authorityName).utf8)
      case .p12, .legacyP12:
        try folder.identity(
          for: host ?? .name("localhost"), by: authority, at: .now, console.work
        ).pkcs12(
          form == .p12 ? .modern : .legacy, password: password, called: host?.description ?? "")
      }
    }
    try output.write(bytes, console, isSecret: host != nil)
    return .done
  }
}

/// `identity remove`: removes the authority.
struct IdentityRemoveCommand: Subcommand {
  static let definition = Command(
    "remove", overview: "Remove the certificate authority and its certificates.",
    discussion: [
      """
      Also remove the profile from devices, which still trust it: Settings > General > VPN & \
      Device Management.
      """
    ],
    [KeepingOptions.identity],
    examples: [Term("ba-package identity remove", "Remove it; devices must trust the next one.")])

  private let folder: String?

  init(_ arguments: ParsedArguments) { folder = arguments[KeepingOptions.identity] }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let folder = try KeepingOptions.identityFolder(folder, console)
    let removed = try mapFailure(.publishing) { () throws(Failure) in
      try folder.remove(console.work)
    }
    guard !removed.isEmpty else {
      console.summary("There is no certificate authority in '\(folder.path)'.")
      return .done
    }
    for name in removed { console.detail("removed '\(name)'") }
    let count = Quantity.count(removed.count, "file")
    console.summary(
      "Removed the certificate authority in '\(folder.path)' (\(count)). "
        + "Remove its profile from devices, too.")
    return .done
  }
}
