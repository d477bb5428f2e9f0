const LONGEST_PATH = 1_000
const LONGEST_PART = 200

/**
 * Whether a path from a stranger names a file below a folder and nothing else, on any system: no way up, no drive, no
 * repository of git, nothing invisible.
 */
export const isPlainPath = (path: string): boolean => path.length <= LONGEST_PATH && path.split('/').every(isPlainPart)

const isPlainPart = (part: string): boolean =>
  part !== '' &&
  part.length <= LONGEST_PART &&
  !/^\.{1,2}$|^\.git$|^git~\d+$|[\\:]|\p{C}|[. ]$/iu.test(part) &&
  part.isWellFormed()
