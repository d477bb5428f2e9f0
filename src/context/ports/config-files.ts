/** The files that a person configures a context project with. */
export interface ConfigTexts {
  /** `ken.yaml`. */
  readonly yaml: string
  /** `.env`; empty when there is none. */
  readonly env: string
  /** `.gitignore`; empty when there is none. */
  readonly ignored: string
}

export interface ConfigFiles {
  /**
   * Changes the files of the project in a folder, one caller at a time: `edit` is given the texts as they are now, and
   * what it leaves out stays. Each file is the old one or the new one, whatever happens; `.env` is for its owner alone.
   * Throws `forbidden` where one that would be written, or ken.yaml, is no plain file of that folder.
   */
  change<T>(
    root: string,
    edit: (now: ConfigTexts) => { readonly write: Partial<ConfigTexts>; readonly result: T },
  ): Promise<T>
  /**
   * The same for one text that people keep in the project, e.g. RULES.md: `edit` is given it as it is now, undefined
   * where there is none; what it gives is written, and null takes the file away. Without `write` nothing changes. Throws
   * `forbidden` where a part of the path is a link or there is no plain text file of reasonable size.
   */
  changeText<T>(
    root: string,
    path: string,
    edit: (now: string | undefined) => { readonly write?: string | null; readonly result: T },
  ): Promise<T>
  /**
   * A text that Ken makes itself, e.g. a report: the file that was there before is replaced, by a rename. Folders are
   * made. Throws `forbidden` where a part of the path is a link or there is no plain file.
   */
  writeText(root: string, path: string, text: string): Promise<void>
}
