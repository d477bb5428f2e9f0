/** Quotes a word for a POSIX shell. Git includes one for its hooks and drivers on every system, including Windows. */
export function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Quotes a word for cmd.exe, PowerShell or the shell of Git for Windows, because it is unknown which shell runs. With
 * forward slashes, no shell interprets part of a path as an escape; quotes are added only if needed, since PowerShell
 * does not run a quoted program.
 */
export function windowsWord(word: string): string {
  const plain = isWindowsPath(word) ? word.replaceAll('\\', '/') : word
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `"${plain.replaceAll('"', '""')}"`
}

/** Command that git runs to merge a file. `%` is special to git, so a `%` in a path is doubled. */
export function mergeDriverLine(launcher: readonly string[]): string {
  const words = launcher.map((word) => posixWord(isWindowsPath(word) ? word.replaceAll('\\', '/') : word))
  return `${words.join(' ').replaceAll('%', '%%')} merge-driver %O %A %B %P`
}

const isWindowsPath = (word: string): boolean => /^(?:[a-z]:\\|\\\\)/i.test(word)
