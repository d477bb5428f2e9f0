import { join } from 'node:path'
import { asObject, asText, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { SessionKind, Turn } from '../../domain/session/session.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { readJsonLines } from '../jsonl-lines.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import type { SessionSource } from '../ledger.ts'
import { readRollout } from './rollout.ts'

const CLIENT = 'codex'

/** Codex sessions: one rollout file per thread, dated or archived, plain or compressed. */
export const codex = defineHarvester({ client: CLIENT, places: ['.codex'], read })

/** Number of turns of a fork that are copies of its parent's; permanent once found, even if the parent is deleted. */
interface Memo {
  readonly copied: number
}

async function* read(root: string, cursor: string | undefined): AsyncGenerator<HarvestEvent> {
  const ledger = new HarvestLedger<Memo | undefined>(root, `${CLIENT}/2`, cursor)
  const sources = await listRollouts(root)
  const byThread = new Map(sources.map((source) => [source.key, source]))
  for (const source of sources) {
    if (!(await ledger.changed(source))) continue
    yield* await ledger.settle(source, () => tell(root, source, { byThread, memo: ledger.memo(source.key) }))
  }
  yield ledger.cursor()
}

interface Known {
  readonly byThread: ReadonlyMap<string, RolloutSource>
  readonly memo: Memo | undefined
}

async function tell(root: string, source: RolloutSource, known: Known): Promise<Reading<Memo | undefined>> {
  const { meta, cwd, events, lines } = await readRollout(join(root, source.best))
  const { kind, parentId, copyOf } = lineage(meta)
  const original = known.byThread.get(copyOf ?? '')
  const findCopied = async (): Promise<number> =>
    original ? copiedTurns(join(root, original.best), assembleTurns(events).history) : 0
  const copied = copyOf === undefined ? 0 : (known.memo?.copied ?? (await findCopied()))
  const said = assembleTurns(events, copied)
  const git = asObject(meta.git)
  const id = asText(meta.id) ?? source.key
  const session = composeSession(
    {
      client: CLIENT,
      id,
      kind,
      parentId,
      files: source.files,
      projectDir: asWords(meta.cwd) ?? cwd ?? null,
      gitBranch: asWords(git?.branch) ?? null,
      repo: asWords(git?.repository_url) ?? null,
      clientVersion: asWords(meta.cli_version) ?? null,
      archived: isArchived(source.best),
      badLines: lines.badLines,
      partialTail: lines.partialTail,
      titles: [['session_index', source.name]],
    },
    said,
  )
  const reason = copied > 0 ? `Session ${copyOf} already has everything in it.` : 'Nothing was said in it.'
  return {
    session,
    skipped: session ? [] : [{ path: source.best, session: id, why: 'empty', reason }],
    offsets: source.best.endsWith('.zst') ? {} : { [source.best]: lines.offset },
    memo: copied > 0 ? { copied } : undefined,
  }
}

interface Lineage {
  readonly kind: SessionKind
  readonly parentId: string | null
  /**
   * Thread that this one starts as a copy of. A fork that names the location of its history contains only new lines.
   */
  readonly copyOf: string | undefined
}

function lineage(meta: JsonObject): Lineage {
  const base = asObject(meta.history_base)
  const origin = asWords(meta.forked_from_id) ?? asWords(base?.thread_id)
  const copyOf = base === undefined ? origin : undefined
  const subagent = asObject(meta.source)?.subagent
  if (subagent === undefined && meta.thread_source !== 'subagent') {
    return { kind: origin === undefined ? 'main' : 'fork', parentId: origin ?? null, copyOf }
  }
  const spawn = asObject(asObject(subagent)?.thread_spawn)
  return {
    kind: 'subagent',
    parentId: asWords(spawn?.parent_thread_id) ?? asWords(meta.parent_thread_id) ?? origin ?? null,
    copyOf,
  }
}

/**
 * Number of turns copied from the parent. The parent may have rolled back turns after the fork was made, so both its
 * whole history and its remaining turns count.
 */
async function copiedTurns(parent: string, turns: readonly Turn[]): Promise<number> {
  const { events } = await readRollout(parent)
  const said = assembleTurns(events)
  return Math.max(commonStart(turns, said.history), commonStart(turns, said.turns))
}

function commonStart(a: readonly Turn[], b: readonly Turn[]): number {
  const differs = a.findIndex((turn, i) => turn.role !== b[i]?.role || turn.text !== b[i]?.text)
  return differs === -1 ? a.length : differs
}

interface RolloutSource extends SessionSource {
  /** The file to read if a thread is in more than one: archiving and compression leave copies for a while. */
  readonly best: string
  /** The name the user gave the thread. */
  readonly name: string | undefined
}

const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/
const THREAD_ID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl/i

async function listRollouts(root: string): Promise<RolloutSource[]> {
  const names = await threadNames(root)
  const threads = new Map<string, string[]>()
  for (const path of [
    ...(await rolloutsBelow(root, 'sessions', 3)),
    ...(await rolloutsBelow(root, 'archived_sessions', 0)),
  ]) {
    const id = THREAD_ID.exec(path)?.[1] ?? path
    threads.set(id, [...(threads.get(id) ?? []), path])
  }
  return [...threads].map(([key, files]) => {
    const [best = ''] = [...files].sort((a, b) => weight(a) - weight(b))
    return { key, files: files.sort(), best, name: names.get(key), note: names.get(key) ?? '' }
  })
}

const isArchived = (path: string): boolean => path.startsWith('archived_sessions/')

const weight = (path: string): number => (isArchived(path) ? 2 : 0) + (path.endsWith('.zst') ? 1 : 0)

async function rolloutsBelow(root: string, folder: string, depth: number): Promise<string[]> {
  const names = await listFolder(join(root, folder))
  if (depth === 0) return names.filter((name) => ROLLOUT.test(name)).map((name) => `${folder}/${name}`)
  const below = await Promise.all(names.map((name) => rolloutsBelow(root, `${folder}/${name}`, depth - 1)))
  return below.flat()
}

/** Names of the threads. The file is append-only: the last line about a thread has its name. */
async function threadNames(root: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  const index = join(root, 'session_index.jsonl')
  await readJsonLines(index, (line) => {
    const [id, name] = [asText(line.id), asWords(line.thread_name)]
    if (id !== undefined && name !== undefined) names.set(id, name)
  }).catch(() => undefined)
  return names
}
