import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { openKen, type Ken } from '../../src/app/open.ts'
import { parseSessionMarkdown, type SessionDocument } from '../../src/memory/domain/session/markdown.ts'
import type { UpkeepParts } from '../../src/memory/ports/upkeep-parts.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'

export const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'sessions')

/** A user's home with agent logs, and a Ken beside them. */
export interface UpkeepDesk {
  readonly home: string
  readonly kenHome: string
  readonly environment: Record<string, string>
  readonly warnings: string[]
  /** Context of a call from a folder; default: the user's home. */
  context(cwd?: string): Context
  /** Runs an operation; `replaced` overrides some of the parts. */
  run(name: string, input?: Record<string, unknown>, replaced?: Partial<UpkeepParts>): Promise<Record<string, any>>
  set(name: string, value: string): Promise<void>
  /** The current session files, by path below `sessions/`. */
  sessions(): Record<string, SessionDocument>
  /** `keep` keeps the files; the next call reopens them. */
  close(files?: 'keep'): Promise<void>
}

export function openUpkeepDesk(...fixtures: string[]): UpkeepDesk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-upkeep-')))
  for (const name of fixtures) cpSync(join(FIXTURES, name, 'home'), home, { recursive: true })
  const kenHome = join(home, '.ken')
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    KEN_HOME: kenHome,
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
  }
  const warnings: string[] = []
  mkdirSync(kenHome, { mode: 0o700 })
  writeFileSync(join(kenHome, 'config.yml'), '# What the user set.\n')
  let ken: Ken | undefined
  const context = (cwd = home): Context =>
    (ken ??= openKen(environment, (message) => void warnings.push(message))).context({
      origin: { surface: 'cli' },
      cwd,
    })
  const desk: UpkeepDesk = {
    home,
    kenHome,
    environment,
    warnings,
    context,
    async run(name, input = {}, replaced = {}) {
      const ctx = context()
      const parts = { ...(await ctx.upkeep()), ...replaced }
      return (
        await call(
          { ...ctx, upkeep: async () => parts },
          OPERATIONS.find((op) => op.name === name)!,
          input,
        )
      ).output
    },
    set: async (name, value) => void (await desk.run('config_set', { name, value })),
    sessions: () =>
      Object.fromEntries(
        filesBelow(join(kenHome, 'sessions')).map((path) => [
          path,
          parseSessionMarkdown(readFileSync(join(kenHome, 'sessions', path), 'utf8')),
        ]),
      ),
    async close(files) {
      await ken?.close()
      ken = undefined
      if (files === 'keep') return
      rmSync(home, { recursive: true, force: true })
    },
  }
  return desk
}

export const filesBelow = (folder: string): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort()

/** Paths below a folder, with stamps that show whether a file was rewritten. */
export const stampsBelow = (folder: string): string[] =>
  filesBelow(folder).map((path) => {
    const { ino, mtimeMs, size } = statSync(join(folder, path))
    return `${path} ${ino} ${mtimeMs} ${size}`
  })

export interface SpokenSession {
  readonly id: string
  readonly cwd?: string
  /** When it ended, ISO 8601. */
  readonly at: string
  readonly said: readonly (readonly [user: string, assistant: string])[]
  readonly title?: string
  /** Tool calls at the end, in order. */
  readonly calls?: SpokenCall | readonly SpokenCall[]
}

export interface SpokenCall {
  readonly tool: string
  readonly input: object
  /** Undefined if the call is pending. */
  readonly answer?: string
  readonly failed?: true
}

export const transcriptPath = (home: string, id: string): string => join(home, '.claude/projects/-work', `${id}.jsonl`)

/** Writes a whole transcript file the way Claude Code does. */
export function speak(home: string, { id, cwd = '/work', at, said, title, calls }: SpokenSession): void {
  const end = Date.parse(at)
  let parentUuid: string | null = null
  const records: object[] = title === undefined ? [] : [{ type: 'custom-title', customTitle: title, sessionId: id }]
  const called = [calls ?? []].flat().flatMap(({ tool, input, answer, failed }, i) => {
    const call = `call-${i + 1}`
    const result = { type: 'tool_result', tool_use_id: call, content: answer, ...(failed && { is_error: true }) }
    return [
      ['assistant', [{ type: 'tool_use', id: call, name: tool, input }]] as const,
      ...(answer === undefined ? [] : [['user', [result]] as const]),
    ]
  })
  said
    .flatMap(([user, assistant]): (readonly [string, unknown])[] => [
      ['user', user],
      ...(assistant === '' ? [] : [['assistant', [{ type: 'text', text: assistant }]] as const]),
    ])
    .concat(called)
    .forEach(([type, content], i, all) => {
      const uuid = `${id}-${i}`
      const timestamp = new Date(end - (all.length - 1 - i) * 1000).toISOString()
      records.push({
        parentUuid,
        isSidechain: false,
        uuid,
        timestamp,
        sessionId: id,
        cwd,
        type,
        message: { role: type, content },
      })
      parentUuid = uuid
    })
  const path = transcriptPath(home, id)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

export const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString()
