import { nameKey } from '../names/known-names.ts'

const SHELF = /(?:^|\/)(?:vendor|vendored|third[_-]?party|external|externals|deps|_vendor|contrib)\/(?:[^/]+\/){0,3}/i

/** Keys of copies vendored in the repository, from the names of their folders and files. */
export const vendoredKeys = (files: readonly { readonly path: string }[]): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ path }) => {
      const shelf = SHELF.exec(path)
      const parts = shelf === null ? [] : path.slice(shelf.index).split('/')
      return parts.flatMap((part) => [
        nameKey(part),
        nameKey(part.replace(/(?:[-.@]v?\d[\w.]*)?(?:\.min)?(?:\.\w+)?$/, '')),
      ])
    }),
  )
