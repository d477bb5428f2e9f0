import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'

/**
 * Every field of an operation offered to a page that may name a file or folder, open a program or wait for a terminal,
 * with the reason why it is harmless:
 *
 * - `inside`: it is looked up only inside the record, the context project, the tests or the notes
 * - `words`: it is compared with known values, and opens nothing
 * - `refused`: a page that sends it gets an error
 * - `ignored`: a page gets the content in the answer, and nothing is written
 * - `absent`: without it an editor or a prompt would open, and a page has neither
 * - `chosen`: the page exists so that a person can name it: a source, a collection
 */
const THOUGHT_OF: Readonly<Record<string, 'inside' | 'words' | 'refused' | 'ignored' | 'absent' | 'chosen'>> = {
  'ask.images': 'refused',
  'browsers_end.browser': 'words',
  'chat_export.file': 'refused',
  'check_decision.files': 'words',
  'collection_add.path': 'chosen',
  'collection_add.pattern': 'chosen',
  'collection_add.workspace': 'chosen',
  'context_plan.stdin': 'ignored',
  'context_save.expect': 'words',
  'context_save.file': 'inside',
  'context_save.stdin': 'ignored',
  'context_show.file': 'inside',
  'describe_table.database': 'words',
  'drift.since': 'words',
  'edit.text': 'absent',
  'execute_sql.database': 'words',
  'forget.what': 'words',
  'get_raw_file.path': 'inside',
  'graph.open': 'refused',
  'graph.output': 'refused',
  'grep_files.files': 'inside',
  'grep_files.pattern': 'words',
  'guard.base': 'words',
  'guard.paths': 'inside',
  'impact.target': 'words',
  'impact.workspace': 'words',
  'inbox_edit.text': 'absent',
  'init_context.database': 'chosen',
  'init_context.docs': 'chosen',
  'init_context.folder': 'refused',
  'init_context.name': 'words',
  'init_context.repository': 'chosen',
  'init_context.source': 'chosen',
  'key_set.stdin': 'refused',
  'list_decisions.file': 'words',
  'list_files.folder': 'inside',
  'list_tables.database': 'words',
  'list_tables.match': 'inside',
  'memory_browse.workspace': 'words',
  'memory_facets.workspace': 'words',
  'memory_get.id': 'inside',
  'memory_get.workspace': 'words',
  'memory_index_codebase.root': 'refused',
  'memory_multi_get.pattern': 'inside',
  'memory_multi_get.workspace': 'words',
  'memory_query.workspace': 'words',
  'memory_search.workspace': 'words',
  'memory_vsearch.workspace': 'words',
  'models_pull.from': 'refused',
  'note_save.hash': 'words',
  'note_save.name': 'inside',
  'note_save.text': 'absent',
  'note_show.name': 'inside',
  'propose_decision.files_affected': 'words',
  'pull_request.base': 'words',
  'read_file.path': 'inside',
  'remove_project.export': 'refused',
  'restore.files': 'inside',
  'run_sql.database': 'words',
  'run_sql.file': 'refused',
  'run_sql.name': 'inside',
  'run_sql.output': 'refused',
  'run_sql.sql': 'refused',
  'search_decisions.file': 'words',
  'search_files.pattern': 'inside',
  'session_show.id': 'inside',
  'session_show.workspace': 'words',
  'source_add.exclude': 'chosen',
  'source_add.include': 'chosen',
  'source_add.what': 'chosen',
  'story_edit.file': 'refused',
  'story_edit.text': 'absent',
  'story_export.output': 'ignored',
  'story_new.from': 'absent',
  'symbols.workspace': 'words',
  'sync_sources.only': 'inside',
  'table_facts.database': 'words',
  'test_cases.select': 'inside',
  'test_record.file': 'inside',
  'test_record.want': 'words',
  'test_report.baseline': 'words',
  'test_report.output': 'ignored',
  'test_run.baseline': 'words',
  'test_run.select': 'inside',
  'test_show.baseline': 'words',
  'test_show.case': 'words',
  'trust.folder': 'refused',
}

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-paths-')))
const [project, outside] = [join(place, 'project'), join(place, 'outside')]
let ken: Ken

beforeAll(async () => {
  mkdirSync(project)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.sql'), 'SELECT 1')
  execFileSync('git', ['init', '-q'], { cwd: project })
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  const cli = ken.context({ origin: { surface: 'cli' }, cwd: project })
  await call(cli, operation('init'), { name: 'paths' })
  await call(cli, operation('init_context'), { name: 'paths' })
  await call(cli, operation('story'), { action: 'create', title: 'Sales', text: '# Sales' })
})

afterAll(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!

const ask = (name: string, input: object) =>
  call(ken.context({ origin: { surface: 'app' }, cwd: project, startedIn: project }), operation(name), input)

test('every field by which a page might reach a file, a program or the terminal is listed', () => {
  const found = OPERATIONS.filter(({ hiddenFrom }) => hiddenFrom.app === undefined).flatMap(({ name, input }) =>
    fieldsOf(input)
      .filter(({ field, about, isFree }) => isFree && SUSPECT.test(`${field} ${about}`))
      .map(({ field }) => `${name}.${field}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(THOUGHT_OF).toSorted())
})

test.each([
  ['graph', { output: join(outside, 'x.html') }],
  ['chat_export', { file: join(outside, 'x.md') }],
  ['run_sql', { file: join(outside, 'secret.sql') }],
  ['run_sql', { sql: join(outside, 'secret.sql') }],
  ['run_sql', { sql: 'SELECT 1', output: join(outside, 'x.csv') }],
  ['story_edit', { slug: 'sales', file: join(outside, 'secret.sql') }],
  ['init_context', { folder: outside }],
  ['models_pull', { name: 'minilm-l6', from: join(outside, 'secret.sql') }],
  ['memory_index_codebase', { root: outside }],
  ['trust', { folder: outside }],
  ['key_set', { provider: 'openai', stdin: true }],
  ['sync_sources', { watch: true }],
  ['remove_project', { project: 'any', export: join(outside, 'x') }],
] as const)('a page is refused: %s %j', async (name, input) => {
  await expect(ask(name, input)).rejects.toMatchObject({ code: 'forbidden' })
  expect(readdirSync(outside)).toEqual(['secret.sql'])
})

test.each([
  ['guard', { base: `--output=${join(outside, 'x')}` }],
  ['pull_request', { base: `--output=${join(outside, 'x')}` }],
  ['drift', { since: `--output=${join(outside, 'x')}` }],
  ['get_raw_file', { path: '../../outside/secret.sql' }],
  ['read_file', { path: '../outside/secret.sql' }],
  ['list_files', { folder: '../outside' }],
  ['note_show', { name: '../../outside/secret' }],
  ['restore', { version: 'v001', files: ['../../outside/secret.sql'] }],
  ['test_record', { check: 'Use Redis as the cache', file: '../../outside/secret.sql' }],
  ['ask', { question: 'What is this?', images: [join(outside, 'secret.sql')] }],
] as const)('a page gets nothing from elsewhere: %s %j', async (name, input) => {
  await expect(ask(name, input)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:invalid_input|forbidden|not_found)$/),
  })
  expect(readdirSync(outside)).toEqual(['secret.sql'])
})

test('the project that a page shows can be indexed from it', async () => {
  const { output } = await ask('memory_index_codebase', {})
  expect(output).toMatchObject({ root: project })
})

// Matches the name or the description.
const SUSPECT =
  /\b(?:path|paths|file|files|folder|folders|directory|root|output|glob|globs|pattern|editor|browser|pipe|stdin|revision|until stopped|workspace)\b|^(?:from|what|images|baseline|database|repository|docs|source)\b/i

const SWITCHES: ReadonlySet<string> = new Set(['open', 'stdin', 'watch'])

interface Described {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly 'x-help'?: string
}

interface Field {
  readonly field: string
  readonly about: string
  /** Whether it takes any text, or enables something that a page does not have. */
  readonly isFree: boolean
}

function fieldsOf(input: z.ZodType): Field[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([field, schema]) => {
    const { type, description = '', enum: choices, ['x-help']: help = '' } = schema as Described
    const isFree =
      type === 'boolean' ? SWITCHES.has(field) : type !== 'integer' && (choices === undefined || field === 'file')
    return { field, about: `${description} ${help}`, isFree }
  })
}
