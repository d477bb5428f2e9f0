import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openKen } from '../../src/app/open.ts'
import { workspaceHash } from '../../src/kernel/domain/workspace.ts'
import type { Memory, MemoryQuestion } from '../../src/memory/ports/memory.ts'

const WORDS =
  'queue retry payment ledger zebra cache socket invoice tenant shard replica webhook token backoff jitter schema migration rollback snapshot vector embedding parser outline importer caller session note decision collection workspace'.split(
    ' ',
  )

/** A home with everything that the index is built from, and the answers of the undamaged index. */
export interface PokeDesk {
  readonly index: string
  /** Restores the undamaged index, with its log empty or full. */
  reset(log: 'empty' | 'full'): void
  /** Reopens Ken and runs every query. Returns the answers and the printed messages. */
  ask(): Promise<{ answers: Answers; said: readonly string[] }>
  readonly right: Answers
  close(): void
}

export type Answers = Readonly<Record<string, unknown>>

export async function openPokeDesk(): Promise<PokeDesk> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-pokes-')))
  const home = join(place, 'home')
  fill(place, home)
  const environment = { HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0' }

  async function withMemory<T>(work: (memory: Memory) => Promise<T>): Promise<{ value: T; warned: string[] }> {
    const warned: string[] = []
    const ken = openKen(environment, (message) => warned.push(message))
    try {
      return {
        value: await work(
          await ken.context({ origin: 'cli', cwd: place, confirm: async () => false } as never).memory(),
        ),
        warned,
      }
    } finally {
      await ken.close()
    }
  }

  await withMemory((memory) => memory.update({ embed: true, progress: () => {} }))
  const stores = { empty: join(place, 'log-empty'), full: join(place, 'log-full') }
  keepIndex(home, stores.empty)
  // Keeps the last changes only in the log, as if the process had been killed.
  const holder = new DatabaseSync(join(home, 'index.db'))
  holder.exec('BEGIN')
  holder.prepare('SELECT count(*) FROM document').get()
  writeFileSync(join(place, 'docs', 'late.md'), '# Late page\n\nThe okapi retry ledger came late.\n')
  await withMemory((memory) => memory.update({ embed: true, progress: () => {} }))
  keepIndex(home, stores.full)
  holder.exec('COMMIT')
  holder.close()
  await withMemory((memory) => memory.update({ embed: true, progress: () => {} }))
  rmSync(stores.empty, { recursive: true })
  keepIndex(home, stores.empty)

  const ask: PokeDesk['ask'] = async () => {
    const { value, warned } = await withMemory(askAll)
    return { answers: value.answers, said: [...value.notes, ...warned] }
  }
  return {
    index: join(home, 'index.db'),
    reset(log) {
      for (const name of indexFiles(home)) rmSync(join(home, name), { recursive: true, force: true })
      cpSync(stores[log], home, { recursive: true })
    },
    ask,
    right: (await ask()).answers,
    close: () => rmSync(place, { recursive: true, force: true }),
  }
}

const indexFiles = (home: string): string[] => readdirSync(home).filter((name) => name.startsWith('index.'))

function keepIndex(home: string, store: string): void {
  mkdirSync(store)
  for (const name of indexFiles(home)) cpSync(join(home, name), join(store, name))
}

function fill(place: string, home: string): void {
  const file = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const sentence = (n: number) =>
    Array.from({ length: 14 }, (_, i) => WORDS[(n * 7 + i * ((n % 5) + 1) * 3) % WORDS.length]).join(' ')
  for (let n = 0; n < 40; n++) {
    const parts = Array.from(
      { length: 1 + (n % 6) },
      (_, i) => `## Part ${i} of ${WORDS[(n + i) % WORDS.length]}\n\n${`${sentence(n * 11 + i)}.\n`.repeat(12)}`,
    )
    const aside = n % 9 === 0 ? `status: superseded\nsuperseded_by: page-${n + 1}.md\n` : ''
    file(
      join(place, 'docs', `page-${n}.md`),
      `---\ntitle: Page ${n} on ${WORDS[n % WORDS.length]}\ntags: [${WORDS[n % 4]}, t${n % 3}]\ndate: 2025-0${1 + (n % 9)}-01\n${aside}---\n# Page ${n}\n\n${parts.join('\n')}`,
    )
  }
  for (let n = 0; n < 10; n++)
    file(
      join(home, 'sessions', n % 2 ? workspaceHash(place) : '0123456789ab', `s${n}.md`),
      `---\nsession: "s${n}"\nclient: "codex"\nstarted: "2026-02-03T10:00:00.000Z"\nended: "2026-02-03T11:00:00.000Z"\n---\n# s${n}\n\n## User\n\n${sentence(n)} here\n`,
    )
  file(
    join(home, 'memory', 'MEMORY.md'),
    '\n## 2026-01-01T00:00:00.000Z\n\ntags: ops\nThe marmot likes the ledger queue.\n',
  )
  for (let n = 0; n < 8; n++)
    file(
      join(place, 'code', `module-${n}.ts`),
      `import { open${n + 1} } from './module-${n + 1}.ts'\n\nexport function open${n}(path: string) {\n  return open${n + 1}(path) + close(path)\n}\n\nexport class Store${n} {\n  close() {\n    return open${n}('x')\n  }\n}\n`,
    )
  file(
    join(home, 'config.yml'),
    `collections:\n  docs:\n    path: ${JSON.stringify(join(place, 'docs'))}\ncodebase:\n  roots: [${JSON.stringify(join(place, 'code'))}]\n`,
  )
}

const QUESTIONS: readonly MemoryQuestion[] = [
  ...WORDS.map((text) => ({ text, by: 'words' as const, scope: {}, limit: 60 })),
  ...[
    'payment retry queue',
    'zebra ledger page',
    'snapshot of a vector',
    'part of invoice',
    'marmot',
    'okapi late',
    'open3 close',
  ].flatMap((text) => (['words', 'meaning', 'both'] as const).map((by) => ({ text, by, scope: {}, limit: 12 }))),
  { text: 'queue retry', by: 'both', scope: { tags: ['retry'] }, limit: 30 },
  {
    text: 'queue retry',
    by: 'both',
    scope: { collections: ['docs'], since: Date.parse('2025-03-01'), until: Date.parse('2025-06-30') },
    limit: 30,
  },
  { text: 'ledger cache', by: 'words', scope: { within: { workspaces: ['0123456789ab'], projects: [] } }, limit: 30 },
  { text: 'open close path', by: 'words', scope: { origins: ['code'] }, limit: 30 },
]

const ALL = { within: undefined }

async function askAll(memory: Memory): Promise<{ answers: Answers; notes: string[] }> {
  const answers: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [i, question] of QUESTIONS.entries()) {
    const { hits, stages, notes: own } = await memory.search(question)
    answers[`${i} ${question.by} ${question.text}`] = { hits, stages }
    notes.push(...own)
  }
  const { hits } = await memory.search({ text: 'page ledger', by: 'words', scope: {}, limit: 3 })
  for (const { id, path } of hits)
    answers[`read ${id}`] = [await memory.read(id, ALL), await memory.read(path, { from: 2, lines: 3, ...ALL })]
  answers['match'] = await memory.match('**', '/', undefined)
  answers['nothing'] = await memory.read('#000000000000', ALL)
  for (let n = 0; n < 8; n++)
    answers[`code ${n}`] = [
      await memory.code.symbols(`open${n}`, 20, undefined),
      await memory.code.callers(`open${n}`, undefined),
      (await memory.code.files(`module-${n}.ts`, undefined)).length,
    ]
  const [file] = await memory.code.files('module-3.ts', undefined)
  answers['code'] = [
    await memory.code.symbols('Sto', 20, undefined),
    await memory.code.definedIn(file!, undefined),
    await memory.code.importers(file!, undefined),
    await memory.code.callers('close', undefined),
  ]
  const { generation: _, bytes: __, ...status } = await memory.status()
  answers['status'] = status
  return { answers: JSON.parse(JSON.stringify(answers)) as Answers, notes }
}
