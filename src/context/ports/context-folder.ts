import type { Template } from './templates.ts'

/** Context project folder: the files that people wrote there, and the resolution of its paths. */
export interface ContextFolder {
  /** Links are resolved, so that a project is the same however it was entered. */
  readonly root: string
  /**
   * Text of a hand-written file, empty if missing. If the file is too large, returns slightly more than is allowed, so
   * that the reader rejects it.
   */
  read(path: string): Promise<string>
  place(path: string): string
  /** Target of a path with links resolved, if outside the folder; undefined if it stays inside. */
  outside(path: string): string | undefined
  /**
   * First missing part of a path, as a full path, and the probable correction. Undefined if the whole path exists.
   * Names outside the folder are not revealed.
   */
  missing(path: string): { readonly part: string; readonly near: string | undefined } | undefined
  /**
   * Content hash of a file in the folder; undefined for a file outside it, after links are resolved, and for anything
   * but a plain file.
   */
  fileMark(path: string): string | undefined
  /** Templates directly in a folder, by document; links are not followed. */
  overrides(folder: string): Promise<ReadonlyMap<string, Template>>
  /** All templates that people wrote beside the context, by path, except those owned or in the folder. */
  templates(except: { readonly owned: ReadonlySet<string>; readonly folder: string }): Promise<readonly Template[]>
}
