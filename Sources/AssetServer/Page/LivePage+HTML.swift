import BAPackKit
import TerminalText

extension LivePage {
  /// The page as a browser gets it; switches are on it only where there is a token to use them.
  ///
  /// Packs and addresses stand in it, for browsers without scripts. With one, all else is filled in from
  /// the stream of events, and every name from outside is put there as text.
  func html(nonce: String, token: String?) -> String {
    let control =
      token.map { "<meta name=\"control-token\" content=\"\(inMarkup($0))\">" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      \(control)
      <title>Asset packs</title>
      <link rel="icon" href="\(Self.icon)">
      <style nonce="\(nonce)">\(Self.style)</style>
      </head>
      <body data-events="\(token == nil ? "?events" : "api/events")">
      <a class="skip" href="#requests">Skip to the requests</a>
      <header>
      <h1>\(Self.mark)Asset packs</h1>
      <p id="connection" class="pill" role="status" hidden></p>
      <ul id="alerts" aria-label="Switched on"></ul>
      </header>
      <noscript><p class="notice">Without scripts this page shows the packs and addresses of the
      moment when it was loaded. Requests as they happen\(token == nil ? "" : " and switches") need
      them.</p></noscript>
      <div id="distrust" class="caution" role="status" hidden><p><strong id="distrusting"></strong>
      \(trustAdvice)</p></div>
      <main>
      <div class="side">
      \(connectSection)
      \(token == nil ? "" : Self.switchSection)
      </div>
      <div class="wide">
      \(Self.requestSection)
      \(packSection)
      \(Self.deviceSection)
      </div>
      </main>
      <p id="announcement" class="unseen" aria-live="polite"></p>
      <script type="module" nonce="\(nonce)">\(Self.script(withSwitches: token != nil))</script>
      </body>
      </html>

      """
  }

  private static let mark = """
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><rect x="1" y="1" width="14" height="14" \
    rx="4"/><path d="M8 4v6M5 8l3 3 3-3"/></svg>
    """

  private static let icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    + "%3Crect x='1' y='1' width='14' height='14' rx='4' fill='%233056d3'/%3E"
    + "%3Cpath d='M8 4v6M5 8l3 3 3-3' stroke='white' stroke-width='1.8' fill='none'"
    + " stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

  /// The hint for a device that does not trust the server.
  private var trustAdvice: String {
    guard let address = facts.enrolmentURL.map(inMarkup) else {
      return """
        The device must trust the certificate authority that issued the server's certificate, and \
        use a host name that the certificate contains.
        """
    }
    return """
      On the device, open <a href="\(address)">\(address)</a>, install the profile, and switch the \
      certificate on: Settings › General › About › Certificate Trust Settings.
      """
  }

  // MARK: Addresses

  private var connectSection: String {
    var text = """
      <section aria-labelledby="connect-title">
      <h2 id="connect-title">Connect a device</h2>
      <h3 id="override-title">URL override</h3>
      <p class="address"><code id="override">\(inMarkup(facts.overrideURL))</code>
      <button type="button" class="small" data-copies="override" aria-describedby="override-title" \
      hidden>Copy</button></p>
      <p class="hint">On the device: Settings › Developer › Development Overrides › URL Override.</p>
      """
    if let address = facts.enrolmentURL.map(inMarkup) {
      let code = facts.code.map { Self.drawing(of: $0, leadingTo: address) } ?? ""
      text += """

        <h3>Trust, once for each device</h3>
        \(code)
        <p class="address"><a href="\(address)"><code id="enrolment">\(address)</code></a>
        <button type="button" class="small" data-copies="enrolment" \
        aria-label="Copy the address for trust" hidden>Copy</button></p>
        """
    }
    if let digest = facts.rootDigest {
      text += """

        <h3>Compare before trusting</h3>
        <p class="hint">SHA-256 of the certificate authority</p>
        <p class="digest">\(Self.rows(of: digest))</p>
        """
    }
    return text + "\n</section>"
  }

  /// A digest in rows of eight bytes, which people can compare.
  private static func rows(of digest: String) -> String {
    let bytes = digest.split(separator: ":")
    let rows = stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<min(start + 8, bytes.count)].joined(separator: ":")
    }
    return "<code>\(rows.map(inMarkup).joined(separator: ":</code><code>"))</code>"
  }

  /// A QR code: dark on white in every colour scheme, with the margin that readers need.
  private static func drawing(of rows: [[Bool]], leadingTo address: String) -> String {
    let margin = 4
    var path = ""
    for (y, row) in rows.enumerated() {
      var x = 0
      while x < row.count {
        let length = row[x...].prefix { $0 }.count
        if length > 0 { path += "M\(x + margin) \(y + margin)h\(length)v1h-\(length)z" }
        x += max(1, length)
      }
    }
    let side = (rows.map(\.count).max() ?? 0) + 2 * margin
    return """
      <svg class="code" role="img" aria-label="QR code of \(address)" shape-rendering="crispEdges" \
      viewBox="0 0 \(side) \(rows.count + 2 * margin)"><path fill="#fff" d="M0 0h\(side)v\
      \(rows.count + 2 * margin)H0z"/><path fill="#000" d="\(path)"/></svg>
      """
  }

  // MARK: Packs

  private var packSection: String {
    let rows = catalogue.all.map { pack in
      let manifest = pack.archive.manifest
      let policy = manifest.downloadPolicy
      let events = policy.events.joined(separator: ", ")
      let platforms = manifest.platforms.map(\.rawValue).joined(separator: ", ")
      let offered = platforms.isEmpty ? "all platforms" : platforms
      let language = manifest.language?.description ?? ""
      let facts = [policy.name, events, offered, language].filter { !$0.isEmpty }
      return """
        <tr><th scope="row"><span class="name">\(inMarkup(shown(pack.id.text)))</span>\
        <span class="facts narrow">\(facts.joined(separator: " · "))</span></th>\
        <td class="broad">\(policy.name)<span class="facts">\(events)</span></td>\
        <td class="broad">\(offered)</td><td class="broad">\(language)</td>\
        <td class="number">\(pack.version)</td><td class="number">\(pack.archive.size) bytes</td></tr>
        """
    }
    return """
      <section aria-labelledby="packs-title">
      <div class="head"><h2 id="packs-title">Packs</h2><p id="packs-sum" class="sum"></p></div>
      <table>
      <thead><tr><th scope="col">Pack</th><th scope="col" class="broad">Policy</th>\
      <th scope="col" class="broad">Platforms</th><th scope="col" class="broad">Language</th>\
      <th scope="col" class="number">Version</th><th scope="col" class="number">Size</th></tr></thead>
      <tbody id="packs">\(rows.joined(separator: "\n"))</tbody>
      </table>
      </section>
      """
  }

  // MARK: What scripts fill in

  private static let requestSection = """
    <section id="requests" aria-labelledby="requests-title" tabindex="-1" class="scripted" hidden>
    <div class="head"><h2 id="requests-title">Requests</h2>
    <div class="tools">
    <label for="filter" class="unseen">Show only requests that contain</label>
    <input id="filter" type="search" placeholder="Filter" autocomplete="off" spellcheck="false">
    <button type="button" class="small" id="pause" aria-pressed="false">Pause</button>
    <button type="button" class="small" id="clear">Clear</button>
    </div></div>
    <p id="quiet" class="empty">Nothing was asked yet. A device that has the URL override asks for
    <code>/manifest</code> first.</p>
    <ol id="log" tabindex="0" aria-label="Requests, the newest first" hidden></ol>
    </section>
    """

  private static let deviceSection = """
    <section aria-labelledby="devices-title" class="scripted" hidden>
    <div class="head"><h2 id="devices-title">Devices</h2></div>
    <p id="alone" class="empty">No device has asked yet.</p>
    <table id="device-table" hidden>
    <thead><tr><th scope="col">Device</th><th scope="col" class="number broad">Requests</th>\
    <th scope="col" class="number">Downloaded</th><th scope="col" class="number">Last</th></tr></thead>
    <tbody id="devices"></tbody>
    </table>
    </section>
    """

  // MARK: Switches

  /// A kind of fault as the form offers it.
  private struct OfferedKind {
    let word: String
    let label: String
    /// What its value is called, and an example; nil for a kind without one.
    var value: (name: String, example: String)?
    var isForManifest = false
  }

  private static let kinds = [
    OfferedKind(word: "cut", label: "cut the connection", value: ("after", "60%")),
    OfferedKind(word: "reset", label: "reset the connection", value: ("after", "1M")),
    OfferedKind(word: "status", label: "answer with an error", value: ("status", "503")),
    OfferedKind(word: "stall", label: "stop sending for a while", value: ("for", "10s")),
    OfferedKind(word: "truncate", label: "announce and send half"),
    OfferedKind(word: "corrupt", label: "change one bit"),
    OfferedKind(word: "tls-close", label: "hang up without an answer"),
    OfferedKind(word: "stale", label: "manifest: out of date", isForManifest: true),
    OfferedKind(word: "not-json", label: "manifest: no JSON", isForManifest: true),
  ]

  private static let switchSection: String = {
    let options = kinds.map { kind in
      let value =
        kind.value.map { " data-asks=\"\($0.name)\" data-example=\"\($0.example)\"" } ?? ""
      let manifest = kind.isForManifest ? " data-manifest" : ""
      return "<option value=\"\(kind.word)\"\(value)\(manifest)>\(kind.label)</option>"
    }
    return """
      <section aria-labelledby="switches-title" class="scripted" hidden>
      <h2 id="switches-title">Switches</h2>
      <label class="switch" for="offline"><span>Go offline<small>nothing is answered</small></span>
      <input id="offline" type="checkbox" role="switch"></label>
      <form id="latency-form" class="field"><label for="latency">Latency</label>
      <input id="latency" list="latencies" placeholder="off, or 200ms" autocomplete="off" \
      spellcheck="false" autocapitalize="off"><button>Set</button></form>
      <datalist id="latencies"><option value="100ms"><option value="500ms"><option value="2s">\
      </datalist>
      <form id="throttle-form" class="field"><label for="throttle">Throttle</label>
      <input id="throttle" list="rates" placeholder="off, or 3mbit" autocomplete="off" \
      spellcheck="false" autocapitalize="off"><button>Set</button></form>
      <datalist id="rates"><option value="500kbit"><option value="3mbit"><option value="20mbit">\
      </datalist>
      <h3 id="faults-title">Faults</h3>
      <ul id="faults" aria-labelledby="faults-title"></ul>
      <p id="faultless" class="empty">Everything goes well.</p>
      <form id="fault-form" aria-labelledby="new-fault">
      <h4 id="new-fault">Add a fault</h4>
      <div class="field"><label for="subject">To</label>
      <input id="subject" list="subjects" value="*" aria-describedby="subject-hint" \
      autocomplete="off" spellcheck="false" autocapitalize="off"></div>
      <p id="subject-hint" class="hint">a pack, <code>level-*</code>, <code>*</code> for all packs, or \
      <code>manifest</code></p>
      <datalist id="subjects"></datalist>
      <div class="field"><label for="kind">Happens</label>
      <select id="kind">\(options.joined())</select></div>
      <div class="field" id="value-field"><label for="value" id="value-label">after</label>
      <input id="value" autocomplete="off" spellcheck="false" autocapitalize="off"></div>
      <div class="field"><label for="times">How often</label>
      <select id="times"><option value="">always</option>\
      <option value="once">once a device</option>\
      <option value="twice">twice a device</option></select></div>
      <p class="preview"><output id="preview" for="subject kind value times"></output>
      <button class="strong">Switch on</button></p>
      </form>
      <p id="refusal" role="alert" class="refusal"></p>
      </section>
      """
  }()
}
