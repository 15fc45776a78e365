// Findings are part of every report, and paths and times of its values: a client of the library can
// name them without another import. Of the reader of JSON it sees nothing but the values.
@_exported public import SourceDiagnostics
@_exported public import struct SystemIO.FilePath
@_exported public import struct SystemIO.Moment
