import type { InScope } from './presence.ts'

/**
 * What a decision with `files_affected` speaks of: the packages of a workspace that those files belong to, those that lie
 * in them, and what stands above them. Without any it speaks of everything.
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

// A folder of a build is no package of its own.
const IN_EVERY_FOLDER = /(?:^|\/)CMakeLists\.txt$|\.cmake$/

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** The part of a path or glob before anything that is a pattern. */
export const plainPart = (pattern: string): string => {
  const path = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
  const at = path.search(/[*?[{!@+]\(|[*?[{]/)
  return at < 0 ? path : folderOf(path.slice(0, at))
}
