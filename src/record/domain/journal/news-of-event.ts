import type { JournalEvent } from './event.ts'

/** One change to the record by a journal event, for a person who was away. */
export interface RecordNews {
  readonly kind: 'decision' | 'question' | 'state' | 'record'
  /** The action in one or two words: `recorded`, `accepted`, `resolved`. */
  readonly did: string
  /** The stem of a decision or the id of a question; undefined if the news is about neither. */
  readonly ref: string | undefined
  /** Stems of the decisions that a decision superseded, or of the decision that answers a question. */
  readonly others: readonly string[]
}

/** Empty for journal steps that are not news; of one that names very many things, the first. */
export function newsOfEvent({ operation, facts }: Pick<JournalEvent, 'operation' | 'facts'>): readonly RecordNews[] {
  const decision = text(facts['decision'])
  if (decision !== undefined && Object.hasOwn(DECISIONS, operation)) {
    const named = texts(facts['targets'])
    const replaced = named.length > 0 ? named : texts([facts['target']])
    return [
      news('decision', DECISIONS[operation]!, decision, operation === 'supersede_decision' ? replaced : []),
      ...texts(facts['resolved']).map((question) => news('question', 'resolved', question, [decision])),
    ]
  }
  if (operation === 'accept' && facts['decisions'] !== undefined)
    return texts(facts['decisions']).map((stem) => news('decision', 'accepted', stem))
  if (operation === 'flag_question') return texts([facts['question']]).map((id) => news('question', 'asked', id))
  if (operation === 'resolve_questions')
    return texts(facts['questions']).map((id) => news('question', 'resolved', id, texts([facts['decision']])))
  if (operation === 'resolve_conflict')
    return texts([facts['question']]).map((id) => news('question', 'resolved', id, texts([facts['decision']])))
  if (operation === 'update_state') return [news('state', 'updated')]
  return Object.hasOwn(RECORD, operation) ? [news('record', RECORD[operation]!)] : []
}

const DECISIONS: Readonly<Record<string, string>> = {
  propose_decision: 'recorded',
  supersede_decision: 'recorded',
  update_decision: 'updated',
}

const RECORD: Readonly<Record<string, string>> = {
  init: 'started',
  accept: 'edited by hand',
  undo: 'last change undone',
  redo: 'last undo redone',
  restore: 'restored from a snapshot',
  repair: 'repaired',
  redact: 'redacted',
  merge: 'merged with another copy',
  import_adr: 'ADRs imported',
  import_nauro: 'imported from Nauro',
  import_memory_bank: 'imported from a memory bank',
  review_import: 'inferred rejections reviewed',
}

const news = (kind: RecordNews['kind'], did: string, ref?: string, others: readonly string[] = []): RecordNews => ({
  kind,
  did,
  ref,
  others,
})

/** A fact may have any value: the journal may come from elsewhere. */
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A journal line from elsewhere may name millions of things. */
const MOST_NAMED = 1_000

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.slice(0, MOST_NAMED).flatMap((one: unknown) => (typeof one === 'number' ? String(one) : (text(one) ?? [])))
    : []
