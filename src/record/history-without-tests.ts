import { testsAmong } from '../kernel/domain/tests-among.ts'
import type { RepositoryHistory } from './ports/repository-history.ts'

/**
 * The history without the cases of `ken test`: a case that proposes a rejected alternative does not use it, and agents
 * must not read its expectations.
 */
export function withoutTests(history: RepositoryHistory): RepositoryHistory {
  const isTold = history.files('now', '').then((files) => {
    const isCase = testsAmong(files.map(({ path }) => path))
    return (path: string): boolean => !isCase(path)
  })
  // The failure is reported to the first caller.
  isTold.catch(() => {})
  return {
    isShallow: history.isShallow,
    line: () => history.line(),
    placeOf: (revision) => history.placeOf(revision),
    texts: (contents) => history.texts(contents),
    close: () => history.close(),
    async files(at, below) {
      const [files, told] = await Promise.all([history.files(at, below), isTold])
      return files.filter(({ path }) => told(path))
    },
    async moves(since) {
      const [moves, told] = await Promise.all([history.moves(since), isTold])
      return moves.filter(({ from }) => told(from))
    },
    async revisions(isWanted) {
      const told = await isTold
      return history.revisions((path) => told(path) && isWanted(path))
    },
  }
}
