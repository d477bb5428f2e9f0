import { isDeepStrictEqual } from 'node:util'
import { openPokeDesk, type Answers } from './desk.ts'
import { POKES, type Random } from './pokes.ts'

export interface PokeCounts {
  times: number
  /** Pokes that were detected, rebuilt, reported, and answered correctly. */
  healed: number
  /**
   * Damaged indexes that are searched correctly without a message: the damaged part is not read, or was repaired by the
   * reads before every search.
   */
  harmless: number
  wrong: number
  failed: number
}

export interface PokeTally {
  readonly byName: ReadonlyMap<string, PokeCounts>
  readonly total: PokeCounts
}

export interface PokeRun {
  readonly count: number
  readonly seed: number
  /** The name of one kind of poke. */
  readonly only?: string | undefined
  /** Receives wrong answers and failures. */
  readonly tell: (line: string) => void
  readonly progress?: (soFar: PokeCounts) => void
}

const none = (): PokeCounts => ({ times: 0, healed: 0, harmless: 0, wrong: 0, failed: 0 })

/** Every kind of poke in turn, up to `count`. */
export async function runPokes({ count, seed, only, tell, progress }: PokeRun): Promise<PokeTally> {
  const desk = await openPokeDesk()
  const byName = new Map<string, PokeCounts>()
  const total = none()
  const pokes = POKES.filter(({ name }) => only === undefined || name === only)
  try {
    for (let i = 0; i < count; i++) {
      const poke = pokes[i % pokes.length]!
      desk.reset(poke.log)
      poke.do(desk.index, chanceFrom(seed * 1_000_003 + i))
      const [outcome, why] = await outcomeOf(desk)
      const own = byName.get(poke.name) ?? none()
      byName.set(poke.name, own)
      for (const counts of [own, total]) {
        counts.times++
        counts[outcome]++
      }
      if (total.times % 20 === 0) progress?.(total)
      if (why !== '') tell(`${outcome}: ${poke.name} (poke ${i} of seed ${seed}): ${why}`)
    }
    return { byName, total }
  } finally {
    desk.close()
  }
}

async function outcomeOf(
  desk: Awaited<ReturnType<typeof openPokeDesk>>,
): Promise<[Exclude<keyof PokeCounts, 'times'>, string]> {
  try {
    const { answers, said } = await desk.ask()
    const wrong = differences(answers, desk.right)
    if (wrong.length > 0) return ['wrong', wrong.join('; ').slice(0, 400)]
    // A second query must not find the index damaged again.
    const again = await desk.ask()
    if (differences(again.answers, desk.right).length > 0) return ['wrong', 'the second time']
    if (again.said.some((line) => line.includes('rebuilt'))) return ['failed', `rebuilt twice: ${again.said[0]}`]
    return said.some((line) => line.includes('rebuilt')) ? ['healed', ''] : ['harmless', '']
  } catch (error) {
    return ['failed', error instanceof Error ? `${error.name}: ${error.message}` : String(error)]
  }
}

const differences = (found: Answers, right: Answers): string[] =>
  Object.keys(right).filter((key) => !isDeepStrictEqual(found[key], right[key]))

/** Returns a generator with the same numbers for the same seed on every machine. */
function chanceFrom(seed: number): Random {
  let state = seed >>> 0
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * Math.floor(most))
  }
}
