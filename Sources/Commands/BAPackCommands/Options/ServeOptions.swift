import Arguments
import AssetServer
import BAPackKit
import Faults
import SystemIO
import TLSIdentity

/// The folders of certificates and versions.
enum KeepingOptions {
  static let identity = Option(
    "identity", .folder, called: "folder", in: .certificate,
    "Store the certificate authority in this folder.",
    details: "The default is 'ba-package/identity' in XDG_DATA_HOME.")
  static let state = Option(
    "state", .folder, called: "folder", in: .server, "Store versions of packs in this folder.",
    details: "The default is 'ba-package' in XDG_STATE_HOME.")

  static func identityFolder(_ given: String?, _ console: Console) throws(PackError)
    -> IdentityFolder
  {
    if let given { return IdentityFolder(given) }
    return IdentityFolder(
      try UserFolders.data(console).appending(FileName("identity".utf8)).text)
  }
}

extension ValueType where Value == Int {
  /// The number of a port; 0 selects a free port.
  static var port: Self { .number(in: 0...65_535) }
}

extension ValueType where Value == HostName {
  /// A host's name or address.
  static var host: Self {
    Self { word throws(InvalidValue) in
      guard let host = HostName(word) else {
        throw InvalidValue(
          "expected a host name or an IP address, without 'https://' and port")
      }
      return host
    }
  }
}

extension ValueType where Value == Duration {
  static var duration: Self {
    Self { word throws(InvalidValue) in
      guard let duration = Duration(written: word) else {
        throw InvalidValue("expected a duration, such as 200ms, 10s or 2m")
      }
      return duration
    }
  }
}

extension ValueType where Value == UInt64 {
  /// A rate in bits, given in bytes a second.
  static var rate: Self {
    Self { word throws(InvalidValue) in
      guard let rate = BitRate.bytesPerSecond(written: word) else {
        throw InvalidValue("expected bits per second, such as 500kbit, 3mbit or 1gbit")
      }
      return rate
    }
  }
}

extension ValueType {
  /// Returns the type of faults of downloads, or of App Store Connect.
  static func fault<Effect: FaultEffect>() -> Self where Value == Fault<Effect> {
    Self { word throws(InvalidValue) in
      do throws(FaultMistake) {
        return try Fault(parsing: word)
      } catch {
        let place = error.place.map { " (character \($0.lowerBound + 1))" } ?? ""
        let parts = error.parts.map { "--fault '\($0)'" }.joined(separator: " ")
        throw InvalidValue(
          error.reason + place + (parts.isEmpty ? "" : "; repeat the option: \(parts)"))
      }
    }
  }
}
