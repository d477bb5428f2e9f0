import { nameKey } from '../names/known-names.ts'

const SHELF = /(?:^|\/)(?:vendor|vendored|third[_-]?party|external|externals|deps|_vendor|contrib)\/(?:[^/]+\/){0,3}/i

/** Whether a copy of something lies in the repository itself. */
export const isVendored = (key: string, files: readonly { readonly path: string }[]): boolean =>
  files.some(({ path }) => {
    const shelf = SHELF.exec(path)
    if (shelf === null) return false
    return path
      .slice(shelf.index)
      .split('/')
      .some(
        (part) =>
          nameKey(part.replace(/(?:[-.@]v?\d[\w.]*)?(?:\.min)?(?:\.\w+)?$/, '')) === key || nameKey(part) === key,
      )
  })
