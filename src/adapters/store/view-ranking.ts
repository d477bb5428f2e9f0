import { rankDecisions } from '../../core/record/rank-decisions.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Ranking, RankQuery } from '../../ports/store.ts'
import type { DecisionView } from './decision-view.ts'
import type { SemanticParts, SemanticSearch } from './semantic-search.ts'

export interface RankingParts extends Omit<SemanticParts, 'embedder'> {
  /** Loaded when a ranking needs it first. */
  readonly embedder?: (() => Promise<Embedder | undefined>) | undefined
}

export interface ViewRanking {
  rank(view: DecisionView, query: RankQuery): Promise<Ranking>
  close(): Promise<void>
}

/** Ranks the decisions of a view by their words and, where there is an embedder, by what they mean. */
export function openViewRanking({ embedder, ...parts }: RankingParts): ViewRanking {
  // Loaded when it is needed: a check in a new process is mostly start.
  let semantic: Promise<SemanticSearch> | undefined
  const loadSemantic =
    embedder &&
    (() =>
      (semantic ??= import('./semantic-search.ts').then(({ openSemanticSearch }) =>
        openSemanticSearch({ ...parts, embedder }),
      )))
  return {
    rank(view, query) {
      const corpus = view.corpus(query)
      const record = view.corpus({ among: 'active', check: true })
      return rankDecisions(
        corpus,
        query,
        query.byWords === true
          ? undefined
          : loadSemantic && (async (question) => (await loadSemantic()).ask(corpus, question, record)),
      )
    },
    close: async () => (await semantic)?.close(),
  }
}
