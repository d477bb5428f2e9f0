const LONGEST_PATH = 1_000
// Bytes of UTF-8: the limit of file systems for one name.
const LONGEST_PART = 255

/**
 * Whether an untrusted path can only be a file below a folder, on any system: no parent folder, no drive, no git
 * repository, nothing invisible.
 */
export const isPlainPath = (path: string): boolean => path.length <= LONGEST_PATH && path.split('/').every(isPlainPart)

const isPlainPart = (part: string): boolean =>
  part !== '' &&
  !/^\.{1,2}$|^\.git$|^git~\d+$|[\\:]|\p{C}|[. ]$/iu.test(part) &&
  part.isWellFormed() &&
  encodeURIComponent(part).replaceAll(/%../g, '_').length <= LONGEST_PART
