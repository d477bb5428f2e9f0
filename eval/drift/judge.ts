import type { Context } from '../../src/operations/context.ts'
import { type DriftFinding, findDrift } from '../../src/record/find-drift.ts'
import { openRepositoryHistory } from '../../src/record/repository/history.ts'
import { openMemoryStore } from '../../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../../src/retrieval/parse/index.ts'
import { stepClock } from '../../test/contract/step-clock.ts'
import { recordFiles } from '../../test/sample-record.ts'
import { type DriftRepository, type Labelled, withRepository } from './repository.ts'

export interface JudgedDecision {
  readonly repository: string
  readonly decision: Labelled
  readonly found: readonly DriftFinding[]
  /** A drift reported with the right kind, or a harmless change that is not reported. */
  readonly isRight: boolean
}

/** Runs `ken drift` on each repository and compares the output with the labels. */
export async function judgeRepositories(repositories: readonly DriftRepository[]): Promise<JudgedDecision[]> {
  const parser = openTreeSitterParser()
  const judged: JudgedDecision[] = []
  try {
    for (const { name, commits, decisions } of repositories) {
      const store = await openMemoryStore({
        project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
        clock: stepClock(),
        files: recordFiles(decisions),
      })
      const { findings } = await withRepository(commits, (folder) => {
        const ctx = {
          repositoryHistory: () => openRepositoryHistory(folder),
          codeParser: async () => parser,
          progress() {},
        } as Partial<Context> as Context
        return findDrift(ctx, store, {})
      })
      for (const decision of decisions) {
        const found = findings.filter((each) => each.decision.num === decision.num)
        const isRight =
          decision.wanted === 'quiet' ? found.length === 0 : found.some(({ kind }) => kind === decision.wanted)
        judged.push({ repository: name, decision, found, isRight })
      }
    }
  } finally {
    await parser.close()
  }
  return judged
}
