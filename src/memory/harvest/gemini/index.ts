import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asList, asWords, asObject, asText, parseObject } from '../../../kernel/system/json-value.ts'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading, type Skip } from '../ledger.ts'
import type { SessionSource } from '../ledger.ts'
import { chatEvents } from './chat-events.ts'
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

/**
 * Maps a folder below `tmp/` to its project. The client records the root beside the chats; older folders are named only
 * by its hash, which can only be matched against directories known from elsewhere.
 */
class ProjectFolders {
  readonly #bySlug: ReadonlyMap<string, string>
  readonly #byHash: ReadonlyMap<string, string>

  constructor(bySlug: ReadonlyMap<string, string>, known: readonly string[]) {
    this.#bySlug = bySlug
    this.#byHash = new Map([...known, ...bySlug.values()].map((directory) => [sha256(directory), directory]))
  }

  directoryOf(
    folder: string,
    hints: { readonly hash?: string | undefined; readonly directories?: readonly string[] } = {},
  ): string | undefined {
    const hash = hints.hash ?? folder
    return (
      this.#bySlug.get(folder) ??
      this.#byHash.get(folder) ??
      this.#byHash.get(hash) ??
      hints.directories?.find((each) => sha256(each) === hash)
    )
  }
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

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

async function readProjectFolders(root: string, known: readonly string[]): Promise<ProjectFolders> {
  const bySlug = new Map<string, string>()
  const projects = asObject(parseObject(await textOf(join(root, 'projects.json')))?.projects) ?? {}
  for (const [directory, slug] of Object.entries(projects))
    if (asText(slug) !== undefined) bySlug.set(slug as string, directory)
  for (const place of ['history', 'tmp']) {
    for (const folder of await listFolder(join(root, place))) {
      const directory = asWords(await textOf(join(root, place, folder, '.project_root')))?.trim()
      if (directory !== undefined) bySlug.set(folder, directory)
    }
  }
  return new ProjectFolders(bySlug, known)
}
