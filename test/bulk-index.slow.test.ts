import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-bulk-'))
const folder = join(place, 'pages')
afterAll(() => rmSync(place, { recursive: true, force: true }))

let embeddings = '0'

function ken(...words: string[]): Record<string, unknown> {
  const env = {
    ...process.env,
    HOME: place,
    KEN_HOME: join(place, 'home'),
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: embeddings,
  }
  return JSON.parse(
    execFileSync(process.execPath, [KEN, ...words, '--json'], { cwd: place, env, encoding: 'utf8' }),
  ) as Record<string, unknown>
}

const name = (i: number) => [...String(i + 100)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('a')
const page = (i: number, word: string) =>
  `# Page ${name(i)}\n\n${`${word} lorem ipsum dolor sit amet ${name(i)} consectetur adipiscing elit.\n`.repeat(900)}`
const found = (text: string) => (ken('search', text).results as { path: string }[]).map(({ path }) => path)

test('a folder too large for one thread is indexed completely, and unreadable files are named', () => {
  mkdirSync(folder)
  for (let i = 0; i < 90; i++) writeFileSync(join(folder, `${i}.md`), page(i, 'quokka'))
  writeFileSync(join(folder, 'binary.md'), Buffer.alloc(5_000))
  expect(ken('collection', 'add', 'pages', folder)).toMatchObject({
    added: 90,
    skipped: [{ path: join(folder, 'binary.md'), reason: 'not text' }],
  })
  for (const i of [0, 44, 89]) expect(found(name(i))).toEqual([join(folder, `${i}.md`)])

  for (let i = 0; i < 90; i++) writeFileSync(join(folder, `${i}.md`), page(i, i < 80 ? 'wombat' : 'quokka'))
  rmSync(join(folder, '89.md'))
  expect(ken('update')).toMatchObject({ added: 0, changed: 80, removed: 1, unchanged: 9 })
  expect(found(name(89))).not.toContain(join(folder, '89.md'))
  expect(found('quokka')).toHaveLength(9)
})

test('a large file of words that occur once, such as ids, is indexed and does not end the process', () => {
  embeddings = '1'
  const dump = join(place, 'dump')
  mkdirSync(dump)
  const id = (i: number) => (36 ** 6 + ((i * 48_271) % 2_147_483_647)).toString(36)
  writeFileSync(join(dump, 'ids.md'), Array.from({ length: 1_000_000 }, (_, i) => id(i)).join(' '))
  writeFileSync(join(dump, 'plan.md'), '# Plan\n\nThe queue moves to another host.\n')
  expect(ken('collection', 'add', 'dump', dump)).toMatchObject({ added: 2, skipped: [] })
  expect(found(id(999_999))).toEqual([join(dump, 'ids.md')])
})
