import { AppError } from '../domain/errors.ts'
import { compileGlob } from '../domain/glob.ts'

/** Largest file worth copying into a context, in bytes. */
export const LARGEST_TEXT = 1024 * 1024

export const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 8_000).includes(0)

/**
 * Selects paths: a pattern without a slash matches names at any depth; a matched folder includes everything below it.
 */
export function pathFilter({
  include,
  exclude,
}: {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}): (path: string) => boolean {
  const isIncluded = anyOf(include)
  const isExcluded = anyOf(exclude)
  return (path) => (include.length === 0 || isIncluded(path)) && !isExcluded(path)
}

function anyOf(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => {
    const clean = pattern.replace(/^\.?\/+/, '').replace(/\/+$/, '')
    return clean.includes('/') || pattern.startsWith('/') || pattern.endsWith('/')
      ? [clean, `${clean}/**`]
      : [clean, `**/${clean}`, `**/${clean}/**`]
  })
  const tests = globs.map((glob) => {
    const fits = compileGlob(glob)
    if (fits === undefined)
      throw new AppError('invalid_input', 'A pattern of include or exclude is too long.', {
        hint: 'Split it into several.',
      })
    return fits
  })
  return (path) => tests.some((fits) => fits(path))
}
