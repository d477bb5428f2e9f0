import { AppError } from '../core/errors.ts'
import { fuseWordings } from '../core/ranking/fuse-wordings.ts'
import { orderByRelevance } from '../core/ranking/order-by-relevance.ts'
import { STAGE_DEADLINES } from '../core/ranking/stage-deadlines.ts'
import { rememberRecent } from '../core/recent-values.ts'
import { sha256 } from '../core/sha256.ts'
import type { MemoryHit } from '../ports/memory.ts'
import type { Models } from '../ports/models.ts'
import type { IndexHit } from '../ports/search-index.ts'
import { inTime } from './in-time.ts'

export interface JudgedHit extends IndexHit {
  readonly verdict: MemoryHit['verdict']
}

export interface Refinement {
  readonly found: readonly JudgedHit[]
  readonly stages: readonly string[]
  readonly notes: readonly string[]
}

export interface RefineRequest {
  readonly text: string
  /** What the text as it stands found, best first. */
  readonly found: readonly JudgedHit[]
  lookUp(wording: string): Promise<readonly JudgedHit[]>
  passageOf(hit: JudgedHit): Promise<string>
}

/** Betters an answer with models, where any are set. A stage that fails or is late is left out and said so. */
export interface Refiner {
  /** How many hits it wants to see for an answer of `limit`. */
  depth(limit: number): Promise<number>
  refine(request: RefineRequest): Promise<Refinement>
}

/** How many of the best hits a reranker is shown. */
const CANDIDATES = 30
const REMEMBERED = 200

export function openRefiner({ expansion, reranker }: Pick<Models, 'expansion' | 'reranker'>): Refiner {
  const wordings = rememberRecent<readonly string[]>(REMEMBERED)
  const relevances = rememberRecent<readonly number[]>(REMEMBERED)

  /** Undefined when the stage is off. A model that cannot be opened fails in its stage, not here. */
  const isOn = (load: () => Promise<unknown>): Promise<boolean> =>
    load().then(
      (model) => model !== undefined,
      () => true,
    )

  async function wordingsOf(text: string, signal: AbortSignal): Promise<readonly string[]> {
    const model = (await expansion())!
    const key = hashOf(model.id, text)
    const known = wordings.get(key) ?? (await model.expand(text, signal))
    wordings.set(key, known)
    return known
  }

  async function relevanceOf(
    text: string,
    passages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const model = (await reranker())!
    const key = hashOf(model.id, text, ...passages)
    const known = relevances.get(key) ?? (await model.rerank(text, passages, signal))
    relevances.set(key, known)
    return known
  }

  return {
    depth: async (limit) => ((await isOn(expansion)) || (await isOn(reranker)) ? Math.max(limit, CANDIDATES) : limit),
    async refine({ text, found: first, lookUp, passageOf }) {
      const stages: string[] = []
      const notes: string[] = []
      let found = first
      if (await isOn(expansion)) {
        const isNeeded = !first.some(({ verdict }) => verdict === 'strong')
        if (!isNeeded) notes.push('No expansion: there is a strong hit.')
        const others = isNeeded ? await inStage('expansion', notes, (signal) => wordingsOf(text, signal)) : undefined
        if (others !== undefined) {
          found = fuseWordings(first, await Promise.all(others.map(lookUp)))
          stages.push('expansion')
        }
      }
      if (found.length > 1 && (await isOn(reranker))) {
        const passages = await Promise.all(found.slice(0, CANDIDATES).map(passageOf))
        const relevance = await inStage('rerank', notes, (signal) => relevanceOf(text, passages, signal))
        if (relevance !== undefined) {
          found = reordered(found, relevance)
          stages.push('rerank')
        }
      }
      return { found, stages, notes }
    },
  }
}

/** What lies behind the candidates has no relevance and so stays behind them. */
function reordered(found: readonly JudgedHit[], relevance: readonly number[]): readonly JudgedHit[] {
  const candidates = found.map(({ score, worth }, at) => ({ score, relevance: relevance[at] ?? 0, worth }))
  return orderByRelevance(candidates).map(({ at, score }) => ({ ...found[at]!, score }))
}

async function inStage<T>(
  stage: keyof typeof STAGE_DEADLINES,
  notes: string[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const milliseconds = STAGE_DEADLINES[stage]
  try {
    return await inTime(
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
