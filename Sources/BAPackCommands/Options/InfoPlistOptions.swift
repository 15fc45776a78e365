import Arguments
import BAPackKit
import SourceDiagnostics

/// Options of all commands that print the keys of an Info.plist, and how they print them.
enum InfoPlistOptions {
  static let headroom = DefaultedOption(
    "headroom", .headroom, called: "percent", default: .none, shownAs: "0%",
    "Room for packs to grow before the app is released again, added to every size.")
  static let manifestURL = Option(
    "manifest-url", .text, called: "url", "Where the download manifest is served.")
  static let appGroupID = Option(
    "app-group-id", .text, called: "id", "The group that the app shares with its extension.")

  /// What does not follow from what is downloaded.
  static func app(
    _ arguments: ParsedArguments, isManaged: Bool
  ) throws(UsageError) -> InfoPlistFragment.App {
    let app = InfoPlistFragment.App(
      manifestURL: arguments[manifestURL], appGroupID: arguments[appGroupID],
      isManaged: isManaged)
    do throws(PackError) {
      try app.check(allowingHTTP: arguments[PublicationOptions.allowHTTP])
    } catch {
      throw UsageError(error)
    }
    return app
  }

  /// Prints the keys, and says which are to be added.
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
      "Add \(Finding.list(missing.map(\.rawValue))) yourself, or give "
        + "\(options.joined(separator: " and ")).")
  }
}

extension ValueType where Value == Headroom {
  /// A share in percent.
  fileprivate static var headroom: Self {
    Self { word throws(InvalidValue) in
      guard let headroom = Headroom(word) else {
        throw InvalidValue("a share from 0% to 1000% is needed, such as 20% or 12.5%")
      }
      return headroom
    }
  }
}
