import { fileURLToPath } from 'node:url'

/** The folder that an editor recorded as `file:///…`; undefined for one on another machine, or if it is not a URI. */
export function folderOfUri(uri: string): string | undefined {
  const drive = /^file:\/\/\/([a-z])(?::|%3A)\//i.exec(uri)
  if (!uri.startsWith('file:///')) return undefined
  try {
    const path = fileURLToPath(uri, { windows: drive !== null })
    // Editors write the drive in lower case; the system reports it in upper case.
    return drive === null ? path : path.replace(/^[a-z]/, (letter) => letter.toUpperCase())
  } catch {
    return undefined
  }
}
