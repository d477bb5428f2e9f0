import { gitDirectoryAround } from '../../../kernel/system/git-directory.ts'
import { HASHES } from '../../domain/files.ts'
import { givenUp } from '../../domain/journal/chain.ts'
import { compareWithJournal, lastState, type FileDigest } from '../../domain/journal/compare-with-journal.ts'
import type { Discrepancy, Inspection } from '../../ports/store.ts'
import { judgeJournal } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { openGitStates } from './git-copies.ts'
import type { HeadKeeper } from './head.ts'
import { judgeHead, seenJournal } from './inspect-journal.ts'
import { inspectSnapshots } from './inspect-snapshots.ts'
import { readJournal } from './journal-file.ts'
import { ALL_IGNORED, ATTRIBUTES, RECORD_ATTRIBUTES, SNAPSHOTS_IGNORED } from './merge-driver.ts'
import type { RecordFolder } from './record-folder.ts'

/**
 * Compares every byte of the record with its journal, and checks journal and snapshots for consistency and against the
 * last state seen here. Caches the valid parts for the next time.
 */
export async function inspectRecord(
  folder: RecordFolder,
  head: HeadKeeper,
  { inRepository }: { inRepository: boolean },
): Promise<Inspection> {
  // The head is read first: a journal may be longer than its remembered state, never shorter.
  const kept = head.read()
  const journal = await readJournal(folder)
  const known = kept?.next !== undefined && journal.size === kept.next.journal.size ? kept.next : kept?.seen
  const verdict = await judgeHead(folder, journal, { known: known?.journal, inRepository })
  const history = judgeJournal(journal, verdict, { known: known?.journal, lost: kept?.lost ?? [] })
  const snapshots = await inspectSnapshots(folder, {
    seen: known,
    next: kept?.next,
    given: givenUp(journal.lines),
    isJournalled: journal.events.length > 0 || inRepository,
    journalled: (path) => lastState(journal.events, path),
  })
  const files = await inspectFiles(folder, journal.events, inRepository)
  if (history.discrepancies.length + snapshots.discrepancies.length === 0 && verdict.kind !== 'as-git-has-it') {
    if (journal.lines.length > 0 || kept !== undefined)
      head.keep({ seen: { journal: seenJournal(journal), ...snapshots.seen }, lost: [] })
  }
  // A copy outside a repository, such as an export, needs no git files.
  const isForGit = inRepository && journal.events.length > 0 && gitDirectoryAround(folder.root) !== undefined
  const forGit = isForGit ? await inspectGitFiles(folder, journal.events) : []
  return {
    discrepancies: [...files, ...forGit, ...history.discrepancies, ...snapshots.discrepancies],
    notes: [...history.notes, ...snapshots.notes],
  }
}

/**
 * Checks the files that configure how git merges the record and ignores snapshots. The journal contains only versions
 * that a person accepted.
 */
async function inspectGitFiles(folder: RecordFolder, events: Parameters<typeof lastState>[0]): Promise<Discrepancy[]> {
  const attributes = await textOf(folder, ATTRIBUTES)
  // A clone has neither snapshots nor the file that ignores them.
  const isClone = (await folder.names('snapshots', '')).length === 0
  const ignored = (await textOf(folder, SNAPSHOTS_IGNORED)) ?? (isClone ? ALL_IGNORED : undefined)
  const isAccepted = attributes !== undefined && sha256(attributes) === lastState(events, ATTRIBUTES)
  return [
    ...(attributes === RECORD_ATTRIBUTES || isAccepted ? [] : [attributesDiffer(attributes)]),
    ...(ignored === ALL_IGNORED ? [] : [IGNORE_DIFFERS]),
  ]
}

const attributesDiffer = (text: string | undefined): Discrepancy =>
  text === undefined
    ? { path: ATTRIBUTES, kind: 'missing', message: "is gone: git joins the record without Ken's merge driver" }
    : { path: ATTRIBUTES, kind: 'edited', message: 'was changed by hand or another program since Ken wrote it' }

const IGNORE_DIFFERS: Discrepancy = {
  path: SNAPSHOTS_IGNORED,
  kind: 'damaged',
  message:
    'does not keep snapshots out of git as Ken wrote it; delete it, and Ken writes it again with the next change',
}

async function textOf(folder: RecordFolder, path: string): Promise<string | undefined> {
  // A link or a pipe in place of the file is not Ken's text.
  const bytes = await folder.readBytes(path).catch(() => Buffer.of())
  return bytes && asGitStores(bytes).toString('utf8')
}

async function inspectFiles(
  folder: RecordFolder,
  events: Parameters<typeof compareWithJournal>[1],
  history: boolean,
): Promise<Discrepancy[]> {
  const listed = await folder.list()
  const digests = await digestsOf(folder, [...listed, HASHES])
  const closed = new Set(listed.filter((path) => !digests.has(path)))
  const strictly = compareWithJournal(digests, events, { history: false })
  const differing =
    history && strictly.length > 0
      ? await withoutCheckedOut(folder, strictly, compareWithJournal(digests, events, { history: true }))
      : strictly
  return [
    ...differing.filter((found) => !closed.has(found.path)),
    ...[...closed].map((path): Discrepancy => ({ path, kind: 'damaged', message: 'cannot be read' })),
  ]
}

/** Drops older states that are in the journal and that git has checked out; any other older state is an edit. */
async function withoutCheckedOut(
  folder: RecordFolder,
  strictly: readonly Discrepancy[],
  leniently: readonly Discrepancy[],
): Promise<Discrepancy[]> {
  const unknown = new Set(leniently.map(({ path }) => path))
  const isAsGitHasIt = await openGitStates(folder.root)
  const kept: Discrepancy[] = []
  for (const found of strictly) {
    const bytes = unknown.has(found.path) ? undefined : await folder.readBytes(found.path)
    if (unknown.has(found.path) || !isAsGitHasIt(found.path, bytes && asGitStores(bytes))) kept.push(found)
  }
  return kept
}

function asGitStores(bytes: Buffer): Buffer {
  const text = bytes.includes(0x0d) ? asCheckedOut(bytes.toString('latin1')) : undefined
  return text === undefined ? bytes : Buffer.from(text, 'latin1')
}

async function digestsOf(folder: RecordFolder, paths: readonly string[]): Promise<Map<string, FileDigest>> {
  const digests = new Map<string, FileDigest>()
  for await (const [path, bytes] of folder.readListed(paths)) {
    const text = bytes.includes(0x0d) ? asCheckedOut(bytes.toString('latin1')) : undefined
    digests.set(path, {
      sha256: sha256(bytes),
      ...(text === undefined ? {} : { asText: sha256(Buffer.from(text, 'latin1')) }),
    })
  }
  return digests
}

/** The text with \n line ends if a checkout may have converted every line end to \r\n. A single \r is an edit. */
function asCheckedOut(text: string): string | undefined {
  const plain = text.replaceAll('\r\n', '\n')
  return plain.includes('\r') || plain.replaceAll('\n', '\r\n') !== text ? undefined : plain
}
