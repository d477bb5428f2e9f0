/** Files outside the record, named by the user: what import reads and export writes. */
export interface Files {
  /** Undefined when there is no such file; undecodable bytes are replaced. */
  read(path: string): Promise<string | undefined>
  /** The bytes of a file of at most so many; undefined when there is none. Throws `invalid_input` for a larger one. */
  bytes(path: string, most: number): Promise<Uint8Array | undefined>
  /** The real path of a folder, links resolved; undefined when there is none. */
  folder(path: string): Promise<string | undefined>
  /**
   * Regular files below a folder, relative, sorted; symbolic links are not followed. Undefined when there is no such
   * folder.
   */
  list(folder: string): Promise<readonly string[] | undefined>
  /** The day of its last change, e.g. 2026-05-01, in UTC; undefined when there is no such file. */
  writtenOn(path: string): Promise<string | undefined>
  /**
   * Writes by rename, so that nobody sees half a file; makes missing folders. Throws `conflict` if it exists and
   * `replace` is false, or if what is there is no plain file: a link, a folder or a device is never replaced.
   */
  write(path: string, text: string | Uint8Array, options: { replace: boolean }): Promise<void>
  /** Standard input to its end; empty at a terminal. */
  input(): Promise<string>
}
