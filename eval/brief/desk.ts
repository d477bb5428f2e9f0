import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKen } from '../../src/app/open.ts'
import { workspaceHash } from '../../src/kernel/domain/workspace.ts'
import { sessionFileName, sessionMarkdown } from '../../src/memory/domain/session/markdown.ts'
import type { HarvestedSession } from '../../src/memory/domain/session/session.ts'
import { call } from '../../src/operations/call.ts'
import { REGISTRY } from '../../src/operations/registry.ts'
import type { Store } from '../../src/record/ports/store.ts'
import type { Conversation } from './conversations.ts'

export interface Brief {
  readonly content: string
  readonly tokens: number
  readonly lines: readonly { readonly text: string; readonly source: string }[]
}

/** A user's machine with one working folder. */
export interface BriefDesk {
  readonly folder: string
  readonly home: string
  brief(input: { readonly budget: number; readonly for?: string }): Promise<Brief>
  run(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>
  record(): Promise<Store>
  close(): Promise<void>
}

/** `work`: the working folder; a new one if undefined. */
export function openBriefDesk(work?: string): BriefDesk {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-eval-brief-')))
  const folder = work ?? join(place, 'work')
  const home = join(place, '.ken')
  mkdirSync(folder, { recursive: true })
  const ken = openKen({ PATH: process.env['PATH'] ?? '', HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0' }, () => {})
  const run: BriefDesk['run'] = async (name, input) => {
    const operation = await REGISTRY.find((one) => one.name === name)!.load()
    return (await call(ken.context({ origin: { surface: 'cli' }, cwd: folder }), operation, input)).output
  }
  return {
    folder,
    home,
    run,
    record: () => ken.context({ origin: { surface: 'cli' }, cwd: folder }).record(),
    brief: async (input) => (await run('brief', input)) as unknown as Brief,
    async close() {
      await ken.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** A desk with a conversation in its memory, each session in a file as a harvest writes it. */
export async function openConversationDesk(conversation: Conversation): Promise<BriefDesk> {
  const desk = openBriefDesk()
  const workspace = workspaceHash(desk.folder)
  const folder = join(desk.home, 'sessions', workspace)
  mkdirSync(folder, { recursive: true })
  for (const [at, session] of conversation.sessions.entries()) {
    const harvested = harvestedSession(session, { at, folder: desk.folder })
    writeFileSync(join(folder, sessionFileName(harvested)), sessionMarkdown(harvested, { workspace }))
  }
  await desk.run('memory_update', {})
  return desk
}

function harvestedSession(
  { date, started, turns }: Conversation['sessions'][number],
  { at, folder }: { at: number; folder: string },
): HarvestedSession {
  return {
    client: 'claude-code',
    id: `session-${at}`,
    kind: 'main',
    parentId: null,
    files: [],
    projectDir: folder,
    projectHash: null,
    directory: folder,
    repo: null,
    gitBranch: null,
    clientVersion: null,
    title: `Conversation on ${date}`,
    titleFrom: null,
    startedAt: started,
    endedAt: started,
    archived: false,
    turns: turns.map(({ text, isUser }) =>
      isUser ? { role: 'user', text, at: started } : { role: 'assistant', text, at: started, tools: [] },
    ),
    abandonedTurns: [],
    compactionSummaries: [],
    badLines: 0,
    partialTail: false,
  }
}
