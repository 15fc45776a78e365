import CCurl
import SystemIO

/// A transfer, which can require several requests.
protocol TransferTask: AnyObject {
  /// The operation, for messages.
  var operation: Operation { get }
  /// Starts the next request.
  func begin() throws(Failure) -> CurlRequest
  /// Handles the end of a request; returns the pause before the next request, or nil at the end.
  func end(_ request: CurlRequest, _ code: CURLcode) throws(Failure) -> Duration?
}

/// The running requests, and the connections that they share ("multi handle").
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
    let task: any TransferTask
    let request: CurlRequest
  }

  /// Runs transfers, up to a number at the same time, until there are no more.
  func run(
    atOnce most: Int, until deadline: ContinuousClock.Instant?, _ work: Work,
    _ next: () throws(Failure) -> (any TransferTask)?
  ) throws(Failure) {
    var running: [Running] = []
    var waiting: [(start: ContinuousClock.Instant, task: any TransferTask)] = []
    var areMore = true
    defer {
      for one in running { remove(one.request) }
    }
    func start(_ task: any TransferTask) throws(Failure) {
      let request = try task.begin()
      try check(unsafe curl.table.pointee.multi_add_handle?(pointer, request.pointer))
      running.append(Running(task: task, request: request))
    }
    GuardedSection.checkThatWaitingIsAllowed()
    while true {
      while running.count < most {
        if let index = waiting.firstIndex(where: { $0.start <= .now }) {
          try start(waiting.remove(at: index).task)
        } else if areMore, running.count + waiting.count < most {
          if let task = try next() { try start(task) } else { areMore = false }
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
        if let pause = try over.task.end(over.request, code) {
          waiting.append((.now + pause, over.task))
        }
      }
      try work.check()
      if let deadline, deadline <= .now, let late = running.first?.task ?? waiting.first?.task {
        throw Failure(.timedOut(late.operation))
      }
      if !haveEnded {
        try wait(
          until: ([deadline] + waiting.map { $0.start }).compactMap { $0 }.min(), work)
      }
    }
  }

  /// Waits for a connection, a point in time, or the end of the operation.
  private func wait(
    until moment: ContinuousClock.Instant?, _ work: Work
  ) throws(Failure) {
    // libcurl also waits for this descriptor, which ends the operation.
    var others = [work.stop].compactMap { $0 }.map {
      curl_waitfd(fd: $0.number, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    }
    let most: Duration = .seconds(60)
    let pause = moment.map { min(max($0 - .now, .zero), most) } ?? most
    // Round up, so that the wait does not end just before the point in time.
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
