/** A file that was found, as it was then. */
export interface FoundFile {
  readonly path: string
  /** Below the root, with forward slashes. */
  readonly relative: string
  readonly size: number
  readonly mtime: number
}

export interface FileScan {
  readonly files: readonly FoundFile[]
  /** Left out because of a limit, with the limit. */
  readonly overBudget: readonly { readonly path: string; readonly reason: string }[]
}

export interface CodeLimits {
  readonly exclude: readonly string[]
  readonly extensions: readonly string[]
  readonly maxFileSize: number
  readonly maxSize: number
  readonly maxFiles: number
}

/** The whole of a file: its text, and the SHA-256 of its bytes in hexadecimal. */
export interface FileContents {
  readonly text: string
  readonly hash: string
}

export type OpenDocuments = () => Documents

/**
 * The files that become documents of the index, and the notes that are written among them. A pull may have put anything
 * in the place of a file that was found earlier: a link is never followed, a pipe never waited for, and no file read
 * that is larger than Ken indexes. Test cases of Ken's (`tests` beside a ken.yaml, `.ken/tests`) hold the expected
 * answers: they are neither found nor read. Reading is synchronous, because ten small files are read in a fraction of the time
 * that their promises take.
 */
export interface Documents {
  /** How another thread of this process opens the same files: the address of a module that exports `openDocuments`. */
  readonly module: string
  /**
   * Regular files below a folder. Hidden folders, symbolic links and what may not be read are left out; no folder gives
   * no files.
   */
  scanFolder(root: string, accepts: (relative: string) => boolean): Promise<FileScan>
  /**
   * The source files of a repository: what git would not ignore, nested .gitignore files and exceptions included.
   * Nothing below a root that is reached through a link, or below a .gitignore that cannot be read.
   */
  scanCode(root: string, limits: CodeLimits): Promise<FileScan>
  /** For the index: what a text file holds, or the reason why it cannot be indexed. Undefined when it has gone. */
  contents(path: string): FileContents | { readonly reason: string } | undefined
  /**
   * For showing: the text of a document as its file is now; undefined when it is gone, too large or not a plain file
   * any more. Source code is listed by real paths, so there no folder above it may be a link either.
   */
  text(document: { readonly path: string; readonly origin: string }): string | undefined
  /** Size and time of the file as it is now; undefined when it has gone. */
  stamp(path: string): { readonly size: number; readonly mtime: number } | undefined
  /**
   * Adds to the end of a file, and makes the file and its folder where there is none. It is on disk when this returns;
   * two processes never mix what they add. Gives the line that the text begins at.
   */
  append(path: string, text: string): number
}
