// Measures whether a search of the memory shows the answer to a question about an earlier session: `npm run eval --
// --only next-day`. Twelve sessions of a coding agent are written as Claude Code logs, harvested and asked as an agent
// would. The set was written without knowledge of Ken's code; every other question is held out.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKen } from '../src/app/open.ts'
import { renderResults } from '../src/memory/operations/render-results.ts'
import { call } from '../src/operations/call.ts'
import { REGISTRY } from '../src/operations/registry.ts'
import type { Figure } from './suite.ts'

interface RecordedSession {
  readonly id: string
  readonly repo: string
  readonly at: string
  readonly exchanges: readonly {
    readonly user: string
    readonly assistant: string
    readonly tools: readonly { readonly name: string; readonly detail: string; readonly ok: boolean }[]
  }[]
}

interface NextDaySet {
  readonly sessions: readonly RecordedSession[]
  readonly questions: readonly {
    readonly question: string
    readonly session: string
    readonly answer: readonly string[]
  }[]
}

interface ShownHit {
  readonly path: string
  readonly snippet: string
  readonly parts?: readonly { readonly snippet: string }[]
}

export async function nextDayFigures(): Promise<Figure[]> {
  const set = JSON.parse(readFileSync(join(import.meta.dirname, 'sets/next-day/set.json'), 'utf8')) as NextDaySet
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-next-day-')))
  const ken = openKen({ HOME: home, KEN_HOME: join(home, '.ken'), KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }, () => {})
  try {
    for (const session of set.sessions) writeLog(home, session)
    const context = ken.context({ origin: { surface: 'cli' }, cwd: home })
    const [harvest, query] = await Promise.all(
      ['harvest', 'memory_query'].map((name) => REGISTRY.find((one) => one.name === name)!.load()),
    )
    await call(context, harvest!, {})
    const asked = []
    for (const [at, { question, session, answer }] of set.questions.entries()) {
      const { output } = await call(context, query!, { query: question, workspace: 'all' })
      const hits = output['results'] as readonly ShownHit[]
      const isShown = (some: readonly ShownHit[]): boolean =>
        some.some(({ snippet, parts = [] }) =>
          [snippet, ...parts.map((part) => part.snippet)].some((text) => answer.some((one) => text.includes(one))),
        )
      const logs = new RegExp(`session: "?${session}"?\\n`)
      asked.push({
        half: at % 2 === 0 ? ('tuned' as const) : ('kept back' as const),
        first: hits[0] !== undefined && logs.test(readFileSync(hits[0].path, 'utf8')),
        shownFirst: isShown(hits.slice(0, 1)),
        shown: isShown([...hits.slice(0, 3), ...((output['nearest'] ?? []) as readonly ShownHit[])]),
        characters: renderResults(output as never, { query: question } as never).length,
      })
    }
    const done = []
    for (const [at, { question, session, answer }] of DONE.entries()) {
      const { output } = await call(context, query!, { query: question, workspace: 'all' })
      const hits = output['results'] as readonly ShownHit[]
      const facts = (output['facts'] ?? []) as readonly { readonly what: string; readonly session: string }[]
      done.push({
        half: at % 2 === 0 ? ('tuned' as const) : ('kept back' as const),
        hits: hits
          .slice(0, 3)
          .some(({ snippet, parts = [] }) =>
            [snippet, ...parts.map((part) => part.snippet)].join('\n').includes(answer),
          ),
        facts: facts.some((fact) => fact.session === session && fact.what.includes(answer)),
      })
    }
    return [...figuresOf(asked), ...doneFigures(done)]
  } finally {
    await ken.close()
    rmSync(home, { recursive: true, force: true })
  }
}

type Asked = { half: 'tuned' | 'kept back'; first: boolean; shownFirst: boolean; shown: boolean; characters: number }

function figuresOf(asked: readonly Asked[]): Figure[] {
  return (['tuned', 'kept back'] as const).flatMap((half) => {
    const own = asked.filter((one) => one.half === half)
    const count = (measure: string, key: 'first' | 'shownFirst' | 'shown'): Figure => ({
      set: 'coding sessions',
      half,
      measure,
      value: own.filter((one) => one[key]).length,
      of: own.length,
      better: 'higher',
    })
    return [
      count('the session comes first', 'first'),
      count('the first hit shows the answer', 'shownFirst'),
      count('one of three hits shows the answer', 'shown'),
      {
        set: 'coding sessions',
        half,
        measure: 'characters of an answer',
        value: own.reduce((sum, { characters }) => sum + characters, 0) / own.length,
        better: 'lower',
        tolerance: 50,
      },
    ]
  })
}

/** Questions about past work, written by a person who had not seen how they are parsed. */
const DONE = JSON.parse(readFileSync(join(import.meta.dirname, 'sets/next-day/done.json'), 'utf8')) as readonly {
  readonly question: string
  readonly session: string
  readonly answer: string
}[]

/** Questions answered by the hits alone, as before facts existed, and by the facts above them. */
const doneFigures = (done: readonly { half: 'tuned' | 'kept back'; hits: boolean; facts: boolean }[]): Figure[] =>
  (['tuned', 'kept back'] as const).flatMap((half) => {
    const own = done.filter((one) => one.half === half)
    const count = (measure: string, value: number): Figure => ({
      set: 'what was done',
      half,
      measure,
      value,
      of: own.length,
      better: 'higher',
    })
    return [
      count('one of three hits shows it', own.filter(({ hits }) => hits).length),
      count('a fact says it', own.filter(({ facts }) => facts).length),
    ]
  })

/** A transcript as Claude Code writes it, a minute between turns. */
function writeLog(home: string, { id, repo, at, exchanges }: RecordedSession): void {
  const cwd = join(home, repo)
  const records: object[] = []
  const add = (type: 'user' | 'assistant', content: unknown): void => {
    const uuid = `${id}-${records.length}`
    const parentUuid = records.length === 0 ? null : `${id}-${records.length - 1}`
    const timestamp = new Date(Date.parse(at) + records.length * 60_000).toISOString()
    const message = { role: type, content }
    records.push({ parentUuid, isSidechain: false, uuid, timestamp, sessionId: id, cwd, type, message })
  }
  for (const [turn, { user, assistant, tools }] of exchanges.entries()) {
    add('user', user)
    tools.forEach(({ name, detail, ok }, at) => {
      const call = `${id}-${turn}-${at}`
      const input = name === 'Bash' ? { command: detail } : { file_path: detail }
      add('assistant', [{ type: 'tool_use', id: call, name, input }])
      add('user', [{ type: 'tool_result', tool_use_id: call, content: ok ? 'done' : 'Error', is_error: !ok }])
    })
    add('assistant', [{ type: 'text', text: assistant }])
  }
  const folder = join(home, '.claude/projects', `-${repo}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${id}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}
