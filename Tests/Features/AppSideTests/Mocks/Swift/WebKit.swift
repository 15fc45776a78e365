// A mock of Apple's framework.
// swift-format-ignore-file
@_exported import FoundationNetworking
import Foundation


@MainActor public final class WKWebViewConfiguration {
  public init() {}
  public func setURLSchemeHandler(_ handler: (any WKURLSchemeHandler)?, forURLScheme scheme: String)
  {}
}

@MainActor public final class WKWebView {
  public init(frame: CGRect, configuration: WKWebViewConfiguration) {}
}

@MainActor public protocol WKURLSchemeTask: NSObjectProtocol {
  var request: URLRequest { get }
  func didReceive(_ response: URLResponse)
  func didReceive(_ data: Data)
  func didFinish()
  func didFailWithError(_ error: any Error)
}

@MainActor public protocol WKURLSchemeHandler: NSObjectProtocol {
  func webView(_ webView: WKWebView, start task: any WKURLSchemeTask)
  func webView(_ webView: WKWebView, stop task: any WKURLSchemeTask)
}
