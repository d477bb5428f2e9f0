import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asWords, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import type { SessionSource } from '../ledger.ts'
import { livePath } from '../live-path.ts'
import { type Chat, readChat } from './chat.ts'

const CLIENT = 'qwen'

/** Qwen Code sessions: one JSONL file each below `projects/`, sub-agents beside them. */
export const qwen = defineHarvester({ client: CLIENT, places: ['.qwen'], sign: 'projects', read })

/** Whether a fork's parent once existed: its copied part was then reported, even if the parent is deleted. */
interface Memo {
  readonly isCopied: boolean
}

async function* read(root: string, cursor: string | undefined): AsyncGenerator<HarvestEvent> {
  const ledger = new HarvestLedger<Memo>(root, `${CLIENT}/1`, cursor)
  const sources = await listChats(root)
  const ids = new Set(sources.map(({ id }) => id))
  for (const source of sources) {
    if (!(await ledger.changed(source))) continue
    yield* await ledger.settle(source, async () => {
      const chat = await readChat(join(root, source.key))
      const isCopied = chat.forkedFrom !== undefined && (ids.has(chat.forkedFrom) || ledger.memo(source.key)?.isCopied)
      return tell(source, chat, isCopied === true)
    })
  }
  yield ledger.cursor()
}

function tell(source: ChatSource, chat: Chat, isCopied: boolean): Reading<Memo> {
  const { key, id, files } = source
  const { facts, lines, forkedFrom } = chat
  const live = livePath(chat.entries)
  const own = isCopied ? chat.entries.filter((entry) => !entry.isCopy) : chat.entries
  const eventsOf = (isLive: boolean) => own.filter((entry) => live.has(entry) === isLive).flatMap(({ said }) => said)
  const isAgent = source.parentId !== undefined
  const session = composeSession(
    {
      client: CLIENT,
      id,
      kind: isAgent ? 'subagent' : forkedFrom === undefined ? 'main' : 'fork',
      parentId: source.parentId ?? forkedFrom ?? null,
      files,
      projectDir: facts.cwd ?? null,
      gitBranch: facts.gitBranch ?? null,
      clientVersion: facts.version ?? null,
      badLines: lines.badLines,
      partialTail: lines.partialTail,
      titles: [
        ['agent-meta', source.sideTitle],
        [facts.isAutoTitle ? 'ai-title' : 'custom-title', facts.title],
      ],
    },
    { ...assembleTurns(eventsOf(true)), abandoned: assembleTurns(eventsOf(false)).turns },
  )
  const reason = isCopied ? `Session ${forkedFrom} already has everything in it.` : 'Nothing was said in it.'
  return {
    session,
    skipped: session ? [] : [{ path: key, session: id, why: 'empty', reason }],
    offsets: { [key]: lines.offset },
    memo: { isCopied },
  }
}

interface ChatSource extends SessionSource {
  readonly id: string
  /** Session that started this one, if it is a sub-agent. */
  readonly parentId: string | undefined
  /** A sub-agent's task, from the small file next to it. */
  readonly sideTitle: string | undefined
}

async function listChats(root: string): Promise<ChatSource[]> {
  const found: ChatSource[] = []
  for (const project of await listFolder(join(root, 'projects'))) {
    const folder = `projects/${project}`
    for (const id of await logsIn(root, `${folder}/chats`)) {
      const key = `${folder}/chats/${id}.jsonl`
      found.push({ key, files: [key], note: '', id, parentId: undefined, sideTitle: undefined })
    }
    for (const parentId of await listFolder(join(root, folder, 'subagents'))) {
      const agents = `${folder}/subagents/${parentId}`
      for (const agent of await logsIn(root, agents)) {
        const key = `${agents}/${agent}.jsonl`
        const sideTitle = await description(join(root, agents, `${agent}.meta.json`))
        found.push({ key, files: [key], note: sideTitle ?? '', id: `${parentId}/${agent}`, parentId, sideTitle })
      }
    }
  }
  return found
}

async function logsIn(root: string, folder: string): Promise<string[]> {
  const names = await listFolder(join(root, folder))
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
}

async function description(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return asWords(parseObject(text)?.description)
}
