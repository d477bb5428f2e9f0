import { AppError } from '../kernel/domain/errors.ts'
import { rememberRecent, type RecentValues } from '../kernel/domain/recent-values.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { QueryExpansion } from '../retrieval/ports/query-expansion.ts'
import type { Reranker } from '../retrieval/ports/reranker.ts'
import { withDeadline } from './deadline.ts'

/**
 * The models that improve an answer, if any are configured. Returns undefined if a model fails or is late, and adds the
 * reason to `notes`.
 */
export interface SearchModels {
  /** False when the stage is off. A model that cannot be opened fails in its stage, not here. */
  isOn(stage: 'expansion' | 'rerank'): Promise<boolean>
  /** Other wordings of a query. */
  expand(query: string, notes: string[]): Promise<readonly string[] | undefined>
  /** Relevance of each passage to a query, in the order of the passages. */
  rerank(query: string, passages: readonly string[], notes: string[]): Promise<readonly number[] | undefined>
}

/** How many milliseconds a search waits for a model before it answers without it. */
export const STAGE_DEADLINES = { expansion: 2_000, rerank: 3_000 } as const

/** Cached answers, so that a repeated question is free. */
const REMEMBERED = 200

interface ModelsInUse {
  expansion(): Promise<QueryExpansion | undefined>
  reranker(): Promise<Reranker | undefined>
}

export function openSearchModels({ expansion, reranker }: ModelsInUse): SearchModels {
  const wordings = rememberRecent<readonly string[]>(REMEMBERED)
  const relevances = rememberRecent<readonly number[]>(REMEMBERED)
  const isSet = (load: () => Promise<unknown>): Promise<boolean> =>
    load().then(
      (model) => model !== undefined,
      () => true,
    )

  return {
    isOn: (stage) => isSet(stage === 'expansion' ? expansion : reranker),
    expand: (query, notes) =>
      inStage('expansion', notes, async (signal) => {
        const model = (await expansion())!
        return remembered(wordings, hashOf(model.id, query), () => model.expand(query, signal))
      }),
    rerank: (query, passages, notes) =>
      inStage('rerank', notes, async (signal) => {
        const model = (await reranker())!
        return remembered(relevances, hashOf(model.id, query, ...passages), () => model.rerank(query, passages, signal))
      }),
  }
}

async function remembered<T>(values: RecentValues<T>, key: string, make: () => Promise<T>): Promise<T> {
  const value = values.get(key) ?? (await make())
  values.set(key, value)
  return value
}

async function inStage<T>(
  stage: keyof typeof STAGE_DEADLINES,
  notes: string[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const milliseconds = STAGE_DEADLINES[stage]
  try {
    return await withDeadline(
      work(AbortSignal.timeout(milliseconds)),
      milliseconds,
      `the model did not answer within ${milliseconds / 1000} s`,
    )
  } catch (error) {
    const reason = error instanceof AppError ? error.line : `${error instanceof Error ? error.message : String(error)}.`
    notes.push(`No ${stage}: ${reason}`)
    return undefined
  }
}

const hashOf = (...parts: readonly string[]): string => sha256(JSON.stringify(parts))
