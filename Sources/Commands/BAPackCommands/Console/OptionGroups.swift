import Arguments

/// The groups of options in the help.
extension OptionGroup {
  static let input = OptionGroup("Input")
  static let output = OptionGroup("Output")
  static let manifest = OptionGroup("Manifest")
  static let compression = OptionGroup("Compression")
  static let cache = OptionGroup("Cache")
  static let check = OptionGroup("Check")
  static let build = OptionGroup("Build system")
  static let performance = OptionGroup("Performance")
  static let platform = OptionGroup("Platform")
  static let address = OptionGroup("URL")
  static let server = OptionGroup("Server")
  static let certificate = OptionGroup("Certificate")
  static let fault = OptionGroup("Fault")
  static let device = OptionGroup("Device")
  static let appStore = OptionGroup("App Store Connect")
  static let waiting = OptionGroup("Waiting")
}
