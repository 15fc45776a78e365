import BlockCodecs
import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

// The requests of the mock to webhooks.

extension WebhookEvent.Kind {
  var resource: ResourceKind {
    switch self {
    case .version: .versions
    case .internalBeta: .internalReleases
    case .externalBeta: .externalReleases
    case .appStore: .appStoreReleases
    }
  }
}

extension WebhookEvent {
  /// The body of the request: unlike for other events, `instance` has no member `data`.
  func body(from base: String, at now: Moment) -> [UInt8] {
    let address = "\(base)/v1/\(kind.resource.rawValue)/\(instance)"
    let value = JSONValue.members([
      "data": .members([
        "type": .string(kind.payload), "id": .string(id),
        "attributes": .members([
          "timestamp": .string(now.text(in: .letter)),
          "newState": states.map { .string($0.new) }, "oldState": states.map { .string($0.old) },
        ]),
        "relationships": .members([
          "instance": .members([
            "id": .string(instance), "type": .string(kind.resource.rawValue),
            "links": .members(["self": .string(address)]),
          ])
        ]),
      ])
    ])
    return JSONWriter.bytes(value, .compact)
  }
}

/// A request to a webhook, which the owner of the mock sends.
package struct WebhookRequest: Sendable {
  package let url: String
  package let fields: [(name: String, value: String)]
  package let body: [UInt8]
}

extension AppStoreMock {
  /// The maximum number of webhooks of an app.
  static let mostWebhooks = 10

  /// Informs the webhooks of the changes since the last call.
  func announce() {
    let now = now
    let due = with { contents -> [(event: WebhookEvent, webhook: Webhook)] in
      contents.store.takeEvents().flatMap { event in
        contents.webhooks.filter {
          $0.isEnabled && $0.appID == event.appID && $0.types.contains(event.kind.rawValue)
        }.map { (event, $0) }
      }
    }
    for (event, webhook) in due { options.send(request(event, to: webhook, at: now)) }
  }

  private func request(
    _ event: WebhookEvent, to webhook: Webhook, at now: Moment
  ) -> WebhookRequest {
    let body = event.body(from: options.base, at: now)
    let code = (try? authenticationCode(of: body, key: Array(webhook.secret.utf8))) ?? []
    let prefix = options.switches.webhookSignature == .prefixed ? "hmacsha256=" : ""
    return WebhookRequest(
      url: webhook.url,
      fields: [
        ("Content-Type", "application/json"), ("x-apple-signature", prefix + hexadecimal(code)),
      ], body: body)
  }

  /// Creates a webhook; its address must be on this machine.
  func createWebhook(_ document: CheckedDocument) throws(APIErrors) -> Webhook {
    let url = document.text("url") ?? ""
    guard let authority = url.split(separator: "/").dropFirst().first,
      url.hasPrefix("http://") || url.hasPrefix("https://"),
      RequestHead.isLoopback(String(authority).lowercased())
    else {
      throw APIErrors(
        .invalidAttribute("url", "The mock sends webhooks only to loopback addresses"))
    }
    let known = Set(WebhookEvent.Kind.allCases.map(\.rawValue))
    let types = document.texts("eventTypes") ?? []
    if let other = types.first(where: { !known.contains($0) }) {
      throw APIErrors(
        .invalidAttribute("eventTypes", "The mock sends no events of the type '\(other)'"))
    }
    return try with { contents throws(APIErrors) in
      let appID = document.target("app") ?? ""
      _ = try MockStore.target("app", .apps, appID, in: contents.store.apps)
      guard contents.webhooks.count(where: { $0.appID == appID }) < Self.mostWebhooks else {
        throw APIErrors(.state("The app has \(Self.mostWebhooks) webhooks already."))
      }
      let webhook = Webhook(
        id: contents.store.makeID(), appID: appID, name: document.text("name") ?? "", url: url,
        secret: document.text("secret") ?? "", isEnabled: document.flag("enabled") ?? false,
        types: Set(types))
      contents.webhooks.append(webhook)
      return webhook
    }
  }

  func deleteWebhook(_ id: String) throws(APIErrors) {
    try with { contents throws(APIErrors) in
      guard let index = contents.webhooks.firstIndex(where: { $0.id == id }) else {
        throw APIErrors(.notFound("webhooks", id))
      }
      contents.webhooks.remove(at: index)
    }
  }
}
