import { fileURLToPath } from 'node:url'

/** The folder that an editor recorded as `file:///…`; undefined for one on another machine, or for what is no address. */
export function folderOfUri(uri: string): string | undefined {
  const drive = /^file:\/\/\/([a-z])(?::|%3A)\//i.exec(uri)
  if (!uri.startsWith('file:///')) return undefined
  try {
    const path = fileURLToPath(uri, { windows: drive !== null })
    // Editors write the drive in lower case; programs that ask the system get it in upper case.
    return drive === null ? path : path.replace(/^[a-z]/, (letter) => letter.toUpperCase())
  } catch {
    return undefined
  }
}
