import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `unmanaged check`: validates a manifest before it is published.
struct UnmanagedCheckCommand: Subcommand {
  private typealias Shared = UnmanagedOptions
  private static let files = RepeatableOption(
    "files", .file(), called: "path", in: .check,
    "Compare with a file or a folder; repeatable.",
    details: "Existence, sizes and digests are compared.")
  private static let infoPlist = Option(
    "info-plist", .file("plist"), called: "path", in: .check,
    "Compare with the Info.plist of the app.",
    details: "Allowed hosts and declared sizes are compared.")
  private static let strict = Flag("strict", in: .check, "Fail on warnings.")

  static let definition = Command(
    "check", overview: "Check an unmanaged manifest before its release.",
    discussion: [FindingsFormat.meaningOfJSON],
    [
      Shared.manifest, files, infoPlist, strict, Shared.exclude, PublicationOptions.allowHTTP,
      FindingsFormat.option,
    ],
    dependent: [(Shared.exclude, on: files)],
    examples: [
      Term(
        "ba-package unmanaged check manifest.json --files Assets --info-plist App/Info.plist",
        "Compare with the files and with the app.")
    ])

  private let path: String
  private let paths: [String]
  private let excluded: [String]
  private let plist: String?
  private let allowsHTTP: Bool
  private let isStrict: Bool
  private let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.required(Shared.manifest)
    paths = arguments[Self.files]
    excluded = arguments[Shared.exclude]
    plist = arguments[Self.infoPlist]
    allowsHTTP = arguments[PublicationOptions.allowHTTP]
    isStrict = arguments[Self.strict]
    format = arguments[FindingsFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var check = UnmanagedCheck(try Shared.read(path, allowingHTTP: allowsHTTP, console.work))
    check.allowsHTTP = allowsHTTP
    if let plist {
      check.plist = try PublicationFiles.readInfoPlist(plist, isManaged: false, console.work)
    }
    if !paths.isEmpty {
      Interrupt.install()
      check.files = try UnmanagedFiles(
        reading: paths.map { FilePath($0) }, excluding: excluded, leavingOut: [path],
        console.work)
    }
    let findings = check.findings()
    let failed = findings.hasErrors || isStrict && findings.count(.warning) > 0
    console.conclude(
      findings, about: path, failed: failed, as: format, of: RuleCatalogue.all, for: .selfHosted)
    return failed ? .failed : .done
  }
}
