import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import type { ChatPart } from '../../src/analyst/domain/chat/part.ts'
import { projectKey } from '../../src/analyst/operations/project-key.ts'
import { openKen, type Ken } from '../../src/app/open.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { answerText } from '../../src/operations/answer.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'

type Answer = Record<string, any>

/** A context project over a real SQLite database, and a chat with the analyst in it. */
export interface StoryDesk {
  readonly root: string
  readonly home: string
  readonly environment: Record<string, string>
  /** Parts that turns have added. */
  readonly parts: ChatPart[]
  context(more?: Partial<Context>): Context
  /** Calls an operation as a person at a terminal. */
  run(name: string, input?: object, more?: Partial<Context>): Promise<Answer>
  /** The rendered text of an operation. */
  say(name: string, input?: object): Promise<string>
  /** Calls an operation as the analyst, in a turn of its chat. */
  inTurn(name: string, input: object): Promise<Answer>
  /** Runs a statement in the chat and returns its id. */
  query(sql: string): Promise<string>
  exec(...statements: string[]): void
  configure(database: object): void
  close(): Promise<void>
}

const CHAT = 'chat-of-the-test'

export async function openStoryDesk(): Promise<StoryDesk> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-stories-')))
  const [root, home] = [join(place, 'project'), join(place, 'home')]
  mkdirSync(root)
  const environment = { HOME: place, PATH: process.env['PATH'] ?? '', KEN_HOME: home, KEN_TELEMETRY: '0' }
  const ken: Ken = openKen(environment, () => {})
  const parts: ChatPart[] = []
  const operation = (name: string) => OPERATIONS.find((op) => op.name === name)!
  const context = (more: Partial<Context> = {}): Context => ({
    ...ken.context({ origin: { surface: 'cli' }, cwd: root }),
    ...more,
  })
  const turn: NonNullable<Context['turn']> = {
    chat: CHAT,
    message: 'message',
    call: 'call',
    tally: new Map(),
    add: async (part) => void parts.push(part),
  }
  const desk: StoryDesk = {
    root,
    home,
    environment,
    parts,
    context,
    run: async (name, input = {}, more = {}) => (await call(context(more), operation(name), input)).output,
    say: async (name, input = {}) =>
      answerText(operation(name), await call(context(), operation(name), input), 'person'),
    inTurn: async (name, input) => (await call(context({ turn }), operation(name), input)).output,
    async query(sql) {
      const { query_id, refused } = await desk.inTurn('execute_sql', { sql })
      if (query_id === undefined) throw new Error(JSON.stringify(refused))
      return query_id as string
    },
    exec(...statements) {
      const database = new DatabaseSync(join(root, 'shop.db'))
      for (const statement of statements) database.exec(statement)
      database.close()
    },
    configure: (database) =>
      writeFileSync(
        join(root, 'ken.yaml'),
        stringify({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', ...database }] }),
      ),
    async close() {
      await ken.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
  desk.exec(
    'CREATE TABLE sales (month TEXT, revenue INTEGER, orders INTEGER)',
    "INSERT INTO sales VALUES ('2026-01', 100, 4), ('2026-02', 150, 5), ('2026-03', 125, 7)",
    'CREATE TABLE staff (name TEXT)',
  )
  desk.configure({})
  await desk.run('sync_sources')
  const state = await context().analystState()
  const at = new Date().toISOString()
  await state.chats.start({
    id: CHAT,
    user: context().user,
    project: await projectKey(context()),
    folder: root,
    title: 'Sales',
    starred: false,
    createdAt: at,
    updatedAt: at,
  })
  return desk
}
