import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The path of a `file:` URI without a host; undefined for anything else, including malformed URIs. */
export function pathOfUri(uri: string): string | undefined {
  try {
    const url = new URL(uri)
    if (url.protocol !== 'file:' || url.host !== '') return undefined
    const path = fileURLToPath(url)
    return path.includes('\0') || path.startsWith('\\\\') ? undefined : path
  } catch {
    return undefined
  }
}

export const uriOfPath = (path: string): string => pathToFileURL(path).href

/** The path without links; for a file that does not exist yet, its folder without links. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    try {
      return join(realpathSync.native(dirname(path)), basename(path))
    } catch {
      return undefined
    }
  }
}

/** The path below a folder, with forward slashes; undefined for a path outside and for the folder itself. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || /^(?:[A-Za-z]:|[/\\])/.test(below))
    return undefined
  return below.split(sep).join('/')
}
