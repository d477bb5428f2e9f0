import type { Edit, FileChange } from './file-change.ts'

/** One thing that Ken keeps in a file of somebody else's. Undefined: nothing of the file is left. */
export interface FilePart {
  add(text: string): string
  remove(text: string, before: string | undefined): string | undefined
}

/** A change of a file that holds other things too: `wanted` is written, and on removal everything of `all` goes. */
export function partsOfFile(
  file: { path: string; within: string | undefined; owner: string },
  wanted: readonly FilePart[],
  all: readonly FilePart[],
): FileChange {
  return {
    ...file,
    add: (text): Edit => ({ text: wanted.reduce((after, part) => part.add(after), text ?? '') }),
    remove(text, before): Edit {
      let after: string | undefined = text
      for (const part of all.toReversed()) after = after === undefined ? undefined : part.remove(after, before)
      return { text: after }
    },
  }
}
