/**
 * Recognises test cases among the files of a repository: those in `tests` of a context project, which is next to a
 * ken.yaml, and in `.ken/tests`.
 */
export function testsAmong(paths: readonly string[]): (path: string) => boolean {
  const folders = new Set(
    paths
      .filter((path) => /(?:^|\/)ken\.yaml$/i.test(path))
      .map((path) => path.slice(0, -'ken.yaml'.length).toLowerCase()),
  )
  return (path) => testsFoldersOf(path).some((parent) => isKens(parent) || folders.has(parent.toLowerCase()))
}

/** Parent folders of each `tests` in a path, each with its slash: `a/` for `a/tests/b`. */
export const testsFoldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/(?<=^|\/)tests(?:\/|$)/gi)].map(({ index }) => path.slice(0, index))

/** Whether a folder is `.ken`, in which tests need no ken.yaml beside them. */
export const isKens = (parent: string): boolean => /(?:^|\/)\.ken\/$/i.test(parent)
