import CYAML
package import SystemIO

/// The functions of libyaml, which is loaded at run time.
@safe struct YAMLLibrary {
  fileprivate let table: ba_yaml

  /// The file name of the library on Debian, Fedora, Arch and SUSE.
  static let name = "libyaml-0.so.2"

  /// Loads the library.
  init() throws(Failure) {
    let library = try SharedLibrary(Self.name)
    var table = ba_yaml()
    if let missing = unsafe ba_yaml_fill(&table, library.handle) {
      let function = unsafe String(cString: missing)
      throw Failure(.library("\(Self.name), which has no \(function),", status: 0))
    }
    self.table = table
  }
}

/// An event of a YAML text, with its place in bytes.
package struct YAMLEvent {
  /// The kind of event.
  package enum Kind {
    case scalar(String, isPlain: Bool)
    case alias(String)
    case list, mapping
    case end
    /// The beginning of a text or a document, without a value.
    case beginning
    case endOfDocument, endOfText
  }

  package var kind: Kind
  package var place: Range<Int>
  /// The anchor of a value: the name by which aliases refer to it.
  package var anchor: String?
  /// The tag of a value.
  package var tag: String?
  /// Whether a list or a mapping is in flow style: with brackets or braces.
  package var isFlow = false
}

/// The reason why a text is not YAML, as libyaml describes it, and its place.
package struct YAMLFault: Error {
  package var place: Range<Int>
  package var problem: String
  /// Whether the error is at a tab.
  package var isTab: Bool
}

/// A YAML parser that returns events, based on libyaml.
@safe package final class YAMLEvents {
  private let library: YAMLLibrary
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let size: Int
  /// The offset of each character and of the end of the text; empty if each character is one byte.
  private let offsets: [Int32]

  /// Creates a parser for a text in UTF-8; throws if the library cannot be loaded.
  package init(_ text: [UInt8]) throws(Failure) {
    library = try YAMLLibrary()
    size = text.count
    let isASCII = text.allSatisfy { $0 < 0x80 }
    offsets =
      isASCII
      ? []
      : text.indices.filter { text[$0] & 0xC0 != 0x80 }.map { Int32($0) }
        + [Int32(text.count)]
    unsafe bytes = .allocate(capacity: text.count)
    _ = unsafe bytes.initialize(from: text)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    _ = unsafe library.table.parser_initialize?(parser)
    unsafe library.table.parser_set_encoding?(parser, YAML_UTF8_ENCODING)
    unsafe library.table.parser_set_input_string?(parser, bytes.baseAddress, text.count)
  }

  deinit {
    unsafe library.table.parser_delete?(parser)
    unsafe parser.deallocate()
    unsafe bytes.deallocate()
  }

  /// Returns the place in bytes for a place in characters.
  private func offset(_ mark: yaml_mark_t) -> Int {
    let index = Int(clamping: mark.index)
    if offsets.isEmpty { return min(index, size) }
    return Int(offsets[min(index, offsets.count - 1)])
  }

  /// Returns the next event; throws if the text is not YAML.
  package func next() throws(YAMLFault) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe library.table.parser_parse?(parser, &event) == 1 else { throw fault() }
    defer { unsafe library.table.event_delete?(&event) }
    let start = offset(unsafe event.start_mark)
    let span = start..<max(start, offset(unsafe event.end_mark))
    func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      unsafe pointer.map { unsafe String(cString: $0) }
    }
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return unsafe YAMLEvent(
        kind: .scalar(
          String(decoding: value, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
        place: span, anchor: text(scalar.anchor), tag: text(scalar.tag))
    case YAML_ALIAS_EVENT:
      return unsafe YAMLEvent(kind: .alias(text(event.data.alias.anchor) ?? ""), place: span)
    case YAML_SEQUENCE_START_EVENT:
      let list = unsafe event.data.sequence_start
      return unsafe YAMLEvent(
        kind: .list, place: span, anchor: text(list.anchor), tag: text(list.tag),
        isFlow: list.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_MAPPING_START_EVENT:
      let mapping = unsafe event.data.mapping_start
      return unsafe YAMLEvent(
        kind: .mapping, place: span, anchor: text(mapping.anchor), tag: text(mapping.tag),
        isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .end, place: span)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .endOfDocument, place: span)
    case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .endOfText, place: span)
    default: return YAMLEvent(kind: .beginning, place: span)
    }
  }

  /// Returns the current error of libyaml.
  private func fault() -> YAMLFault {
    let isOfReader = unsafe parser.pointee.error == YAML_READER_ERROR
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "invalid YAML"
    let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) }
    // An error in a truncated text is reported at the start of the incomplete value.
    let isCutOff = problem.contains("end of stream") && context != nil
    let mark = unsafe isCutOff ? parser.pointee.context_mark : parser.pointee.problem_mark
    let start = isOfReader ? Int(clamping: unsafe parser.pointee.problem_offset) : offset(mark)
    let place = max(0, min(start, size))
    let isTab = unsafe place < size && bytes[place] == 0x09
    return YAMLFault(
      place: place..<min(place + 1, size), problem: problem + (context.map { ", " + $0 } ?? ""),
      isTab: isTab)
  }
}
