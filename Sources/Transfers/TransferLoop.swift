import CCurl
import SystemIO

/// Something to be fetched or brought, which may take several requests.
protocol Errand: AnyObject {
  /// The next request.
  func begin() throws(Failure) -> CurlRequest
  /// Takes what became of it: nil when the errand is done, or the pause before the next request.
  func end(_ request: CurlRequest, _ code: CURLcode) throws(Failure) -> Duration?
}

/// All requests that are under way at once, and the connections that they share ("multi handle").
@safe final class TransferLoop {
  private let curl: CurlLibrary
  private let pointer: UnsafeMutableRawPointer

  init(_ curl: CurlLibrary) throws(Failure) {
    guard let made = unsafe curl.table.pointee.multi_init?() else { throw Failure(.outOfMemory) }
    unsafe pointer = made
    self.curl = curl
  }

  deinit { _ = unsafe curl.table.pointee.multi_cleanup?(pointer) }

  private struct Running {
    let errand: any Errand
    let request: CurlRequest
  }

  /// Runs errands, so many at once, until there are no more.
  func run(
    atOnce most: Int, until deadline: ContinuousClock.Instant?, _ work: Work,
    _ next: () throws(Failure) -> (any Errand)?
  ) throws(Failure) {
    var running: [Running] = []
    var waiting: [(start: ContinuousClock.Instant, errand: any Errand)] = []
    var areMore = true
    defer {
      for one in running { remove(one.request) }
    }
    func start(_ errand: any Errand) throws(Failure) {
      let request = try errand.begin()
      try check(unsafe curl.table.pointee.multi_add_handle?(pointer, request.pointer))
      running.append(Running(errand: errand, request: request))
    }
    GuardedSection.checkThatWaitingIsAllowed()
    while true {
      while running.count < most {
        if let index = waiting.firstIndex(where: { $0.start <= .now }) {
          try start(waiting.remove(at: index).errand)
        } else if areMore, running.count + waiting.count < most {
          if let errand = try next() { try start(errand) } else { areMore = false }
        } else {
          break
        }
      }
      if running.isEmpty, waiting.isEmpty { return }
      var count: Int32 = 0
      try check(unsafe curl.table.pointee.multi_perform?(pointer, &count))
      var code = CURLE_OK
      var haveEnded = false
      while let ended = unsafe ba_curl_next_ended(curl.table, pointer, &code) {
        guard let index = running.firstIndex(where: { unsafe $0.request.pointer == ended }) else {
          continue
        }
        haveEnded = true
        let over = running.remove(at: index)
        remove(over.request)
        if let pause = try over.errand.end(over.request, code) {
          waiting.append((.now + pause, over.errand))
        }
      }
      try work.check()
      if let deadline, deadline <= .now { throw Failure(.timedOut(.download)) }
      if !haveEnded {
        try wait(
          until: ([deadline] + waiting.map { $0.start }).compactMap { $0 }.min(), work)
      }
    }
  }

  /// Waits for any connection, the moment, or the end of the operation.
  private func wait(
    until moment: ContinuousClock.Instant?, _ work: Work
  ) throws(Failure) {
    // libcurl opens sockets of its own: what wakes us is watched beside them.
    var others = [work.stop].compactMap { $0 }.map {
      curl_waitfd(fd: $0.number, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    }
    let most: Duration = .seconds(60)
    let pause = moment.map { min(max($0 - .now, .zero), most) } ?? most
    // Rounded up, so that it does not come back just before the moment.
    let milliseconds = Int32(pause.milliseconds + (pause == .zero ? 0 : 1))
    let code = unsafe others.withUnsafeMutableBufferPointer { others in
      unsafe curl.table.pointee.multi_poll?(
        pointer, others.baseAddress, UInt32(others.count), milliseconds, nil)
    }
    try check(code)
    try work.check()
  }

  private func remove(_ request: CurlRequest) {
    _ = unsafe curl.table.pointee.multi_remove_handle?(pointer, request.pointer)
  }

  private func check(_ code: CURLMcode?) throws(Failure) {
    guard code == CURLM_OK else {
      throw Failure(.library("curl_multi", status: Int32(code?.rawValue ?? -1)))
    }
  }
}
