import { join } from 'node:path'
import { asList, asWords } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading, type Skip } from '../ledger.ts'
import type { SessionSource } from '../ledger.ts'
import { chatEvents } from './chat-events.ts'
import { readProjectFolders } from './project-folders.ts'
import type { ProjectFolders } from './project-folders.ts'
import { readChat, readChatId } from './replay.ts'

const CLIENT = 'gemini-cli'

export interface GeminiOptions {
  /** Directories known from elsewhere: old chats have only a hash of their project. */
  readonly knownDirectories?: readonly string[]
}

/** Gemini CLI sessions: a log to replay per chat, or in earlier releases one JSON document per chat. */
export const geminiHarvester = (options: GeminiOptions = {}) =>
  defineHarvester({
    client: CLIENT,
    places: ['.gemini'],
    async *read(root, cursor): AsyncGenerator<HarvestEvent> {
      const ledger = new HarvestLedger<null>(root, `${CLIENT}/2`, cursor)
      const projects = await readProjectFolders(root, options.knownDirectories ?? [])
      // Excludes an unreadable file, which is remembered under its path: its session is determined again.
      const known = new Map<string, string>()
      for (const [key, { files }] of ledger.remembered())
        for (const path of Object.keys(files)) if (path !== key) known.set(path, key)
      for (const source of await listChats(root, projects, (path) => known.get(path))) {
        if (await ledger.changed(source)) yield* await ledger.settle(source, () => tell(root, source, projects))
      }
      yield ledger.cursor()
    },
  })

export const gemini = geminiHarvester()

async function tell(root: string, source: ChatSource, projects: ProjectFolders): Promise<Reading<null>> {
  const chat = await readChat(join(root, source.best))
  if (chat === undefined) return nothing({ path: source.best, why: 'damaged', reason: 'The file is not valid JSON.' })
  const { header, lines } = chat
  const hash = asWords(header.projectHash)
  const directories = asList(header.directories).filter((each) => typeof each === 'string')
  const projectDir = projects.directoryOf(folderOf(source.best), { hash, directories }) ?? null
  const isAgent = header.kind === 'subagent' || source.parentId !== undefined
  const session = composeSession(
    {
      client: CLIENT,
      id: source.key,
      kind: isAgent ? 'subagent' : 'main',
      parentId: source.parentId ?? null,
      files: source.files,
      projectDir,
      projectHash: projectDir === null ? (hash ?? null) : null,
      badLines: lines?.badLines ?? 0,
      partialTail: lines?.partialTail ?? false,
      titles: [['summary', chat.summary]],
    },
    { ...assembleTurns(chatEvents(chat.messages)), abandoned: assembleTurns(chatEvents(chat.rewound)).turns },
  )
  const offsets = lines ? { [source.best]: lines.offset } : {}
  if (session) return { session, skipped: [], offsets, memo: null }
  return {
    ...nothing({ path: source.best, session: source.key, why: 'empty', reason: 'Nothing was said in it.' }),
    offsets,
  }
}

function nothing(skip: Skip): Reading<null> {
  return { session: undefined, skipped: [skip], offsets: {}, memo: null }
}

interface ChatSource extends SessionSource {
  /**
   * The file to read: resuming moves a chat from JSON to JSONL, renaming a project folder copies it; both leave the old
   * file.
   */
  readonly best: string
  readonly parentId: string | undefined
}

const folderOf = (path: string): string => path.split('/')[1] ?? ''

/** `idOf` returns the session of a file that was read before. */
async function listChats(
  root: string,
  projects: ProjectFolders,
  idOf: (path: string) => string | undefined,
): Promise<ChatSource[]> {
  const chats = new Map<string, string[]>()
  for (const path of await chatFiles(root)) {
    const id = idOf(path) ?? (await readChatId(join(root, path)).catch(() => undefined)) ?? path
    chats.set(id, [...(chats.get(id) ?? []), path])
  }
  return [...chats].map(([key, files]) => {
    const weight = (path: string): number =>
      (path.endsWith('.jsonl') ? 0 : 2) + (projects.directoryOf(folderOf(path)) === undefined ? 1 : 0)
    const [best = ''] = [...files].sort((a, b) => weight(a) - weight(b))
    const parentId = /\/chats\/([^/]+)\/[^/]+$/.exec(best)?.[1]
    return { key, files: files.sort(), best, parentId, note: projects.directoryOf(folderOf(best)) ?? '' }
  })
}

async function chatFiles(root: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of await listFolder(join(root, 'tmp'))) {
    const chats = `tmp/${folder}/chats`
    for (const name of await listFolder(join(root, chats))) {
      if (/^session-.*\.jsonl?$/.test(name)) found.push(`${chats}/${name}`)
      if (name.includes('.')) continue
      const agents = await listFolder(join(root, chats, name))
      found.push(...agents.filter((agent) => /\.jsonl?$/.test(agent)).map((agent) => `${chats}/${name}/${agent}`))
    }
  }
  return found
}
