const LONGEST_PATH = 1_000
// In UTF-8: what a file system takes for one name.
const LONGEST_PART = 255

/**
 * Whether a path from a stranger names a file below a folder and nothing else, on any system: no way up, no drive, no
 * repository of git, nothing invisible.
 */
export const isPlainPath = (path: string): boolean => path.length <= LONGEST_PATH && path.split('/').every(isPlainPart)

const isPlainPart = (part: string): boolean =>
  part !== '' &&
  !/^\.{1,2}$|^\.git$|^git~\d+$|[\\:]|\p{C}|[. ]$/iu.test(part) &&
  part.isWellFormed() &&
  encodeURIComponent(part).replaceAll(/%../g, '_').length <= LONGEST_PART
