import { join } from 'node:path'
import { assembleTurns, type SessionEvent } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import { type Fork, originalFirst, RecordOwners } from './forks.ts'
import { listTranscripts, type TranscriptSource } from './list-transcripts.ts'
import { liveEntries } from './live-branch.ts'
import { type Entry, readFirstEntry, readTranscript, type Transcript } from './transcript.ts'

const CLIENT = 'claude-code'

/** Claude Code sessions: one JSONL transcript each below `projects/`. */
export const claudeCode = defineHarvester({
  client: CLIENT,
  places: ['.claude', '.config/claude'],
  sign: 'projects',
  read,
})

/** Facts about a transcript that later show, without reading it, whether another one can be a copy of it. */
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
        ? { kind: 'tool', name: each.name, ok: outcomes.get(each.id) ?? null, detail: each.detail }
        : each,
    ),
  )
}
