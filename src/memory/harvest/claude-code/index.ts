import { join } from 'node:path'
import { assembleTurns, type SessionEvent } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import { listTranscripts, type TranscriptSource } from './list-transcripts.ts'
import { readFirstEntry, readTranscript } from './transcript.ts'
import type { Transcript, Entry } from './transcript.ts'

const CLIENT = 'claude-code'

/** Claude Code sessions: one JSONL transcript each below `projects/`. */
export const claudeCode = defineHarvester({
  client: CLIENT,
  places: ['.claude', '.config/claude'],
  sign: 'projects',
  read,
})

/**
 * Facts about a transcript that are used later to decide, without reading the transcript, whether another transcript
 * can be a copy of it.
 */
interface Memo {
  readonly first: string
  readonly from: string
  readonly to: string
  readonly fork: Fork | null
}

interface Member {
  readonly source: TranscriptSource
  readonly first: { readonly uuid: string; readonly at: string } | undefined
  readonly memo: Memo | undefined
  readonly isChanged: boolean
}

async function* read(root: string, cursor: string | undefined): AsyncGenerator<HarvestEvent> {
  const ledger = new HarvestLedger<Memo | null>(root, `${CLIENT}/2`, cursor)
  const members = await possiblyRelated(root, ledger)
  const firsts = new Map<string, Set<string>>()
  for (const { first, source } of members)
    if (first) firsts.set(first.uuid, (firsts.get(first.uuid) ?? new Set()).add(source.key))
  const isStartOfAnother = (uuid: string, key: string): boolean =>
    [...(firsts.get(uuid) ?? [])].some((each) => each !== key)

  const owners = new RecordOwners()
  for (const family of families(members)) {
    const reads = family.map(({ source }) => readTranscript(join(root, source.key), kindOfFile(source)))
    const transcripts = await Promise.allSettled(reads)
    const candidates = family.map((member, i) => {
      const transcript = transcripts[i]?.status === 'fulfilled' ? transcripts[i].value : undefined
      return {
        ...member,
        id: sessionId(member.source, transcript),
        read: reads[i]!,
        transcript,
        isEstablished: member.memo?.fork === null,
      }
    })
    for (const { id, source, read, transcript, memo, isChanged } of originalFirst(candidates)) {
      const fork = transcript && (rememberedFork(memo, transcript) ?? owners.forkOf(id, transcript))
      if (transcript?.entries.some(({ uuid }) => isStartOfAnother(uuid, source.key))) owners.claim(id, transcript)
      if (isChanged) yield* await ledger.settle(source, async () => tell({ id, source, fork, transcript: await read }))
    }
  }
  yield ledger.cursor()
}

/** The changed transcripts, and those unchanged ones that a new transcript may have been copied from, oldest first. */
async function possiblyRelated(root: string, ledger: HarvestLedger<Memo | null>): Promise<Member[]> {
  const changed: Member[] = []
  const unchanged: Member[] = []
  for (const source of await listTranscripts(root)) {
    const memo = ledger.memo(source.key) ?? undefined
    if (await ledger.changed(source)) {
      const first = await readFirstEntry(join(root, source.key), kindOfFile(source)).catch(() => undefined)
      changed.push({ source, first, memo: memo?.first === first?.uuid ? memo : undefined, isChanged: true })
    } else if (memo) {
      unchanged.push({ source, first: { uuid: memo.first, at: memo.from }, memo, isChanged: false })
    }
  }
  const starts = changed.flatMap(({ first, memo }) => (first && !memo ? first.at : []))
  const owners = unchanged.filter(({ memo }) => starts.some((at) => memo!.from <= at && at <= memo!.to))
  return [...changed, ...owners].sort((a, b) => {
    const [x, y] = [a.first?.at ?? '', b.first?.at ?? '']
    return x < y ? -1 : x > y ? 1 : a.source.key < b.source.key ? -1 : 1
  })
}

function families(members: readonly Member[]): Member[][] {
  const byFirst = new Map<string, Member[]>()
  for (const member of members) {
    const key = member.first?.uuid ?? member.source.key
    byFirst.set(key, [...(byFirst.get(key) ?? []), member])
  }
  return [...byFirst.values()]
}

function rememberedFork(memo: Memo | undefined, transcript: Transcript): Fork | undefined {
  const fork = memo?.fork ?? undefined
  return fork && transcript.entries.some(({ uuid }) => uuid === fork.point) ? fork : undefined
}

interface Told {
  readonly id: string
  readonly source: TranscriptSource
  readonly transcript: Transcript
  readonly fork: Fork | undefined
}

function tell({ id, source, transcript, fork }: Told): Reading<Memo | null> {
  const { entries, facts, lines } = transcript
  const live = liveEntries(entries)
  const own = entries.slice(fork ? entries.findIndex(({ uuid }) => uuid === fork.point) + 1 : 0)
  const said = assembleTurns(
    eventsOf(
      own.filter((entry) => live.has(entry)),
      transcript,
    ),
  )
  const abandoned = assembleTurns(
    eventsOf(
      own.filter((entry) => !live.has(entry)),
      transcript,
    ),
  ).turns
  const isAgent = source.agent !== undefined
  const session = composeSession(
    {
      client: CLIENT,
      id,
      kind: isAgent ? 'subagent' : fork ? 'fork' : 'main',
      parentId: isAgent ? (source.parentId ?? facts.sessionId ?? null) : (fork?.parent ?? null),
      files: source.files,
      projectDir: facts.cwd ?? null,
      gitBranch: facts.gitBranch ?? null,
      clientVersion: facts.version ?? null,
      badLines: lines.badLines,
      partialTail: lines.partialTail,
      titles: [
        [isAgent ? 'agent-meta' : 'custom-title', source.sideTitle],
        ['custom-title', facts.customTitle],
        ['ai-title', facts.aiTitle],
        ['summary', facts.summary],
      ],
    },
    { ...said, abandoned },
  )
  const reason = fork ? `Session ${fork.parent} already has everything in it.` : 'Nothing was said in it.'
  const times = entries.map(({ at }) => at).sort()
  return {
    session,
    skipped: session ? [] : [{ path: source.key, session: id, why: 'empty', reason }],
    offsets: { [source.key]: lines.offset },
    memo: entries[0] ? { first: entries[0].uuid, from: times[0]!, to: times.at(-1)!, fork: fork ?? null } : null,
  }
}

const kindOfFile = (source: TranscriptSource): { readonly sidechain: boolean } => ({
  sidechain: source.agent !== undefined,
})

function sessionId(source: TranscriptSource, transcript: Transcript | undefined): string {
  return source.id ?? `${transcript?.facts.sessionId ?? 'unknown'}/${source.agent}`
}

function eventsOf(entries: readonly Entry[], { outcomes }: Transcript): SessionEvent[] {
  return entries.flatMap(({ said }) =>
    said.map((each): SessionEvent =>
      each.kind === 'use'
        ? { kind: 'tool', name: each.name, ...(outcomes.get(each.id) ?? { ok: null }), detail: each.detail }
        : each,
    ),
  )
}

/** Fork of a session, which begins with copies of the records before it, including uuids and times. */
interface Fork {
  readonly parent: string
  /** The last copied record. */
  readonly point: string
}

interface Candidate {
  readonly id: string
  readonly transcript: Transcript | undefined
  /** Reported before as an original: a new file with the same records is the copy. */
  readonly isEstablished: boolean
}

/** First writer of each record that is in more than one file. */
class RecordOwners {
  readonly #owners = new Map<string, string>()

  claim(id: string, transcript: Transcript): void {
    for (const { uuid } of transcript.entries) if (!this.#owners.has(uuid)) this.#owners.set(uuid, id)
  }

  /** Fork point of a session: its last record that belongs to another session. */
  forkOf(id: string, transcript: Transcript): Fork | undefined {
    for (const { uuid } of transcript.entries.toReversed()) {
      const owner = this.#owners.get(uuid)
      if (owner !== undefined && owner !== id) return { parent: owner, point: uuid }
    }
    return undefined
  }
}

/**
 * Sorts files that begin with the same record, the original first: the one reported before, otherwise the one that
 * diverged earliest. The others were copied from a file without unique records.
 */
function originalFirst<T extends Candidate>(family: readonly T[]): readonly T[] {
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

/**
 * The records of the live branch. The last record is its leaf; a rewound or edited prompt leaves its old answers on a
 * sibling branch. Parallel tool calls make siblings too, so a message is live as a whole, and a prompt queued on such a
 * side branch is live unless there is another prompt between it and the live branch.
 */
function liveEntries(entries: readonly Entry[]): ReadonlySet<Entry> {
  const index = new Map(entries.map((entry, i) => [entry.uuid, i]))
  const above = (i: number): number | undefined => parentIndex(entries, index, i)
  const live = new Set<Entry>()
  for (let at = entries.length > 0 ? entries.length - 1 : undefined; at !== undefined; at = above(at)) {
    const entry = entries[at]!
    if (live.has(entry)) break
    live.add(entry)
  }
  const messages = new Set([...live].flatMap((entry) => entry.message ?? []))
  for (const [i, entry] of entries.entries()) {
    if (live.has(entry)) continue
    if (entry.message !== undefined ? messages.has(entry.message) : isQueued(entry) && hangsOn(i)) live.add(entry)
  }
  return live

  function hangsOn(start: number): boolean {
    const passed = new Set<number>([start])
    for (let at = above(start); at !== undefined && !passed.has(at); at = above(at)) {
      const entry = entries[at]!
      if (live.has(entry)) return true
      if (entry.said.some((said) => said.kind === 'user')) return false
      passed.add(at)
    }
    return false
  }
}

const isQueued = (entry: Entry): boolean => entry.said.some((said) => said.kind === 'user' && said.queued === true)

/** If the parent is not in the file (a damaged line, a compaction), the conversation follows the previous record. */
function parentIndex(entries: readonly Entry[], index: ReadonlyMap<string, number>, at: number): number | undefined {
  const entry = entries[at]!
  const found = entry.parent === undefined ? undefined : index.get(entry.parent)
  if (found !== undefined) return found
  return (entry.parent !== undefined || entry.continues) && at > 0 ? at - 1 : undefined
}
