import { type PathTest, compileGlob } from '../../../kernel/domain/glob.ts'

// No path is longer, but text from a clone may be.
const LONGEST = 4_096

/** Whether a `files_affected` entry covers a file: the file itself, a folder above it, or a glob. */
export const governs = (pattern: string, file: string): boolean => governedBy(pattern)(file)

/** Like `governs` for many files: the pattern is compiled once. */
export function governedBy(pattern: string): PathTest {
  const path = pattern.length > LONGEST ? '' : clean(pattern)
  if (path === '') return () => false
  const fits = /[*?[{]/.test(path) ? compileGlob(path) : undefined
  // The end of a glob excludes most files at once.
  const end = /[^*?[\]{}()!+@|\\/]*$/.exec(path)![0]
  return (file) => {
    const target = file.length > LONGEST ? '' : UNCLEAN.test(file) ? clean(file) : file
    return (
      target !== '' &&
      (path === target || target.startsWith(`${path}/`) || (target.endsWith(end) && fits?.(target) === true))
    )
  }
}

const UNCLEAN = /^[\s./]|\\|[\s/]$/

const clean = (path: string): string =>
  path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
