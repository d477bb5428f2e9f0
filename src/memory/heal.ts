import { setTimeout as sleep } from 'node:timers/promises'
import { diskFailure } from '../kernel/domain/disk-failure.ts'
import { AppError } from '../kernel/domain/errors.ts'
import type { Lease } from '../kernel/ports/lease.ts'
import { IndexDamaged } from '../retrieval/domain/index-damaged.ts'
import { takeLease } from './lease.ts'
import type { IndexHealth } from './ports/index-health.ts'
import type { UpdateRequest } from './ports/memory.ts'

export interface HealParts {
  readonly health: IndexHealth
  readonly lease: Lease
  /** Throws `unavailable` if nothing may be written now. */
  checkRoom(): void
  /** Reads every file into an index in which some or all of them are missing. */
  refill(request: RefillRequest): Promise<void>
  /** Builds the parts a search can do without. */
  complete(signal: AbortSignal): Promise<void>
}

export type RefillRequest = Pick<UpdateRequest, 'signal' | 'progress'>

export interface Healed<T> {
  readonly value: T
  /** Notices about the index for the caller, such as a rebuild. */
  readonly notes: readonly string[]
}

// Milliseconds. An agent waits a minute for an answer, and most indexes are built in less than this.
const PATIENCE = 25_000
const ATTEMPTS = 3

export type Healer = ReturnType<typeof openHealer>

/** Wraps every index query: a damaged index is rebuilt from the files before it is queried again. */
export function openHealer(parts: HealParts) {
  const stop = new AbortController()
  let healing: Healing | undefined

  /** Requires the lease. */
  async function mend(damage: IndexDamaged, request: RefillRequest): Promise<void> {
    try {
      parts.checkRoom()
      await parts.health.renew(damage)
      if ((await damageIn(parts.health)) === undefined) return
      await parts.refill(request)
      await parts.health.finish()
    } catch (error) {
      const refusal = refusalIn(error)
      throw refusal === undefined ? error : stays(damage, refusal)
    }
  }

  function begin(damage: IndexDamaged): Healing {
    const release = takeLease(parts.lease, PATIENCE, stop.signal)
    const texts = release.then(async (given) => {
      if (given === undefined) throw beingRebuilt(damage)
      await mend(damage, { signal: stop.signal, progress: () => {} })
    })
    const all = texts
      .then(() => parts.complete(stop.signal))
      .finally(async () => {
        ;(await release)?.()
        healing = undefined
      })
    all.catch(() => undefined)
    return { texts, all }
  }

  async function heal(damage: IndexDamaged): Promise<void> {
    healing ??= begin(damage)
    const { texts, all } = healing
    const late = sleep(PATIENCE, 'late' as const, { ref: false })
    if ((await Promise.race([texts, late])) === 'late') throw beingRebuilt(damage)
    await Promise.race([all, late])
  }

  return {
    mend,
    /** Runs `work` on a sound index. */
    async sound<T>(work: () => Promise<T>): Promise<Healed<T>> {
      const notes = new Set<string>()
      for (let attempt = 1; ; attempt++) {
        try {
          await parts.health.check()
          return { value: await work(), notes: [...notes] }
        } catch (error) {
          if (!(error instanceof IndexDamaged) || attempt === ATTEMPTS) throw error
          await heal(error)
          notes.add(rebuilt(error))
        }
      }
    },
    async close(): Promise<void> {
      stop.abort()
      await healing?.all.catch(() => undefined)
    },
  }
}

/** Notice about a rebuilt index, as one line. */
export const rebuilt = ({ reason }: IndexDamaged): string => `The index was rebuilt from the files, because ${reason}.`

interface Healing {
  /** Resolves once everything can be found by words. */
  readonly texts: Promise<void>
  /** Resolves once everything can also be found by meaning. */
  readonly all: Promise<void>
}

async function damageIn(health: IndexHealth): Promise<IndexDamaged | undefined> {
  try {
    await health.check()
    return undefined
  } catch (error) {
    if (error instanceof IndexDamaged) return error
    throw error
  }
}

/** Disk failure that caused the error; undefined for any other cause. */
export function refusalIn(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.code === 'unavailable' || error.code === 'forbidden' ? error : undefined
  return diskFailure(error)
}

const stays = ({ reason }: IndexDamaged, refusal: AppError): AppError =>
  new AppError(
    refusal.code,
    `The index cannot be trusted, because ${reason}, and cannot be rebuilt: ${refusal.message}`,
    { ...(refusal.hint !== undefined && { hint: refusal.hint }), cause: refusal },
  )

const beingRebuilt = (damage: IndexDamaged): AppError =>
  new AppError('unavailable', `The index is being rebuilt from the files, because ${damage.reason}.`, {
    hint: 'Try again shortly.',
    cause: damage,
  })
