import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Follows docs/extending.md literally, in a copy of the source: writes its files, adds its lines, compiles everything,
// and runs every command in it.

const ROOT = resolve(import.meta.dirname, '..')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-extending-')))
const clone = join(place, 'clone')
const home = join(place, 'home')
const desk = join(place, 'desk')
const page = readFileSync(join(ROOT, 'docs', 'extending.md'), 'utf8')

interface Block {
  readonly section: string
  /** `ts`, `json`, `yaml`, `sh`. */
  readonly language: string
  /** Target path in the first line; undefined for commands. */
  readonly file: string | undefined
  /** The list that the line is added to. */
  readonly list: string | undefined
  readonly text: string
}

const BLOCKS = page.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```(\w+)\n(?:(?:\/\/|#|--) (\S+?)(?:: in (\w+))?\n)?([\s\S]*?)^```$/gm)].map(
    ([, language, file, list, text]): Block => ({
      section: section.slice(0, section.indexOf('\n')),
      language: language!,
      file,
      list,
      text: text!,
    }),
  ),
)

beforeAll(async () => {
  for (const part of ['src', 'bin', 'package.json', 'tsconfig.json', 'tsconfig.domain.json'])
    cpSync(join(ROOT, part), join(clone, part), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  for (const part of ['node_modules', 'models']) symlinkSync(join(ROOT, part), join(clone, part), 'junction')
  for (const folder of [home, desk]) mkdirSync(folder)
  execFileSync('git', ['init', '-q', desk])
  for (const block of BLOCKS.filter(({ file }) => file?.startsWith('src/'))) write(block)
  await ken('init --name shop --demo')
}, 300_000)

afterAll(() => rmSync(place, { recursive: true, force: true }))

function write({ file, list, text }: Block): void {
  const path = file!.startsWith('~/')
    ? join(home, file!.slice(2))
    : join(file!.startsWith('src/') ? clone : desk, file!)
  mkdirSync(dirname(path), { recursive: true })
  if (list === undefined) return writeFileSync(path, text)
  const before = readFileSync(path, 'utf8')
  const opening = new RegExp(`^(?:export )?const ${list}\\b[^\\n]* = \\[\\n`, 'm').exec(before)
  if (opening === null) throw new Error(`${file} has no list ${list}`)
  const end = before.indexOf('\n]\n', opening.index) + 1
  writeFileSync(path, before.slice(0, end) + text + before.slice(end))
}

async function ken(line: string): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  const env = { PATH: process.env['PATH'], HOME: home, KEN_HOME: join(home, '.ken'), KEN_TELEMETRY: '0' }
  const program = [join(clone, 'bin', 'ken.js'), ...words]
  return (await promisify(execFile)(process.execPath, program, { cwd: desk, env })).stdout
}

/** Runs the commands of a section, in order; returns the output of each. */
async function follow(section: string): Promise<string[]> {
  const blocks = BLOCKS.filter((block) => block.section === section)
  for (const block of blocks.filter(({ file }) => file !== undefined && !file.startsWith('src/'))) write(block)
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n').flatMap((line) => /^ken (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? []))
  expect(lines.length).toBeGreaterThan(0)
  const printed: string[] = []
  for (const line of lines) printed.push(await ken(line))
  return printed
}

test('every kind in the table has its section, with a definition and one line', () => {
  const kinds = [...page.matchAll(/^\| \[(an? \w+)\]/gm)].map(([, kind]) => kind!)
  expect(kinds).toEqual(['an operation', 'a harvester', 'an embedder', 'a source', 'a warehouse', 'a client'])
  for (const kind of kinds) {
    const blocks = BLOCKS.filter(({ section }) => section.toLowerCase() === kind)
    expect({ kind, lists: blocks.filter(({ list }) => list !== undefined).length }).toEqual({ kind, lists: 1 })
    expect(blocks.some(({ language }) => language === 'sh')).toBe(true)
  }
})

test('everything compiles, and core stays pure', () => {
  writeFileSync(join(clone, 'tsconfig.src.json'), '{"extends": "./tsconfig.json", "include": ["src"]}')
  for (const project of ['tsconfig.src.json', 'tsconfig.domain.json'])
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project, '--noEmit'], {
      cwd: clone,
      stdio: 'pipe',
      encoding: 'utf8',
    })
}, 120_000)

test('the operation is registered', async () => {
  expect(await follow('An operation')).toEqual([expect.stringMatching(/^8 decisions, 1 superseded\n$/)])
  expect(await ken('help --all')).toContain('count')
}, 120_000)

test('the harvester yields a session that is found by its words', async () => {
  const [harvested, , found] = await follow('A harvester')
  expect(harvested).toContain('parrot: 1 new session')
  expect(found).toContain('In the object store, one PDF each.')
  expect(await ken('config get harvest.clients')).toContain('parrot')
}, 120_000)

test('the embedder makes the vectors that a question is compared with', async () => {
  const [, , , found] = await follow('An embedder')
  expect(found).toMatch(/^ *1\. 002 — Use Postgres as the only datastore/m)
  expect(await ken('memory-status')).toContain('letters:512')
  await expect(ken('config set search.embedder letter:512')).rejects.toMatchObject({
    stderr: expect.stringContaining('letters:<dimensions>'),
  })
}, 120_000)

test('the source is compiled into a document for each of its items', async () => {
  const [synced, read] = await follow('A source')
  expect(synced).toContain('words/sales')
  expect(read).toContain('customers who left in the last quarter')
}, 120_000)

test('the warehouse is described and answers only SQL that its dialect supports', async () => {
  const [debugged, , answered] = await follow('A warehouse')
  expect(debugged).toContain('books')
  expect(answered).toContain('1300')
  await expect(ken('sql "SELECT sqlite_version()"')).rejects.toMatchObject({
    stdout: expect.stringContaining('sqlite_version() is not among'),
  })
}, 120_000)

test('the client is connected and disconnected', async () => {
  const [added, removed] = await follow('A client')
  expect(added).toMatch(
    /Parrot \(project\)[\s\S]*\.parrot\/mcp\.json {2}created[\s\S]*\.parrot\/hooks\.json {2}created/,
  )
  expect(removed).toContain('deleted')
}, 120_000)
