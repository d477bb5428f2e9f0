/** A word of a line that a POSIX shell reads. Git brings one for its hooks and drivers on every system, Windows too. */
export function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * A word of a line that cmd.exe, PowerShell or the shell of Git for Windows may read, nobody knows which. With forward
 * slashes no shell takes a part of a path for an escape; quotes only where they are needed, since PowerShell does not
 * run a program that is quoted.
 */
export function windowsWord(word: string): string {
  const plain = isWindowsPath(word) ? word.replaceAll('\\', '/') : word
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `"${plain.replaceAll('"', '""')}"`
}

/** What git runs to merge a file: `%` has a meaning of its own to git, so one in a path is doubled. */
export function mergeDriverLine(launcher: readonly string[]): string {
  const words = launcher.map((word) => posixWord(isWindowsPath(word) ? word.replaceAll('\\', '/') : word))
  return `${words.join(' ').replaceAll('%', '%%')} merge-driver %O %A %B %P`
}

const isWindowsPath = (word: string): boolean => /^(?:[a-z]:\\|\\\\)/i.test(word)
