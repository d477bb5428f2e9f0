import { operationNamed } from '../../../kernel/domain/named-operation.ts'
import { plural } from '../../../kernel/domain/text.ts'
import type { DecisionTrust } from '../../../kernel/domain/trust/trust.ts'
import type { Identities } from '../journal/decision-identity.ts'
import { type DecisionNames, namesOf } from '../names/names-of.ts'
import type { Confidence, Decision, DecisionType, Reversibility, Status } from './decision.ts'
import type { FaultKind } from './fault.ts'
import { mentionedNumbers } from './mentioned-numbers.ts'
import { tagsOf } from './tags.ts'

/** Decision data for lists, graphs and filters; its text stays on disk. */
export interface CatalogueEntry {
  /** The file name without `.md`. */
  readonly stem: string
  readonly num: number
  readonly title: string
  readonly date: string
  readonly status: Status
  readonly confidence: Confidence
  readonly decision_type: DecisionType | null
  /** Missing if the file has none; as are `tags` and `mentions`. */
  readonly reversibility?: Reversibility
  readonly tags?: readonly string[]
  /** Numbers that the text mentions as D12, including its own and those of missing decisions. */
  readonly mentions?: readonly number[]
  readonly files_affected: readonly string[]
  readonly supersedes: string | null
  readonly superseded_by: string | null
  /**
   * Names from the title and the rejected alternatives; superseded decisions have them only if they rejected something.
   */
  readonly names?: DecisionNames
  /** As recorded in the journal; the project determines whether the whole record came with a clone. */
  readonly trust: Exclude<DecisionTrust, 'from the clone'>
}

export interface UnreadableFile {
  /** Relative to the record, e.g. `decisions/007-x.md`. */
  readonly path: string
  readonly kind: FaultKind | 'unreadable'
  readonly message: string
}

export interface Catalogue {
  /** By number, then by stem. */
  readonly decisions: readonly CatalogueEntry[]
  readonly unreadable: readonly UnreadableFile[]
  /** Current and former names, from the journal; missing for a past moment. */
  readonly identities?: () => Identities
}

// A file in a clone may contain anything.
const MOST_MENTIONS = 1_000

export function toEntry(stem: string, decision: Decision): CatalogueEntry {
  const tags = tagsOf(decision.content)
  const mentions = mentionedNumbers(decision.body).slice(0, MOST_MENTIONS)
  return {
    stem,
    num: decision.num,
    title: decision.title,
    date: decision.date,
    status: decision.status,
    confidence: decision.confidence,
    decision_type: decision.decision_type,
    ...(decision.reversibility !== null && { reversibility: decision.reversibility }),
    ...(tags.length > 0 && { tags }),
    ...(mentions.length > 0 && { mentions }),
    files_affected: decision.files_affected,
    supersedes: decision.supersedes,
    superseded_by: decision.superseded_by,
    ...((decision.status === 'active' || decision.rejected.length > 0) && { names: namesOf(decision) }),
    trust: 'approved',
  }
}

/** The entry with trust from journal proposals. */
export const withTrust = (entry: CatalogueEntry, proposed: ReadonlySet<string>): CatalogueEntry =>
  proposed.has(entry.stem) ? { ...entry, trust: 'proposed by an agent' } : entry

export const byNumber = (a: { num: number; stem: string }, b: { num: number; stem: string }): number =>
  a.num - b.num || (a.stem < b.stem ? -1 : 1)

/** Notice that some files could not be read; empty if all could. */
export const unreadableLine = (count: number): string =>
  count === 0 ? '' : `${plural(count, 'file')} of the record could not be read; ${operationNamed('doctor')} says why.`
