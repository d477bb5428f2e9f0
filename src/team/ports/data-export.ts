/** A file of an export. Its size is known before its bytes are. */
export interface ExportedFile {
  readonly path: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Everything that is kept of a person or a project, file by file, as it is when each is read. No secret is in it: no
 * hash of a token or code, no id of a session. What is held of it at a time is bounded.
 */
export interface DataExport {
  /** Throws `not_found` for an id that is nobody's. */
  person(id: string): AsyncIterable<ExportedFile>
  /** Its record as a folder that Ken opens. Throws `not_found`; `conflict` where the past was written anew meanwhile. */
  project(id: string): AsyncIterable<ExportedFile>
}
