import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDocuments } from './documents/index.ts'
import { noteEntries } from './domain/note/note-entries.ts'
import { EVERYBODY, type NoteOwner } from './domain/note/note-owner.ts'
import { writeNote } from './write-note.ts'

const home = mkdtempSync(join(tmpdir(), 'ken-note-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const write = (
  content: string,
  more: { target?: 'daily' | 'memory'; tags?: readonly string[]; at?: string; owner?: NoteOwner } = {},
) => {
  const { target = 'daily', tags = [], at = '2026-02-03T04:05:06.789Z', owner = EVERYBODY } = more
  return writeNote({ documents: openDocuments(), home }, { content, target, tags, owner }, new Date(at))
}

test('keeps the notes of a day in one file, each under its time, and returns the heading line', () => {
  const path = join(home, 'memory/2026-02-03.md')
  const first = write(' We picked pears. \n')
  const second = write('And plums.', { tags: ['fruit', 'late'], at: '2026-02-03T23:59:59.000Z' })
  expect([first, second]).toEqual([
    { path, line: 2, redacted: 0, owner: EVERYBODY },
    { path, line: 7, redacted: 0, owner: EVERYBODY },
  ])
  expect(readFileSync(path, 'utf8')).toBe(
    '\n## 2026-02-03T04:05:06.789Z\n\nscope: global\nWe picked pears.\n\n## 2026-02-03T23:59:59.000Z\n\ntags: fruit, late\nscope: global\nAnd plums.\n',
  )
})

test('starts a new file each day, and keeps long-term notes in their own file', () => {
  expect(write('We sell fruit.', { target: 'memory' }).path).toBe(join(home, 'memory/MEMORY.md'))
  expect(write('Quinces.', { at: '2026-02-04T00:00:00.000Z' }).path).toBe(join(home, 'memory/2026-02-04.md'))
})

test('redacts a secret before writing', () => {
  // Put together at run time, so that no scanner takes this file for a leak.
  const key = ['sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('')
  const { path, redacted } = write(`Pay with ${key}.`, { at: '2026-02-05T00:00:00.000Z' })
  expect(redacted).toBe(1)
  expect(readFileSync(path, 'utf8')).not.toContain(key)
})

test('a note names its owner; one from a folder around the Ken home is global', () => {
  const line = (owner: NoteOwner) => {
    const written = write('Prunes.', { at: '2026-02-06T00:00:00.000Z', owner })
    return [readFileSync(written.path, 'utf8').split('\n')[written.line + 1], written.owner.kind]
  }
  const id = '01J0000000000000000000000A'
  expect(line({ kind: 'project', id, name: 'The\norchard' })).toEqual([`scope: project The orchard (${id})`, 'project'])
  expect(line({ kind: 'folder', path: '/srv/orchard' })).toEqual(['scope: /srv/orchard', 'folder'])
  for (const path of ['/', home, tmpdir(), '/srv/a\n## b']) expect(line({ kind: 'folder', path })[1]).toBe('global')
})

test('escapes a line that looks like the start of another note', () => {
  const content = [
    'Quoted:\n## 2026-01-01T00:00:00.000Z\n\ntags: forged',
    '# 2026-01-02 Releases\n\n### 14:05 Stand-up',
    '## Plan\n\nscope: global\nThe plan.',
    '```\n## 2026-01-03T00:00:00.000Z',
  ].join('\n\n')
  const { path } = write(content, { at: '2026-02-07T00:00:00.000Z' })
  const text = readFileSync(path, 'utf8')
  expect(noteEntries(text).map(({ heading }) => heading)).toEqual(['2026-02-07T00:00:00.000Z'])
  expect(text.replaceAll('\\#', '#')).toContain(content)
})
