import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FoundLines, LineSearch } from '../ports/context-files.ts'
import { openContextFiles } from './index.ts'

const SECRET = 'tr0ub4dor-and-more'
const redact = async (text: string) => ({
  text: text.replaceAll(SECRET, '[redacted]'),
  count: text.split(SECRET).length - 1,
})

let place: string
let folder: string
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-grep-')))
  folder = join(place, 'project')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const grep = (pattern: string, more: Partial<LineSearch> = {}, signal?: AbortSignal): Promise<FoundLines> =>
  openContextFiles(folder, redact).grep(
    { pattern, literal: false, matchCase: false, context: 0, limit: 100, accepts: () => true, ...more },
    signal,
  )
const places = async (pattern: string, more: Partial<LineSearch> = {}): Promise<readonly string[]> =>
  (await grep(pattern, more)).hits.map(({ path, line }) => `${path}:${line}`)

test('sorts hits by path and line across files, and reports that there are more beyond the limit', async () => {
  for (let i = 0; i < 300; i++)
    write(
      `docs/${String(i).padStart(3, '0')}.md`,
      `first\nneedle ${i}\n${i % 2 === 0 ? 'no newline at the end: needle' : 'end\n'}`,
    )
  const all = await grep('needle', { limit: 1_000 })
  expect(all.hits.map((hit) => `${hit.path}:${hit.line}`)).toEqual(
    Array.from({ length: 300 }, (_, i) => `docs/${String(i).padStart(3, '0')}.md`).flatMap((path, i) =>
      i % 2 === 0 ? [`${path}:2`, `${path}:3`] : [`${path}:2`],
    ),
  )
  expect(all).toMatchObject({ files: 300, more: false })
  expect(await grep('needle', { limit: 450 })).toEqual({ ...all, more: false })
  const part = await grep('needle', { limit: 200 })
  expect(part).toEqual({ hits: all.hits.slice(0, 200), files: 133, more: true })
})

test('context lines stay inside their file, with any line ending', async () => {
  write('a.md', 'last of a\n')
  write('b.md', 'one\r\ntwo needle\r\n\r\nfour')
  write('c.md', 'first of c\n')
  expect((await grep('needle$', { context: 5 })).hits).toEqual([
    { path: 'b.md', line: 2, text: 'two needle', before: ['one'], after: ['', 'four'] },
  ])
  expect(await places('^$')).toEqual(['b.md:3'])
})

test('a pattern is only matched against the masked text, so it cannot probe for a secret', async () => {
  write('deploy.md', `password: ${SECRET}\nthe password is above\n`)
  expect(await places('tr0ub4dor')).toEqual([])
  expect(await places('password: t')).toEqual([])
  expect(await places('password: [^[]')).toEqual([])
  expect((await grep('password', { context: 1 })).hits.map((hit) => [hit.text, ...hit.before])).toEqual([
    ['password: [redacted]'],
    ['the password is above', 'password: [redacted]'],
  ])
})

test('does not search unlistable files (excluded ones, folders with such a name, links); .gitignore is ignored', async () => {
  for (const path of [
    '.env',
    'x/.env',
    'keys.pem/readme.md',
    '.git/config',
    'sub/.git/x',
    '.ken/x.md',
    'a/node_modules/x.md',
    'tests/x.yaml',
    'private/x.md',
    'x.0123456789ab.tmp',
    '../beside.md',
    'ken.yaml',
  ])
    write(path, 'needle\n')
  symlinkSync(join(place, 'beside.md'), join(folder, 'link.md'))
  symlinkSync(place, join(folder, 'up'))
  write('.kenignore', '/private/\n[\n{a\n')
  write('.gitignore', 'shown/\n')
  write('shown/a b\tü.md', 'Needle\n')
  write('.hidden/note.md', 'needle\n')
  write('binary.md', Buffer.from([110, 0, 10, ...Buffer.from('needle\n')]))
  expect(await places('needle')).toEqual(['.hidden/note.md:1', 'shown/a b\tü.md:1'])
  expect(await places('needle', { matchCase: true })).toEqual(['.hidden/note.md:1'])
  expect(await places('needle', { accepts: (path) => path.startsWith('shown') })).toEqual(['shown/a b\tü.md:1'])
})

test.each([
  ['-v', 'dash -v\n', {}],
  ['{{name}}', 'hello {{name}}\n', {}],
  ['a(b', 'a(b\n', { literal: true }],
  [String.raw`(\w)\1x`, 'aax\n', {}],
  ['(?<!no )entry', 'an entry\n', {}],
  [String.raw`\d{3}\/\d`, '123/4\n', {}],
  ['ÄRGER', 'Ärger\n', {}],
] as const)('%s is a pattern', async (pattern, text, more) => {
  write('a.md', `x\n${text}`)
  expect(await places(pattern, more)).toEqual(['a.md:2'])
})

test.each(['(a', '[z-a]', 'a\nb', 'a\0', '*'])('rejects %j with the reason', async (pattern) => {
  write('a.md', 'a\n')
  await expect(grep(pattern)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^The pattern .*\.$/),
    hint: expect.any(String),
  })
})

test('a pattern with nested repetition takes one pass', async () => {
  write('a.md', `${'a'.repeat(200)}b\n${'a'.repeat(200)}\n`)
  expect(await places('^(a+)+$')).toEqual(['a.md:2'])
})

test('stops a PCRE2-only pattern after a step limit, without blocking other work', async () => {
  for (let i = 0; i < 50; i++) write(`${i}.md`, `${'a'.repeat(60)}b\n`.repeat(100))
  const files = openContextFiles(folder, redact)
  const order: string[] = []
  const search = grep('^(?=(a|aa)+$)')
    .catch((error: unknown) => error)
    .finally(() => order.push('search'))
  await files.read('1.md')
  order.push('read')
  expect(await search).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('look-around') })
  expect(order).toEqual(['read', 'search'])
})

test('a search ends when the caller stops it, and when its time is up', async () => {
  for (let i = 0; i < 200; i++) write(`${i}.md`, 'needle\n'.repeat(1_000))
  const stop = new AbortController()
  const search = grep('needle', {}, stop.signal)
  stop.abort()
  await expect(search).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'stopped' } })
  const hasty = openContextFiles(folder, redact, 0)
  await expect(
    hasty.grep({ pattern: 'needle', literal: false, matchCase: false, context: 0, limit: 1, accepts: () => true }),
  ).rejects.toMatchObject({ details: { reason: 'timeout' }, hint: expect.stringContaining('files') })
})
