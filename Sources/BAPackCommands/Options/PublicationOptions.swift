import Arguments
import BAPackKit

/// Options that all commands about download manifests share.
enum PublicationOptions {
  static let ios = Flag("ios", "The manifest is for iOS and iPadOS.")
  static let macos = Flag("macos", "The manifest is for macOS.")
  static let tvos = Flag("tvos", "The manifest is for tvOS.")
  static let visionos = Flag("visionos", "The manifest is for visionOS.")
  static let platform = Option<Platform>(
    "platform", .choice, called: "platform", "The platform by its name, instead of a flag.")
  static let platforms: [any TypedParameter] = [ios, macos, tvos, visionos, platform]

  static let baseURL = Option(
    "download-base-url", .text, called: "url",
    "Where the packs are served: the URL of a pack is this, a slash and its ID.")
  static let urlTemplate = Option(
    "url-template", .text, called: "template",
    """
    Another form of URL, with {base} (the base URL), {id}, {version}, {sha256} and {file} (the \
    archive's file name); behind the base URL unless it begins with {base} or https://.
    """)
  static let allowHTTP = Flag(
    "allow-http", "Let http pass; devices do not, so this is for tests that reach none.")
  static let urls: [any TypedParameter] = [baseURL, urlTemplate, allowHTTP]

  static let publishTo = Option(
    "publish-to", .folder, called: "folder",
    """
    Copy the packs into this folder, each under the name of its address; the folder stands for the \
    base URL, or for the root of the host.
    """)

  static let archives = ArgumentList(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint,
    """
    An asset pack; without any, those of the project file, for each platform that it has a \
    manifest for.
    """
  )

  /// The platform that was given.
  static func platform(_ arguments: ParsedArguments) -> Platform? {
    let flags: [(Flag, Platform)] = [
      (ios, .iOS), (macos, .macOS), (tvos, .tvOS), (visionos, .visionOS),
    ]
    return flags.first { arguments[$0.0] }?.1 ?? arguments[platform]
  }

  /// How the addresses of packs are made; nil if no option says so.
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
  /// What is wrong with an option's value and what to do about it, in one sentence.
  init(_ error: PackError) {
    let message = error.message.prefix(1).uppercased() + error.message.dropFirst()
    self.init(message + (error.remedyText.map { "; \($0)" } ?? ""))
  }
}
