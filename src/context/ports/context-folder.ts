import type { Template } from './templates.ts'

/** The folder of a context project as people keep it: what they wrote there, and where its paths lead. */
export interface ContextFolder {
  /** Links followed, so that a project is the same by whatever way it was entered. */
  readonly root: string
  /**
   * The text of a file that people write, empty when there is none. Of one that is too large for that it gives a little
   * more than is allowed, so that its reader refuses it.
   */
  read(path: string): Promise<string>
  place(path: string): string
  /** Where a path leads, links followed, when that is outside of the folder; undefined when it stays inside. */
  outside(path: string): string | undefined
  /**
   * The first part of a path that is not there, as a path of its own, and what was probably meant in its place.
   * Undefined where all of it is there. Names of things outside of the folder are not told.
   */
  missing(path: string): { readonly part: string; readonly near: string | undefined } | undefined
  /**
   * A hash of what a file of the folder holds; undefined for one outside, links followed, and for what is no
   * plain file.
   */
  fileMark(path: string): string | undefined
  /** The templates directly in a folder, by document; links are not followed. */
  overrides(folder: string): Promise<ReadonlyMap<string, Template>>
  /** Every template that people wrote beside the context, by path; those that are owned or in the folder are left out. */
  templates(except: { readonly owned: ReadonlySet<string>; readonly folder: string }): Promise<readonly Template[]>
}
