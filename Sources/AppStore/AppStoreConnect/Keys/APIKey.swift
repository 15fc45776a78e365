package import BAPackKit
import FoundationEssentials
import SystemIO
import TLSIdentity
import TerminalText

/// An API key of App Store Connect, which signs the tokens of requests.
///
/// Descriptions omit the private key.
package struct APIKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The key ID, for example `2X9R4HXF34`.
  package let id: String
  /// The issuer ID of the team; nil for an individual key.
  package let issuer: String?
  /// The source of the key, for messages.
  package let origin: String
  /// Whether other users of this computer can read the file.
  package let isOpenToOthers: Bool
  let key: PrivateKey

  package var description: String { "API key \(id)" }
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }

  /// Creates a key in the form that Apple provides: PKCS #8 in PEM format, on the curve P-256,
  /// without a password.
  package init(
    id: String, issuer: String?, pem: [UInt8], origin: String, isOpenToOthers: Bool = false
  ) throws(PackError) {
    guard Self.isName(id) else {
      throw PackError(
        .invalidValue, "'\(id)' is not an API key ID",
        remedy: "copy the ID from Integrations in App Store Connect: letters and digits")
    }
    if let issuer, UUID(uuidString: issuer) == nil {
      throw PackError(
        .invalidValue, "'\(issuer)' is not an issuer ID",
        remedy: "copy the issuer ID from Integrations in App Store Connect: a UUID")
    }
    let key: PrivateKey
    do throws(Failure) {
      key = try Self.read(pem)
    } catch {
      guard error.isAboutBytes else { throw PackError(error) }
      throw PackError(
        .malformed(offset: nil), "\(origin) is not an App Store Connect API key: \(error.reason)",
        remedy: error.reason(as: EncryptedKey.self) != nil
          ? "use the original file from Apple, which has no password"
          : "use the original file AuthKey_\(id).p8 from Apple")
    }
    switch key.type {
    case .p256: break
    case .otherCurve(let name):
      throw PackError(
        .malformed(offset: nil),
        "\(origin) is not an App Store Connect API key: it is on the curve \(name), not on P-256",
        remedy: "use the original file AuthKey_\(id).p8 from Apple")
    case .other:
      throw PackError(
        .malformed(offset: nil),
        "\(origin) is not an App Store Connect API key: it is of another type, such as RSA",
        remedy: "use the original file AuthKey_\(id).p8 from Apple")
    }
    self.id = id
    self.issuer = issuer
    self.origin = origin
    self.isOpenToOthers = isOpenToOthers
    self.key = key
  }

  /// Reads a key; restores its line ends first if they were changed.
  private static func read(_ pem: [UInt8]) throws(Failure) -> PrivateKey {
    do throws(Failure) {
      return try PrivateKey.read(pem: pem)
    } catch {
      guard let text = PEMText.repaired(String(decoding: pem, as: UTF8.self)),
        let key = try? PrivateKey.read(pem: Array(text.utf8))
      else { throw error }
      return key
    }
  }

  /// Whether an ID contains only letters and digits, because it is part of file names and tokens.
  private static func isName(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.utf8.allSatisfy(\.isLetterOrDigit)
  }
}

/// The search for a key: the arguments of the caller, then the environment, then folders.
package struct APIKeySearch: Sendable {
  /// The arguments of the caller; each is optional.
  package var id: String?
  package var issuer: String?
  package var path: String?
  /// Whether the key is an individual key, which has no issuer.
  package var isIndividual = false
  /// Returns the value of an environment variable.
  package var environment: @Sendable (String) -> String?

  package init(
    id: String? = nil, issuer: String? = nil, path: String? = nil,
    environment: @escaping @Sendable (String) -> String? = { ProcessState.variable($0) }
  ) {
    self.id = id
    self.issuer = issuer
    self.path = path
    self.environment = environment
  }

  /// The environment variables; those of fastlane are last.
  package static let idNames = ["ASC_KEY_ID", "APP_STORE_CONNECT_API_KEY_KEY_ID"]
  package static let issuerNames = ["ASC_ISSUER_ID", "APP_STORE_CONNECT_API_KEY_ISSUER_ID"]
  package static let pathNames = ["ASC_KEY_PATH", "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH"]
  package static let textNames = ["ASC_KEY", "APP_STORE_CONNECT_API_KEY_KEY"]

  private func variable(_ names: [String]) -> String? {
    names.lazy.compactMap { environment($0) }.first { !$0.isEmpty }
  }

  /// The folders that are searched, in order, if no file is specified.
  package var folders: [String] {
    if let named = variable(["API_PRIVATE_KEYS_DIR"]) { return [named] }
    let home = variable(["HOME"])
    let below = ["private_keys", ".private_keys", ".appstoreconnect/private_keys"]
    return ["private_keys"] + (home.map { home in below.map { "\(home)/\($0)" } } ?? [])
  }

  package func find() throws(PackError) -> APIKey {
    // A specified file is used even if the environment contains a key.
    let file = path ?? (variable(textNamesIfUnnamed) == nil ? variable(Self.pathNames) : nil)
    guard let id = id ?? variable(Self.idNames) ?? file.flatMap(Self.id(ofFile:)) else {
      throw PackError(
        .missing, "no App Store Connect API key is specified", remedy: .specifyAPIKey)
    }
    let issuer = isIndividual ? nil : issuer ?? variable(Self.issuerNames)
    if let file { return try key(id, issuer, inFile: file) }
    if let text = variable(textNamesIfUnnamed) { return try key(id, issuer, inText: text) }
    for folder in folders {
      for start in issuer == nil ? ["ApiKey", "AuthKey"] : ["AuthKey"] {
        let file = "\(folder)/\(start)_\(id).p8"
        guard (try? FileStatus(ofFileAt: file)) != nil else { continue }
        return try key(id, issuer, inFile: file)
      }
    }
    throw PackError(
      .missing, "cannot find AuthKey_\(id).p8 in \(folders.joined(separator: ", "))",
      remedy: .specifyAPIKey)
  }

  private var textNamesIfUnnamed: [String] { path == nil ? Self.textNames : [] }

  /// Returns the ID in a file name of Apple: `AuthKey_2X9R4HXF34.p8`.
  private static func id(ofFile path: String) -> String? {
    let name = FilePath(OutputPlace(path).name.bytes).text
    for start in ["AuthKey_", "ApiKey_"] where name.hasPrefix(start) && name.hasSuffix(".p8") {
      return String(name.dropFirst(start.count).dropLast(3))
    }
    return nil
  }

  /// The maximum size of a file with a key.
  private static let largestFile = 64 << 10

  private func key(
    _ id: String, _ issuer: String?, inFile path: String
  ) throws(PackError) -> APIKey {
    let (bytes, status) = try mapFailure(.reading) { () throws(Failure) in
      let file = try FileDescriptor.open(path, for: .reading)
      return (try file.readToEnd(atMost: Self.largestFile), try file.status())
    }
    return try APIKey(
      id: id, issuer: issuer, pem: bytes, origin: "'\(path)'",
      isOpenToOthers: status.permissions & 0o077 != 0)
  }

  private func key(
    _ id: String, _ issuer: String?, inText text: String
  ) throws(PackError) -> APIKey {
    guard let pem = PEMText.repaired(text) else {
      throw PackError(
        .invalidValue,
        "the key in the environment is not PEM, the body of PEM, or PEM in Base64",
        remedy: .specifyAPIKey)
    }
    return try APIKey(
      id: id, issuer: issuer, pem: Array(pem.utf8), origin: "the key in the environment")
  }
}

/// The text of a key whose line ends were changed by the settings or secrets of a CI system.
enum PEMText {
  /// Returns the key as PEM; nil if the text is not a key in a supported form.
  ///
  /// Supports PEM with `\n` or spaces instead of line ends, the Base64 of a PEM file, and the body
  /// of PEM.
  static func repaired(_ text: String) -> String? {
    let text = text.replacing("\\r", with: "").replacing("\\n", with: "\n")
      .filter { $0 != "\"" && $0 != "'" }
    if let start = text.firstRange(of: beginning) {
      guard let mark = text[start.upperBound...].firstRange(of: dashes),
        let end = text[mark.upperBound...].firstRange(of: "-----END ")
      else { return nil }
      let body = text[mark.upperBound..<end.lowerBound]
      // An encrypted key has header fields before its body, one in each line.
      if body.contains(":") { return text }
      return pem(String(text[start.upperBound..<mark.lowerBound]), body: String(body))
    }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty
    else { return nil }
    let decoded = String(decoding: data, as: UTF8.self)
    if decoded.contains(beginning) { return repaired(decoded) }
    // DER starts with the tag of a sequence.
    return data.first == 0x30 ? pem("PRIVATE KEY", body: text) : nil
  }

  private static let beginning = "-----BEGIN "
  private static let dashes = "-----"

  private static func pem(_ label: String, body: String) -> String {
    var lines = ["-----BEGIN \(label)-----"]
    var rest = body.filter { !$0.isWhitespace }[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
  }
}
