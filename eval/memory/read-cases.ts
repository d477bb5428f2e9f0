import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { MemoryCategory, MemoryRow } from '../../src/analyst/domain/user-memory/memory-row.ts'
import type { ForgetProposal, MemoryProposal } from '../../src/analyst/domain/user-memory/proposal.ts'
import { userMessages, type UserMessage } from '../../src/analyst/domain/user-memory/user-messages.ts'

/** User messages with the expected result. */
export interface SpokenCase {
  readonly kind: SpokenKind
  /** Held out by a hash of the messages: used only to measure. */
  readonly half: 'tuned' | 'kept back'
  readonly name: string
  /** Messages as the user wrote them. */
  readonly said: readonly UserMessage[]
  /** Messages as an extractor gets them; empty if there is nothing to read. */
  readonly messages: readonly UserMessage[]
  readonly holding: readonly MemoryRow[]
  readonly expected: readonly Expected[]
  readonly forget: readonly string[]
  /** Proposals of an eager model that must not be kept. */
  readonly tempting: { readonly items: readonly MemoryProposal[]; readonly forget: readonly ForgetProposal[] }
}

export interface Expected extends MemoryProposal {
  /** Id of the superseded row; undefined if its category differs. */
  readonly link: string | undefined
}

export const SPOKEN_KINDS = ['extract', 'skip', 'supersede', 'revoke', 'subject', 'injection'] as const
export type SpokenKind = (typeof SPOKEN_KINDS)[number]

interface Written {
  readonly say: string | readonly string[]
  readonly holds?: Readonly<Record<string, string>>
  readonly rule?: WrittenItem | readonly WrittenItem[]
  readonly fact?: WrittenItem | readonly WrittenItem[]
  readonly forget?: string
  readonly tempt?: readonly (string | { rule?: string; fact?: string; forget?: string; evidence?: string })[]
  readonly note?: string
}

type WrittenItem = string | { readonly content: string; readonly evidence?: string; readonly supersedes?: string }

const FOLDER = new URL('cases/', import.meta.url)

export const readCaseFile = <T>(kind: string): readonly T[] =>
  parse(readFileSync(new URL(`${kind}.yaml`, FOLDER), 'utf8')) as T[]

export const countCases = (): number =>
  readdirSync(FOLDER).reduce((sum, file) => sum + readCaseFile(file.replace('.yaml', '')).length, 0)

export const readSpokenCases = (): readonly SpokenCase[] =>
  SPOKEN_KINDS.flatMap((kind) => readCaseFile<Written>(kind).map((written) => spokenCase(kind, written)))

function spokenCase(kind: SpokenKind, written: Written): SpokenCase {
  const texts = typeof written.say === 'string' ? [written.say] : written.say
  const said = texts.map((text, i) => ({ id: `message-${i + 1}`, text }))
  const last = texts.at(-1)!
  const holding = Object.entries(written.holds ?? {}).map(([id, content]) => rowOf(id, content))
  const tempted = (written.tempt ?? []).map((one) => (typeof one === 'string' ? { fact: one } : one))
  return {
    kind,
    half: createHash('sha256').update(last).digest()[0]! % 2 === 0 ? 'tuned' : 'kept back',
    name: last.slice(0, 70).replaceAll('\n', ' '),
    said,
    messages: userMessages(said) ?? [],
    holding,
    expected: [
      ...items(written.rule).map((item) => expected('global_rule', item, last, holding)),
      ...items(written.fact).map((item) => expected('personal_fact', item, last, holding)),
    ],
    forget: written.forget === undefined ? [] : [written.forget],
    tempting: {
      items: tempted.flatMap(({ rule, fact, evidence = last }): MemoryProposal[] => [
        ...(rule === undefined ? [] : [{ category: 'global_rule' as const, content: rule, evidence }]),
        ...(fact === undefined ? [] : [{ category: 'personal_fact' as const, content: fact, evidence }]),
      ]),
      forget: tempted.flatMap(({ forget }) => (forget === undefined ? [] : [{ id: forget, evidence: last }])),
    },
  }
}

const items = (written: WrittenItem | readonly WrittenItem[] | undefined): readonly WrittenItem[] =>
  written === undefined ? [] : Array.isArray(written) ? written : [written as WrittenItem]

function expected(
  category: MemoryCategory,
  written: WrittenItem,
  last: string,
  holding: readonly MemoryRow[],
): Expected {
  const { content, evidence = last, supersedes } = typeof written === 'string' ? { content: written } : written
  const row = holding.find(({ id }) => id === supersedes)
  return { category, content, evidence, supersedes, link: row?.category === category ? supersedes : undefined }
}

/** A memory row; ids with the prefix `f` are facts. */
const rowOf = (id: string, content: string): MemoryRow => ({
  id,
  user: 'local',
  category: id.startsWith('f') ? 'personal_fact' : 'global_rule',
  content,
  evidence: { words: content },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})
