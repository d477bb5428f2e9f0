import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ChatEvent } from '../../src/analyst/domain/chat/event.ts'
import type { ChatPart } from '../../src/analyst/domain/chat/part.ts'
import { openKen } from '../../src/app/open.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { call } from '../../src/operations/call.ts'
import type { Context } from '../../src/operations/context.ts'
import { openScriptedModel, type Script, type ScriptedModel } from '../scripted-model.ts'
import { makeShop, ownSqlite } from '../shop-database.ts'

export interface AnalystDesk {
  readonly folder: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly model: ScriptedModel
  /** Events of the last question. */
  readonly heard: ChatEvent[]
  context(more?: Partial<Context>): Context
  ask(question: string, more?: Readonly<Record<string, unknown>>, ctx?: Partial<Context>): Promise<AskAnswer>
  run(name: string, input: Readonly<Record<string, unknown>>, ctx?: Partial<Context>): Promise<Record<string, unknown>>
  parts(chat: string): Promise<readonly ChatPart[]>
  state(): Promise<EvaluationState>
  write(path: string, text: string): void
  /** Reopens everything, as another process would. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface AskAnswer {
  readonly chat: string
  readonly message: string
  readonly end: string
  readonly text: string
  readonly question?: string
  readonly options?: readonly string[]
  readonly follow_ups: readonly string[]
  readonly queries: readonly { id: string; sql: string; rows: number }[]
  readonly notes: readonly string[]
  readonly failure?: { code: string; message: string; hint?: string }
  readonly injected?: Record<string, any>
  readonly usage: { input: number; output: number; cost?: number }
  readonly [more: string]: any
}

/** A shop with a record, a synced database, rules and skills, and a model that follows a script. */
export async function openAnalystDesk(
  script: Script = [],
  {
    files = {},
    settings = {},
  }: { files?: Readonly<Record<string, string>>; settings?: Readonly<Record<string, string>> } = {},
): Promise<AnalystDesk> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'ken-analyst-')))
  const folder = join(outside, 'shop')
  const home = join(outside, 'home')
  const model = await openScriptedModel(script)
  const environment = {
    ...process.env,
    HOME: home,
    KEN_HOME: join(home, '.ken'),
    KEN_TELEMETRY: '0',
    KEN_MODEL: 'compatible:scripted',
    KEN_MODEL_URL: `${model.url}/v1`,
  }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(folder, { recursive: true })
  mkdirSync(home, { recursive: true })
  const database = ownSqlite(join(folder, 'shop.db'))
  await makeShop(database, 'sqlite')
  await database.close()
  let ken = openKen(environment, () => {})
  const heard: ChatEvent[] = []
  const context = (more: Partial<Context> = {}): Context => ({
    ...ken.context({ origin: { surface: 'cli' }, cwd: folder, hear: (event) => heard.push(event) }),
    ...more,
  })
  const run: AnalystDesk['run'] = async (name, input, ctx) =>
    (
      await call(
        context(ctx),
        OPERATIONS.find((op) => op.name === name)!,
        input,
      )
    ).output
  await run('init', { name: 'shop', demo: true })
  await run('init', { name: 'shop', context: true, database: ['shop=sqlite:shop.db'] })
  for (const [path, text] of Object.entries(files)) write(path, text)
  // Learning uses the same model, and would consume a step of its script.
  for (const [name, value] of Object.entries({ 'memory.learn': 'false', ...settings }))
    await run('config_set', { name, value })
  await run('sync_sources', {})
  model.requests.length = 0
  return {
    folder,
    home,
    environment,
    model,
    heard,
    context,
    run,
    async ask(question, more = {}, ctx = {}) {
      heard.length = 0
      return (await run('ask', { question, ...more }, ctx)) as unknown as AskAnswer
    },
    parts: async (chat) => (await (await context().analystState()).log.parts(chat, 0)).map(({ part }) => part),
    state: () => context().analystState(),
    write,
    async restart() {
      await ken.close()
      ken = openKen(environment, () => {})
    },
    async close() {
      await ken.close()
      await model.close()
      rmSync(outside, { recursive: true, force: true })
    },
  }
}
