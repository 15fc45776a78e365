import BAPackKit
import TerminalText

extension LivePage {
  /// Returns the page for a browser, with or without switches; it never contains their token.
  ///
  /// The page contains the packs and addresses, for browsers without JavaScript. A script adds the
  /// rest from the event stream, and inserts all names as text, never as markup.
  func html(nonce: String, withSwitches: Bool) -> HTML {
    WebFiles.live(
      nonce: "\(nonce)", events: withSwitches ? "api/events" : "?events",
      andSwitches: withSwitches ? " and switches" : "", trustAdvice: trustAdvice,
      override: "\(facts.overrideURL)", trust: trust, digest: facts.rootDigest.map(digest) ?? "",
      switches: withSwitches ? WebFiles.switches() : "", packs: packs,
      script: withSwitches ? WebFiles.pageWithSwitchesScript : WebFiles.pageToWatchScript)
  }

  /// The hint for a device that does not trust the server.
  private var trustAdvice: HTML {
    guard let address = facts.enrolmentURL.flatMap(LinkTarget.init) else {
      return """
        The device must trust the certificate authority that issued the server's certificate, and \
        use a host name that the certificate contains.
        """
    }
    return """
      On the device, open \(HTML.link(to: address, "\(address)")), install the profile, and turn \
      on full trust for its certificate: Settings › General › About › Certificate Trust Settings.
      """
  }

  /// The address of the enrolment page and its QR code.
  private var trust: HTML {
    guard let address = facts.enrolmentURL.flatMap(LinkTarget.init) else { return "" }
    let code = facts.code.map { Self.drawing(of: $0, leadingTo: address) } ?? ""
    return WebFiles.trust(code: code, address: address, text: "\(address)")
  }

  /// The digest in rows of eight bytes, which are easy to compare.
  private func digest(_ digest: String) -> HTML {
    let bytes = digest.split(separator: ":")
    let rows = stride(from: 0, to: bytes.count, by: 8).map { start -> HTML in
      let end = min(start + 8, bytes.count)
      let row = bytes[start..<end].joined(separator: ":")
      return "<code>\(row)\(":", if: end < bytes.count)</code>"
    }
    return """
      <h3>Compare before trusting</h3>
      <p class="hint">SHA-256 of the certificate authority</p>
      <p class="digest">\(rows)</p>
      """
  }

  /// A QR code: dark on white in every color scheme, with the margin that scanners require.
  private static func drawing(of rows: [[Bool]], leadingTo address: LinkTarget) -> HTML {
    let margin = 4
    var path: HTML = ""
    for (y, row) in rows.enumerated() {
      var x = 0
      while x < row.count {
        let length = row[x...].prefix { $0 }.count
        if length > 0 { path += "M\(x + margin) \(y + margin)h\(length)v1h-\(length)z" }
        x += max(1, length)
      }
    }
    let width = (rows.map(\.count).max() ?? 0) + 2 * margin
    let height = rows.count + 2 * margin
    return """
      <svg class="code" role="img" aria-label="QR code of \(address)" shape-rendering="crispEdges" \
      viewBox="0 0 \(width) \(height)"><path fill="#fff" d="M0 0h\(width)v\(height)H0z"/>\
      <path fill="#000" d="\(path)"/></svg>
      """
  }

  private var packs: HTML {
    let rows = catalogue.all.map { pack -> HTML in
      let manifest = pack.archive.manifest
      let policy = manifest.downloadPolicy
      let events = policy.events.map(\.rawValue).joined(separator: ", ")
      let platforms = manifest.platforms.map(\.rawValue).joined(separator: ", ")
      let offered = platforms.isEmpty ? "all platforms" : platforms
      let language = manifest.language?.description ?? ""
      let facts = [policy.name, events, offered, language].filter { !$0.isEmpty }
      return """
        <tr><th scope="row"><span class="name">\(pack.id.text)</span>\
        <span class="facts narrow">\(facts.joined(separator: " · "))</span></th>\
        <td class="broad">\(policy.name)<span class="facts">\(events)</span></td>\
        <td class="broad">\(offered)</td><td class="broad">\(language)</td>\
        <td class="number">\(pack.version)</td>\
        <td class="number">\(pack.archive.size) bytes</td></tr>
        """
    }
    return "\(rows, separator: "\n")"
  }
}
