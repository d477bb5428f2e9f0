/** A file of an export. Its size is known before its contents. */
export interface ExportedFile {
  readonly path: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * All data of a person or a project, file by file, each as of the time it is read. Contains no secrets: no hashes of
 * tokens or codes, no session ids. Memory use is bounded.
 */
export interface DataExport {
  /** Throws `not_found` for an unknown id. */
  person(id: string): AsyncIterable<ExportedFile>
  /**
   * The project's record as a folder that Ken can open. Throws `not_found`; `conflict` if the past was rewritten
   * meanwhile.
   */
  project(id: string): AsyncIterable<ExportedFile>
}
