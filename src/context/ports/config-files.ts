/** Configuration files of a context project. */
export interface ConfigTexts {
  /** `ken.yaml`. */
  readonly yaml: string
  /** `.env`; empty if missing. */
  readonly env: string
  /** `.gitignore`; empty if missing. */
  readonly ignored: string
}

export interface ConfigFiles {
  /**
   * Changes the project's files in a folder, one caller at a time: `edit` receives the current texts, and files that it
   * omits stay unchanged. Each file is replaced atomically; `.env` is readable only by its owner. Throws `forbidden` if
   * ken.yaml or a file to be written is not a plain file in that folder.
   */
  change<T>(
    root: string,
    edit: (now: ConfigTexts) => { readonly write: Partial<ConfigTexts>; readonly result: T },
  ): Promise<T>
  /**
   * Like `change`, for one text that people keep in the project, e.g. RULES.md: `edit` gets the current text, or
   * undefined if missing; its result is written, and null deletes the file. Without `write` nothing changes. Throws
   * `forbidden` if a part of the path is a link or it is not a plain text file of reasonable size.
   */
  changeText<T>(
    root: string,
    path: string,
    edit: (now: string | undefined) => { readonly write?: string | null; readonly result: T },
  ): Promise<T>
  /**
   * Writes a text that Ken generates, e.g. a report, replacing an existing file by a rename. Creates folders. Throws
   * `forbidden` if a part of the path is a link or it is not a plain file.
   */
  writeText(root: string, path: string, text: string): Promise<void>
}
