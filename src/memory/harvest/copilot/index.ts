import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { asObject, asWords, type JsonObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { Turn } from '../../domain/session/session.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import type { SessionSource } from '../ledger.ts'
import { type Agent, type EventLog, readEventLog } from './event-log.ts'

const CLIENT = 'copilot'

/** Copilot CLI sessions: one event log each, including the events of its sub-agents. */
export const copilot = defineHarvester({ client: CLIENT, places: ['.copilot'], sign: 'session-state', read })

async function* read(root: string, cursor: string | undefined): AsyncGenerator<HarvestEvent> {
  const ledger = new HarvestLedger<null>(root, `${CLIENT}/1`, cursor)
  for (const source of await listSessions(root)) {
    if (!(await ledger.changed(source))) {
      for (const [key] of ledger.remembered()) if (key.startsWith(agentKey(source, ''))) ledger.keep(key)
      continue
    }
    let log: EventLog | undefined
    yield* await ledger.settle(source, async () => {
      log = await readEventLog(join(root, source.file))
      return tell(source, log)
    })
    for (const agent of log?.agents ?? []) {
      const part = { ...source, key: agentKey(source, agent.id) }
      if (log && (await ledger.changed(part))) {
        const told = tellAgent(source, log, agent)
        yield* await ledger.settle(part, async () => told)
      }
    }
  }
  yield ledger.cursor()
}

const agentKey = (source: LogSource, agent: string): string => `${source.file}#${agent}`

function tell(source: LogSource, log: EventLog): Reading<null> {
  const said = assembleTurns(log.said)
  return reading(source, log, {
    id: source.id,
    session: composeSession(
      {
        ...placeOf(source, log),
        id: source.id,
        kind: 'main',
        parentId: null,
        badLines: log.lines.badLines,
        partialTail: log.lines.partialTail,
        titles: [[source.isNamedByUser ? 'custom-title' : 'session', nameOf(source, said.turns)]],
      },
      { ...said, abandoned: assembleTurns(log.rewound).turns },
    ),
  })
}

/** User-visible name; undefined while it is only the beginning of the first prompt. */
function nameOf({ name, isNamedByUser }: LogSource, turns: readonly Turn[]): string | undefined {
  const isPrompt = turns[0]?.text.startsWith(name?.replace(/(?:\.{3}|…)$/, '') ?? '')
  return isNamedByUser || !isPrompt ? name : undefined
}

function tellAgent(source: LogSource, log: EventLog, agent: Agent): Reading<null> {
  const id = `${source.id}/${agent.id}`
  return reading(source, log, {
    id,
    session: composeSession(
      {
        ...placeOf(source, log),
        id,
        kind: 'subagent',
        parentId: source.id,
        titles: [['agent-meta', agent.task]],
      },
      assembleTurns(agent.said),
    ),
  })
}

const placeOf = (source: LogSource, { facts }: EventLog) => ({
  client: CLIENT,
  files: [source.file],
  projectDir: facts.gitRoot ?? facts.cwd ?? null,
  directory: facts.cwd ?? null,
  gitBranch: facts.branch ?? null,
  repo: facts.repository ?? null,
  clientVersion: facts.version ?? null,
})

function reading(
  source: LogSource,
  log: EventLog,
  { id, session }: Pick<Reading<null>, 'session'> & { readonly id: string },
): Reading<null> {
  return {
    session,
    skipped: session ? [] : [{ path: source.file, session: id, why: 'empty', reason: 'Nothing was said in it.' }],
    offsets: { [source.file]: log.lines.offset },
    memo: null,
  }
}

interface LogSource extends SessionSource {
  readonly id: string
  readonly file: string
  /** Name of the session; its first prompt until a user names it. */
  readonly name: string | undefined
  readonly isNamedByUser: boolean
}

const FOLDER = 'session-state'

/** Lists sessions: a folder with a log each, or in earlier releases only a log. */
async function listSessions(root: string): Promise<LogSource[]> {
  const found: LogSource[] = []
  for (const entry of await listFolder(join(root, FOLDER))) {
    const isFile = entry.endsWith('.jsonl')
    const file = isFile ? `${FOLDER}/${entry}` : `${FOLDER}/${entry}/events.jsonl`
    if (!isFile && !(await listFolder(join(root, FOLDER, entry))).includes('events.jsonl')) continue
    const facts = isFile ? {} : await workspaceFacts(join(root, FOLDER, entry, 'workspace.yaml'))
    const name = asWords(facts.name)
    const isNamedByUser = facts.user_named === true
    const id = isFile ? entry.slice(0, -'.jsonl'.length) : entry
    found.push({ key: file, files: [file], note: JSON.stringify([name, isNamedByUser]), id, file, name, isNamedByUser })
  }
  return found
}

async function workspaceFacts(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (yamlExcess(text, CONFIG_BOUNDS) !== undefined) return {}
  try {
    return asObject(parse(text, { logLevel: 'error' })) ?? {}
  } catch {
    return {}
  }
}
