import Arguments
import BAPackKit
import SourceDiagnostics

/// The options and the output of commands that print keys of an Info.plist.
enum InfoPlistOptions {
  static let headroom = DefaultedOption(
    "headroom", .headroom, called: "percent", default: .none, shownAs: "0%",
    "Add this margin to every size, for example 20%.",
    details: "Downloads can grow by this margin before the next version of the app.")
  static let hosting = Option<Hosting>(
    "hosting", .choice, called: "hosting", in: .check, "Set the hosting of the packs.",
    details: "'apple' is App Store Connect, 'self' a self-hosted server.")
  static let manifestURL = Option(
    "manifest-url", .text, called: "url", "Set the URL of the manifest on the server.")
  static let appGroupID = Option(
    "app-group-id", .text, called: "id", "Set the group of the app and its extension.")

  /// Throws if an option is only for packs on a server of the developer.
  static func checkAppleHosting(_ arguments: ParsedArguments) throws(UsageError) {
    let others: [any TypedParameter] = [
      manifestURL, headroom, PublicationOptions.baseURL, PublicationOptions.urlTemplate,
      PublicationOptions.allowHTTP,
    ]
    if let other = others.first(where: { arguments.isGiven($0) }) {
      throw UsageError(
        "'--\(other.parameter.name)' is for packs on your own server, and cannot be used with "
          + "'--hosting apple'")
    }
  }

  /// Returns the values of the options, which cannot be computed from the packs.
  static func app(
    _ arguments: ParsedArguments, kind: AppKind
  ) throws(UsageError) -> InfoPlistFragment.App {
    let app = InfoPlistFragment.App(
      manifestURL: arguments[manifestURL], appGroupID: arguments[appGroupID],
      kind: kind)
    do throws(PackError) {
      try app.check(allowingHTTP: arguments[PublicationOptions.allowHTTP])
    } catch {
      throw UsageError(error)
    }
    return app
  }

  /// Prints the keys, and reports the keys that the user must add.
  static func write(_ fragment: InfoPlistFragment, as format: ReportFormat, _ console: Console) {
    switch format {
    case .text: console.result(text: fragment.xml())
    case .json: console.result(JSONWriter.string(fragment.jsonValue, .compact))
    }
    let missing = fragment.missingKeys
    guard !missing.isEmpty else { return }
    let options = missing.map { key in
      switch key {
      case .manifestURL: "--\(manifestURL.parameter.name)"
      case .appGroupID: "--\(appGroupID.parameter.name)"
      }
    }
    console.summary(
      "Add \(Finding.list(missing.map(\.rawValue))) to the file, or use "
        + "\(options.joined(separator: " and ")).")
  }
}

extension ValueType where Value == Headroom {
  /// A percentage.
  fileprivate static var headroom: Self {
    Self { word throws(InvalidValue) in
      guard let headroom = Headroom(word) else {
        throw InvalidValue("expected a percentage from 0% to 1000%, such as 20% or 12.5%")
      }
      return headroom
    }
  }
}
