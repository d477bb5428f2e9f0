import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDocuments } from '../adapters/documents/disk/index.ts'
import { writeNote } from './write-note.ts'

const home = mkdtempSync(join(tmpdir(), 'ken-note-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const write = (content: string, more: { target?: 'daily' | 'memory'; tags?: readonly string[]; at?: string } = {}) => {
  const { target = 'daily', tags = [], at = '2026-02-03T04:05:06.789Z' } = more
  return writeNote({ documents: openDocuments(), home }, { content, target, tags }, new Date(at))
}

test('the notes of a day are one file, each under its time, and the line of the heading is told', () => {
  const path = join(home, 'memory/2026-02-03.md')
  const first = write(' We picked pears. \n')
  const second = write('And plums.', { tags: ['fruit', 'late'], at: '2026-02-03T23:59:59.000Z' })
  expect([first, second]).toEqual([
    { path, line: 2, redacted: 0 },
    { path, line: 6, redacted: 0 },
  ])
  expect(readFileSync(path, 'utf8')).toBe(
    '\n## 2026-02-03T04:05:06.789Z\n\nWe picked pears.\n\n## 2026-02-03T23:59:59.000Z\n\ntags: fruit, late\nAnd plums.\n',
  )
})

test('the next day begins another file, and what is to be remembered for long has its own', () => {
  expect(write('We sell fruit.', { target: 'memory' }).path).toBe(join(home, 'memory/MEMORY.md'))
  expect(write('Quinces.', { at: '2026-02-04T00:00:00.000Z' }).path).toBe(join(home, 'memory/2026-02-04.md'))
})

test('a secret is taken out before anything is written', () => {
  // Put together at run time, so that no scanner takes this file for a leak.
  const key = ['sk', '_live_', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('')
  const { path, redacted } = write(`Pay with ${key}.`, { at: '2026-02-05T00:00:00.000Z' })
  expect(redacted).toBe(1)
  expect(readFileSync(path, 'utf8')).not.toContain(key)
})
