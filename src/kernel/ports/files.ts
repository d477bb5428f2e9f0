/** Files outside the record, named by the user, for import and export. */
export interface Files {
  /** Undefined if the file does not exist; undecodable bytes are replaced. */
  read(path: string): Promise<string | undefined>
  /** Contents of a file of at most `most` bytes; undefined if missing. Throws `invalid_input` for a larger one. */
  bytes(path: string, most: number): Promise<Uint8Array | undefined>
  /** The real path of a folder, links resolved; undefined if missing. */
  folder(path: string): Promise<string | undefined>
  /**
   * Regular files below a folder, relative, sorted; symbolic links are not followed. Undefined if the folder does not
   * exist.
   */
  list(folder: string): Promise<readonly string[] | undefined>
  /** The UTC day of its last change, e.g. 2026-05-01; undefined if the file does not exist. */
  writtenOn(path: string): Promise<string | undefined>
  /**
   * Writes by rename, so that no reader sees half a file; creates missing folders. Throws `conflict` if the file exists
   * and `replace` is false, or if it is not a plain file: a link, a folder or a device is never replaced.
   */
  write(path: string, text: string | Uint8Array, options: { replace: boolean }): Promise<void>
  /** Reads standard input to its end; empty at a terminal. */
  input(): Promise<string>
}
