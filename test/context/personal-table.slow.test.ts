import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { openStoryDesk, type StoryDesk } from '../stories/story-desk.ts'

/** Columns of one table, each with its value in the first row; `fits` generates the other rows. */
const COLUMNS = {
  'e-mail address': { name: 'email', value: 'zebedee@quill.example', fits: (i: number) => `zeb${i}@quill.example` },
  name: { name: 'full_name', value: 'Zebedee Quillfeather', fits: (i: number) => `Ada ${'abcdefgh'[i % 8]}lovelace` },
  'date of birth': { name: 'born', value: '1961-03-04', fits: (i: number) => `19${62 + (i % 30)}-05-06` },
  pay: { name: 'salary', value: '98765', fits: (i: number) => `${41_000 + i}` },
  'sensitive, shared by many rows': { name: 'sex', value: 'female', fits: (i: number) => (i % 2 ? 'female' : 'male') },
  'sensitive, rare': { name: 'diagnosis', value: 'rareitis', fits: () => 'influenza' },
  'text with an address in it': { name: 'remark', value: 'ask zora@quill.example', fits: () => 'all is well' },
  'document with an address in it': {
    name: 'meta',
    value: 'zoe@quill.example',
    stored: '{"mail":"zoe@quill.example"}',
    fits: (i: number) => `{"mail":"zoe${i}@quill.example"}`,
  },
  'not personal': { name: 'product', value: 'Trail Jacket', fits: (i: number) => `Article ${i}` },
  'secret by its name': { name: 'password', value: 'hunter-two-hunter', fits: (i: number) => `guess-${i}-guess` },
  'named by `refuse`': { name: 'badge', value: 'quill-badge-7', fits: (i: number) => `badge-${i}-${i}` },
  'hidden by `exclude`': { name: 'shoe', value: 'forty-three-wide', fits: (i: number) => `size-${i}-size` },
} as const

const PLACES = [
  'files',
  'prompt',
  'prompt, value in the question',
  'result',
  'chart',
  'story',
  'error of the engine',
  '`ken sql`',
] as const
const PAGE = join(import.meta.dirname, '../../docs/guides/context.md')
const [START, END] = ['<!-- personal:start -->', '<!-- personal:end -->']

type Seen = Readonly<Record<(typeof PLACES)[number], string>>

async function fill(desk: StoryDesk): Promise<void> {
  const instance = await DuckDBInstance.create(join(desk.root, 'people.duckdb'))
  const connection = await instance.connect()
  const columns = Object.values(COLUMNS)
  const types: Readonly<Record<string, string>> = { born: 'DATE', salary: 'INTEGER', meta: 'JSON' }
  const typed = columns.map(({ name }) => `${name} ${types[name] ?? 'VARCHAR'}`)
  await connection.run(`CREATE TABLE people (id INTEGER PRIMARY KEY, ${typed.join(', ')})`)
  for (let i = 0; i < 60; i++)
    await connection.run(
      `INSERT INTO people VALUES (${i}, ${columns.map((one) => `'${i === 0 ? ('stored' in one ? one.stored : one.value) : one.fits(i)}'`).join(', ')})`,
    )
  connection.closeSync()
  instance.closeSync()
}

/** The form in which each reader sees the first row's values, by place. */
async function look(desk: StoryDesk): Promise<Readonly<Record<string, Seen>>> {
  const text = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      (found) => JSON.stringify(found),
      (error: unknown) => `${String(error)} ${JSON.stringify(error)}`,
    )
  const folder = join(desk.root, 'databases/type=duckdb/database=people/schema=main/table=people')
  const [columns, preview] = ['columns', 'preview'].map((name) => readFileSync(join(folder, `${name}.md`), 'utf8'))
  const question = (asked: string) => text(desk.run('list_tables', { question: asked, tokens: 8_000 }))
  const seen: Record<string, Seen> = {}
  for (const [kind, { name, value }] of Object.entries(COLUMNS)) {
    const shows = (given: string): string =>
      given.includes(value) || (name === 'born' && given.includes('1961'))
        ? 'shown'
        : MASKED.test(given)
          ? 'masked'
          : '–'
    const sql = `SELECT ${name}, id FROM people WHERE id = 0`
    const result = await text(desk.inTurn('execute_sql', { sql }))
    const isRefused = result.includes('"refused"')
    const id = /q_[0-9a-f]{12}/.exec(result)?.[0]
    const chart = isRefused
      ? ''
      : await text(desk.run('display_chart', { query_id: id, kind: 'bar', x: name, y: ['id'] }))
    const written = { action: 'create', title: `On ${name.replace('_', ' ')}`, text: `<table query="${id}"/>` }
    const { slug } = isRefused ? { slug: '' } : await desk.inTurn('story', written)
    const story = isRefused ? '' : await desk.say('story_export', { slug, output: '-' })
    const named = await question(`How many people with ${value} are there?`)
    const isNamed = named.includes(`- ${name}: `) && /\(has /.test(named.split(`- ${name}: `)[1]!.split('\\n')[0]!)
    const error = await text(
      desk.inTurn('execute_sql', {
        sql: `SELECT CAST(CAST(${name} AS VARCHAR) AS INTERVAL) AS x FROM people WHERE id = 0`,
      }),
    )
    seen[kind] = {
      files: preview!.includes(value)
        ? 'shown'
        : columns!.includes(`\`${value}\``)
          ? 'list of values'
          : columns!.includes(name)
            ? 'masked'
            : 'no column',
      prompt: (await question('How many people are there?')).includes(value) ? 'shown' : '–',
      'prompt, value in the question': isNamed ? 'confirmed' : '–',
      result: isRefused ? 'refused' : shows(result),
      chart: isRefused ? 'refused' : shows(chart),
      story: isRefused ? 'refused' : shows(story),
      'error of the engine': isRefused ? 'refused' : error.includes(value) ? 'shown' : 'withheld',
      '`ken sql`': await text(desk.run('run_sql', { sql })).then((own) =>
        own.includes('"refused"') ? 'refused' : shows(own),
      ),
    }
  }
  return seen
}

const MASKED = /\[(?:redacted|e-mail|name|birth|pay|sensitive|private)\]/

test('the guide correctly lists which personal data is visible', async () => {
  const desk = await openStoryDesk()
  const found: Readonly<Record<string, Seen>>[] = []
  await fill(desk)
  for (const personal of ['mask', { results: 'mask', refuse: ['*.people.badge'] }]) {
    desk.configure({ name: 'people', type: 'duckdb', path: 'people.duckdb', exclude: ['*.people.shoe'], personal })
    await desk.run('trust', { yes: true })
    await desk.run('sync_sources')
    found.push(await look(desk))
  }
  await desk.close()
  const [shown, masked] = found
  const both = (kind: string, place: (typeof PLACES)[number]): string => {
    const [one, other] = [shown![kind]![place], masked![kind]![place]]
    return one === other ? one : `${one}; **${other}**`
  }
  const table = [
    `| | ${PLACES.join(' | ')} |`,
    `| --- |${PLACES.map(() => ' --- |').join('')}`,
    ...Object.keys(COLUMNS).map((kind) => `| ${kind} | ${PLACES.map((place) => both(kind, place)).join(' | ')} |`),
  ].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  const next = page.replace(new RegExp(`${START}[^]*?${END}`), () => `${START}\n\n${table}\n\n${END}`)
  if (process.env['KEN_PERSONAL_TABLE'] === 'write') writeFileSync(PAGE, next)
  const rows = (text: string): readonly string[] =>
    text
      .slice(text.indexOf(START), text.indexOf(END))
      .split('\n')
      .map((line) => line.replaceAll(/[ -]+/g, ' '))
  expect(rows(readFileSync(PAGE, 'utf8'))).toEqual(rows(next))
  expect(rows(next).length).toBeGreaterThan(Object.keys(COLUMNS).length)
})
