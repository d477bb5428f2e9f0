/** A file as it was when found. */
export interface FoundFile {
  readonly path: string
  /** Below the root, with forward slashes. */
  readonly relative: string
  readonly size: number
  readonly mtime: number
}

export interface FileScan {
  readonly files: readonly FoundFile[]
  /** Files skipped because of a limit; `reason` names it. */
  readonly overBudget: readonly { readonly path: string; readonly reason: string }[]
  /** True if the folder itself is missing or unreadable, so that the state of its files is unknown. */
  readonly isMissing?: boolean
}

export interface CodeLimits {
  readonly exclude: readonly string[]
  readonly extensions: readonly string[]
  readonly maxFileSize: number
  readonly maxSize: number
  readonly maxFiles: number
}

/** A file's text, and the SHA-256 of its bytes in hexadecimal. */
export interface FileContents {
  readonly text: string
  readonly hash: string
}

export type OpenDocuments = () => Documents

/**
 * The files that become documents of the index, and the notes written among them. A pull may have replaced a file found
 * earlier with anything: links are never followed, pipes are never waited for, and files larger than Ken indexes are
 * never read. Ken's test cases (`tests` next to a ken.yaml, `.ken/tests`) contain the expected answers: they are
 * neither found nor read. Reading is synchronous, because ten small files are read in a fraction of the time that their
 * promises take.
 */
export interface Documents {
  /** Lets another thread of this process open the same files: the address of a module that exports `openDocuments`. */
  readonly module: string
  /** Regular files below a folder. Hidden folders, symbolic links and unreadable files are skipped. */
  scanFolder(root: string, accepts: (relative: string) => boolean): Promise<FileScan>
  /**
   * The source files of a repository that git would not ignore, with nested .gitignore files and exceptions taken into
   * account. Excludes everything below a root reached through a link, or below an unreadable .gitignore.
   */
  scanCode(root: string, limits: CodeLimits): Promise<FileScan>
  /** For the index: the contents of a text file, or the reason why it cannot be indexed. Undefined if deleted. */
  contents(path: string): FileContents | { readonly reason: string } | undefined
  /**
   * For display: the text of a document as its file is now; undefined if it was deleted, is too large or is no longer a
   * plain file. Source code is listed by real paths, so no folder above it may be a link either.
   */
  text(document: { readonly path: string; readonly origin: string }): string | undefined
  /** Current size and time of the file; undefined if it was deleted. */
  stamp(path: string): { readonly size: number; readonly mtime: number } | undefined
  /**
   * Appends to a file, creating the file and its folder if needed. Synced to disk on return; two processes never mix
   * their entries. Returns the line at which the text begins.
   */
  append(path: string, text: string): number
}
