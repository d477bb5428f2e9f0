import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { HASHES } from '../../record/domain/files.ts'
import type { JournalLine } from '../../record/domain/journal/journal-lines.ts'
import { toLine } from '../../record/domain/journal/journal-lines.ts'
import { refuseForeignLines } from '../../record/domain/journal/refuse-foreign-lines.ts'
import { eventsOf, isVouchedFor, linesSince, tipOf, uniteJournals } from '../../record/domain/journal/unite-journals.ts'
import { isRecordFile } from '../../record/domain/record-path.ts'
import type { Draft, Store } from '../../record/ports/store.ts'
import { LONGEST_TEXT, MOST_CHARACTERS } from '../domain/record-wire.ts'
import type { PageAsk, PushAnswer, TeamPush, TeamRecord } from '../ports/team-record.ts'

const FILES_A_PAGE = 1_000
const LINES_A_PAGE = 1_000

/** Offers a store's record to a team's machines; a given `person` may push only their own lines. */
export function offerRecord(store: Store, person?: string): TeamRecord {
  const lines = () => store.history.lines()

  return {
    async manifest({ since, from }) {
      const all = await lines()
      const paths = await changedPaths(store, all, since)
      const rest = paths.filter((path) => from === undefined || path > from)
      const page = rest.slice(0, FILES_A_PAGE)
      const files = await Promise.all(page.map(async (path) => ({ path, sha256: hashOf(await store.read(path)) })))
      return { revision: revisionOf(all), files, ...(rest.length > page.length && { next: page.at(-1)! }) }
    },
    async texts(wanted) {
      const found = new Map<string, string>()
      for (const [path, hash] of wanted) {
        const text = isRecordFile(path) ? await store.read(path) : undefined
        if (text !== undefined && sha256(text) === hash) found.set(path, text)
      }
      return found
    },
    async lines({ since, from }: PageAsk) {
      const all = await lines()
      const rest = since === undefined ? all : (linesSince(all, since) ?? unknown())
      const start = from === undefined ? 0 : rest.findIndex((line) => line.sha256 === from) + 1
      const page = rest.slice(start, start + LINES_A_PAGE)
      return {
        revision: revisionOf(all),
        lines: page.map(({ text }) => text),
        ...(rest.length > start + page.length && { next: page.at(-1)!.sha256 }),
      }
    },
    async push(push) {
      refuseStrange(push)
      return store.commit({ surface: 'merge' }, async (draft) => land(push, { draft, all: await lines(), person }))
    },
  }
}

async function land(
  push: TeamPush,
  { draft, all, person }: { draft: Draft; all: readonly JournalLine[]; person: string | undefined },
): Promise<PushAnswer> {
  if (all.some((line) => line.sha256 === push.id)) return { status: 'landed', revision: push.id }
  const now = await Promise.all(push.files.map(async ({ path }) => ({ path, sha256: hashOf(await draft.read(path)) })))
  const revision = revisionOf(all)
  if (revision !== push.base || now.some(({ sha256: hash }, i) => hash !== push.files[i]!.before))
    return { status: 'conflict', revision, files: now }
  const pushed = push.lines.map((text) => toLine(text, sha256(text)))
  if (person !== undefined) refuseForeignLines(pushed, { here: all, person })
  refuseContradiction(push, { all, pushed })
  for (const { path, text } of push.files)
    if (text === undefined) draft.remove(path)
    else draft.write(path, text)
  draft.take(push.lines)
  draft.snapshot('push')
  return { status: 'landed', revision: push.id }
}

/** Throws unless the lines end in the line that names the push, and match the pushed state of every file they name. */
function refuseContradiction(
  { id, files }: TeamPush,
  { all, pushed }: { all: readonly JournalLine[]; pushed: readonly JournalLine[] },
): void {
  const united = uniteJournals(all, pushed)
  if (tipOf(united) !== id) throw contradiction('its lines do not end in the one it names')
  const states = Object.fromEntries(files.map(({ path, text }) => [path, hashOf(text)]))
  if (!isVouchedFor(united, states)) throw contradiction('a file is not what its lines say')
  const known = lastStates(all)
  for (const [path, state] of lastStates(united))
    if (isRecordFile(path) && !Object.hasOwn(states, path) && (known.get(path) ?? null) !== state)
      throw contradiction(`its lines change ${path} and it does not`)
}

function lastStates(lines: readonly JournalLine[]): Map<string, string | null> {
  return new Map(eventsOf(lines).flatMap(({ files }) => Object.entries(files)))
}

function refuseStrange({ files, lines }: TeamPush): void {
  const strange = files.find(({ path }) => !isRecordFile(path))
  if (strange !== undefined) throw new AppError('forbidden', `${JSON.stringify(strange.path)} is not a record file.`)
  const sizes = [...files.map(({ text = '' }) => text.length), ...lines.map((line) => line.length)]
  if (sizes.some((size) => size > LONGEST_TEXT) || sizes.reduce((sum, size) => sum + size, 0) > MOST_CHARACTERS)
    throw new AppError('invalid_input', 'The push exceeds the size limit of a record.', {
      hint: `A text has at most ${LONGEST_TEXT} characters, a push ${MOST_CHARACTERS}.`,
    })
}

async function changedPaths(store: Store, all: readonly JournalLine[], since: string | undefined): Promise<string[]> {
  if (since !== undefined) {
    const touched = eventsOf(linesSince(all, since) ?? unknown()).flatMap(({ files }) => Object.keys(files))
    return [...new Set(touched)].filter(isRecordFile).sort()
  }
  const hashes = (await store.read(HASHES)) === undefined ? [] : [HASHES]
  return [...(await store.list()), ...hashes].sort()
}

const revisionOf = (all: readonly JournalLine[]): string | null => {
  const tip = tipOf(all)
  if (tip === undefined && all.length > 0)
    throw new AppError('conflict', 'The team record’s journal has several ends.', {
      hint: 'Any change to the record merges them.',
    })
  return tip ?? null
}

const hashOf = (text: string | undefined): string | null => (text === undefined ? null : sha256(text))

const contradiction = (why: string): AppError =>
  new AppError('invalid_input', `The push contradicts itself: ${why}.`, {
    hint: 'Run `ken verify` on its original machine.',
  })

function unknown(): never {
  throw new AppError('not_found', 'The team’s record has no such revision: its history was rewritten.', {
    hint: 'Run `ken projects rm`, move its folder away, then run `ken attach` to fetch the team’s.',
  })
}
