import Arguments
import BAPackKit

/// The common options of the commands for download manifests.
enum PublicationOptions {
  static let ios = Flag("ios", in: .platform, "Use packs for iOS and iPadOS.")
  static let macos = Flag("macos", in: .platform, "Use packs for macOS.")
  static let tvos = Flag("tvos", in: .platform, "Use packs for tvOS.")
  static let visionos = Flag("visionos", in: .platform, "Use packs for visionOS.")
  static let platform = Option<Platform>(
    "platform", .choice, called: "platform", in: .platform, "Set the platform.")
  static let platforms: [any TypedParameter] = [ios, macos, tvos, visionos, platform]

  static let baseURL = Option(
    "download-base-url", .text, called: "url", in: .address,
    "Set the URL of the folder with the packs.",
    details: "The URL of a pack is the base URL, a slash and the ID, unless there is a template.")
  static let urlTemplate = Option(
    "url-template", .text, called: "template", in: .address,
    "Set the form of URLs, for example '{base}/{id}.aar'.",
    details: """
      {base} is the base URL, {file} the file name of the archive; {id}, {version} and {sha256} \
      belong to the pack. A template that does not start with {base} or https:// follows the base \
      URL.
      """)
  static let allowHTTP = Flag(
    "allow-http", in: .address, "Accept http URLs, for tests without devices.",
    details: "Devices require https.")
  static let urls: [any TypedParameter] = [baseURL, urlTemplate, allowHTTP]

  static let publishTo = Option(
    "publish-to", .folder, called: "folder", in: .output,
    "Copy the packs to the paths of their URLs in this folder.",
    details: "The folder corresponds to the base URL, or to the root of the host.")

  static let archives = ArgumentList(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint, triedAs: ManifestOptions.inputGuesses,
    "The asset packs (default: the packs of the project).",
    details: "Packs of the project are used for each platform with a manifest in the project file.")

  static func platform(_ arguments: ParsedArguments) -> Platform? {
    let flags: [(Flag, Platform)] = [
      (ios, .iOS), (macos, .macOS), (tvos, .tvOS), (visionos, .visionOS),
    ]
    return flags.first { arguments[$0.0] }?.1 ?? arguments[platform]
  }

  /// Returns the form of the URLs; nil without these options.
  static func urls(_ arguments: ParsedArguments) throws(UsageError) -> PackURLs? {
    let base = arguments[baseURL]
    let template = arguments[urlTemplate]
    guard base != nil || template != nil else { return nil }
    do throws(PackError) {
      return try PackURLs(base: base, template: template, allowingHTTP: arguments[allowHTTP])
    } catch {
      throw UsageError(error)
    }
  }
}

extension UsageError {
  /// Creates an error from the reason and the hint of another error.
  init(_ error: PackError) {
    let message = error.message.prefix(1).uppercased() + error.message.dropFirst()
    self.init(message + (error.remedyText.map { "; \($0)" } ?? ""))
  }
}
