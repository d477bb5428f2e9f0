import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/**
 * Target of a ken.yaml path outside the project, following links; undefined if it stays inside. The root is a real
 * path.
 */
export function placeOutside(root: string, path: string): string | undefined {
  // An engine may read `s3://…` or `md:…` as an address, even behind a folder.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return path
  const place = realPlace(resolve(root, path))
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? place : undefined
}

const MOST_LINKS = 40

/** The real path of something that may not exist: a dangling link can also lead outside. */
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
