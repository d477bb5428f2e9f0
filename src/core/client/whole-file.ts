import type { Edit, FileChange } from './file-change.ts'

/** A file that is Ken's from the first byte to the last. One that somebody changed is never touched. */
export function wholeFile(file: {
  path: string
  within: string | undefined
  owner: string
  content: string
}): FileChange {
  const { content } = file
  return {
    ...file,
    add: (text, ours): Edit =>
      text === undefined || text === content || ours
        ? { text: content }
        : { text, kept: 'it differs from what Ken wrote; delete it to get the new one' },
    remove: (text): Edit =>
      text === content
        ? { text: undefined }
        : { text, kept: 'it was changed by hand; delete it yourself if you do not need it' },
  }
}
