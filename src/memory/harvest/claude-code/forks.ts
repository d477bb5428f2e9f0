import type { Transcript } from './transcript.ts'

/** A fork begins with copies of the records before it, uuids and times included. */
export interface Fork {
  readonly parent: string
  /** The last copied record. */
  readonly point: string
}

export interface Candidate {
  readonly id: string
  readonly transcript: Transcript | undefined
  /** Reported as its own session before: a newcomer with the same records is the copy. */
  readonly isEstablished: boolean
}

/** The first writer of each record that more than one file holds. */
export class RecordOwners {
  readonly #owners = new Map<string, string>()

  claim(id: string, transcript: Transcript): void {
    for (const { uuid } of transcript.entries) if (!this.#owners.has(uuid)) this.#owners.set(uuid, id)
  }

  /** The fork point of a session, by records that others own. */
  forkOf(id: string, transcript: Transcript): Fork | undefined {
    for (const { uuid } of transcript.entries.toReversed()) {
      const owner = this.#owners.get(uuid)
      if (owner !== undefined && owner !== id) return { parent: owner, point: uuid }
    }
    return undefined
  }
}

/**
 * Files that begin with the same record, the original first: one reported before, else the one that diverged earliest;
 * a file without unique records is what the others were copied from.
 */
export function originalFirst<T extends Candidate>(family: readonly T[]): readonly T[] {
  if (family.length < 2) return family
  const holders = new Map<string, number>()
  for (const { transcript } of family)
    for (const { uuid } of transcript?.entries ?? []) holders.set(uuid, (holders.get(uuid) ?? 0) + 1)
  const wentOwnWay = ({ transcript }: T): string =>
    transcript?.entries.find(({ uuid }) => holders.get(uuid) === 1)?.at ?? ''
  return [...family].sort(
    (a, b) =>
      Number(b.isEstablished) - Number(a.isEstablished) || compare(wentOwnWay(a), wentOwnWay(b)) || compare(a.id, b.id),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
