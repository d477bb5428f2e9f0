import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openUpkeepDesk, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

const file = (name: string): string => join(desk.kenHome, 'memory', name)
const search = async (query: string): Promise<string[]> =>
  (await desk.run('memory_search', { query, workspace: 'all' }))['results'].map(({ title }: { title: string }) => title)

test('note files are listed, lasting ones first, then the newest day', async () => {
  expect(await desk.run('notes_list')).toMatchObject({ files: [] })
  for (const name of ['2026-01-02.md', 'MEMORY.md', '2026-03-04.md'])
    await desk.run('note_save', { name, text: `A note of ${name}.`, hash: '' })
  const { files } = await desk.run('notes_list')
  expect(files.map(({ name, notes }: { name: string; notes: number }) => [name, notes])).toEqual([
    ['MEMORY.md', 1],
    ['2026-03-04.md', 1],
    ['2026-01-02.md', 1],
  ])
})

test('a file is read, changed and saved, and the next search finds it', async () => {
  await desk.run('memory_write', { content: 'The wombat sleeps.', target: 'memory', scope: 'global' })
  const read = await desk.run('note_show', { name: 'MEMORY.md' })
  expect(read['entries']).toMatchObject([{ title: 'The wombat sleeps.' }])
  const saved = await desk.run('note_save', {
    name: 'MEMORY.md',
    text: read['text'].replace('wombat sleeps', 'badger digs'),
    hash: read['hash'],
  })
  expect(saved).toMatchObject({ changed: true, notes: 1, redacted: 0 })
  expect(await search('badger')).toEqual(['The badger digs.'])
  expect(await search('wombat')).toEqual([])
  const back = await desk.run('note_save', { name: 'MEMORY.md', text: read['text'], hash: saved['hash'] })
  expect(back['hash']).toBe(read['hash'])
  expect(await search('wombat')).toEqual(['The wombat sleeps.'])
})

test('a concurrent note is not overwritten', async () => {
  const { path } = await desk.run('memory_write', { content: 'One.', target: 'memory', scope: 'global' })
  const { text, hash } = await desk.run('note_show', { name: 'MEMORY' })
  await desk.run('memory_write', { content: 'Two.', target: 'memory', scope: 'global' })
  const now = readFileSync(path, 'utf8')
  for (const wrong of [hash, '', 'x'])
    await expect(
      desk.run('note_save', { name: 'MEMORY.md', text: `${text}\nThree.`, hash: wrong }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
  await expect(desk.run('note_save', { name: 'MEMORY.md', text: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(readFileSync(path, 'utf8')).toBe(now)
})

test('secrets are neither shown nor saved', async () => {
  const key = ['sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('')
  mkdirSync(join(desk.kenHome, 'memory'), { recursive: true, mode: 0o700 })
  writeFileSync(file('MEMORY.md'), `Pay with ${key}.\n`)
  const { text, hash, secrets } = await desk.run('note_show', { name: 'MEMORY.md' })
  expect([text.includes(key), secrets]).toEqual([false, 1])
  const saved = await desk.run('note_save', { name: 'MEMORY.md', text: `${text}And ${key} too.\n`, hash })
  expect(saved['redacted']).toBe(1)
  expect(readFileSync(file('MEMORY.md'), 'utf8')).not.toContain(key)
})

test('no name leads outside, and nothing hidden or empty is saved', async () => {
  writeFileSync(join(desk.home, 'secret.md'), 'mine')
  await desk.run('memory_write', { content: 'One.', target: 'memory', scope: 'global' })
  symlinkSync(join(desk.home, 'secret.md'), file('link.md'))
  for (const name of [
    '../../secret.md',
    join(desk.home, 'secret.md'),
    'link.md',
    '../config.yml',
    '2026-02-31.md',
    'x',
  ])
    for (const [operation, more] of [
      ['note_show', {}],
      ['note_save', { text: 'x', hash: '' }],
    ] as const)
      await expect(desk.run(operation, { name, ...more })).rejects.toMatchObject({ code: 'not_found' })
  const { hash } = await desk.run('note_show', { name: 'MEMORY.md' })
  for (const text of ['', ' \n', 'a\u202eb', 'a\u001b[31m'])
    await expect(desk.run('note_save', { name: 'MEMORY.md', text, hash })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  expect(readFileSync(join(desk.home, 'secret.md'), 'utf8')).toBe('mine')
})

test('text that another process appends while a file is open is kept', async () => {
  await desk.run('memory_write', { content: 'One.', target: 'memory', scope: 'global' })
  const { text, hash } = await desk.run('note_show', { name: 'MEMORY.md' })
  appendFileSync(file('MEMORY.md'), '\n## 2026-05-01T11:00:00.000Z\n\nTwo.\n')
  await expect(desk.run('note_save', { name: 'MEMORY.md', text, hash })).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(file('MEMORY.md'), 'utf8')).toContain('Two.')
})
