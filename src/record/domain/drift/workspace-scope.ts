import type { InScope } from './presence.ts'

/**
 * The scope of a decision with `files_affected`: the workspace packages that contain those files, the packages within
 * them, and everything above them. Without such files it covers everything.
 */
export function workspaceScope(affected: readonly string[], manifests: readonly string[]): InScope {
  if (affected.length === 0) return () => true
  const roots = [...new Set(manifests.filter((path) => !IN_EVERY_FOLDER.test(path)).map(folderOf))]
    .filter((root) => root !== '')
    .sort((a, b) => b.length - a.length)
  const packageOf = (path: string): string => roots.find((root) => path === root || path.startsWith(`${root}/`)) ?? ''
  const own = new Set(affected.map((pattern) => packageOf(plainPart(pattern))))
  if (own.has('')) return () => true
  return (path) => {
    const root = packageOf(path)
    return [...own].some((each) => root === '' || each === root || isBelow(each, root) || isBelow(root, each))
  }
}

// A build folder is not a separate package.
const IN_EVERY_FOLDER = /(?:^|\/)CMakeLists\.txt$|\.cmake$/

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** The part of a path or glob before any pattern. */
export const plainPart = (pattern: string): string => {
  const path = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
  const at = path.search(/[*?[{!@+]\(|[*?[{]/)
  return at < 0 ? path : folderOf(path.slice(0, at))
}
