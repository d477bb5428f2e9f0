import { testsAmong } from '../kernel/domain/tests-among.ts'
import type { RepositoryHistory } from './ports/repository-history.ts'

/**
 * The same past without the cases of `ken test`: a case that proposes what a decision rejected uses nothing, and what it
 * expects is for no agent to read.
 */
export function withoutTests(history: RepositoryHistory): RepositoryHistory {
  const isTold = history.files('now', '').then((files) => {
    const isCase = testsAmong(files.map(({ path }) => path))
    return (path: string): boolean => !isCase(path)
  })
  // Whoever asks first is told of the failure.
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
