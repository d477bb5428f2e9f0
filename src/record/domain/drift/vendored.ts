import { nameKey } from '../names/known-names.ts'

const SHELF = /(?:^|\/)(?:vendor|vendored|third[_-]?party|external|externals|deps|_vendor|contrib)\/(?:[^/]+\/){0,3}/i

/** What lies in the repository as a copy, by the names of its folders and files. */
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
