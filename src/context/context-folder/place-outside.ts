import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * Where a path of ken.yaml leads, links followed, when that is outside of the project; undefined when it stays inside.
 * The root is a real path.
 */
export function placeOutside(root: string, path: string): string | undefined {
  // An engine may take `s3://…` or `md:…` for an address, whatever folder it is put behind.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return path
  const place = realPlace(resolve(root, path))
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? place : undefined
}

const MOST_LINKS = 40

/** The real path of a thing that may not be there: also a link that leads nowhere yet leads outside. */
function realPlace(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const link = linkOf(path)
    if (link !== undefined && links < MOST_LINKS)
      return realPlace(resolve(realPlace(dirname(path), links), link), links + 1)
    return dirname(path) === path ? path : join(realPlace(dirname(path), links), basename(path))
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
