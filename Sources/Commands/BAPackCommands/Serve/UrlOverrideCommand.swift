import Arguments
import BAPackKit

/// `url-override` of `ba-serve`: prints manual instructions, because the option changes a setting
/// of macOS.
struct UrlOverrideCommand: Subcommand {
  private static let address = Argument(
    "base-url", .text, isRequired: false, "The URL that the server prints.")
  private static let clear = Flag("clear", "Remove the override.")

  static let definition = Command(
    "url-override", overview: "Explain how a Mac is set up for the test server.",
    discussion: [
      "The setting exists only on macOS, so this command prints instructions and exits with 1."
    ],
    [address, clear])

  private let address: String
  private let isClearing: Bool

  init(_ arguments: ParsedArguments) {
    address = arguments[Self.address] ?? "https://<host>:<port>"
    isClearing = arguments[Self.clear]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let device = "Settings > Developer > Development Overrides > URL Override"
    if isClearing {
      console.finding(
        text: """
          iOS, iPadOS, tvOS, visionOS: clear \(device) on the device.
          macOS: on the Mac, run 'xcrun ba-serve url-override --clear'.

          """)
    } else {
      console.finding(
        text: """
          iOS, iPadOS, tvOS, visionOS: enter \(address) on the device, in
            \(device).
          macOS: on the Mac, run 'xcrun ba-serve url-override \(address)'; it applies to apps that \
          Xcode runs.
          Simulator: as on a device, in the Settings app of the simulator.

          """)
    }
    console.error("cannot change the override: it is a setting of the device")
    return .failed
  }
}
