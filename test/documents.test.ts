import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDocuments } from '../src/memory/documents/index.ts'

const documents = openDocuments()
let place: string
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-documents-')))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
})
const at = (name: string) => join(place, name)
const note = (path: string) => ({ path, origin: 'note' })

describe('a file', () => {
  test('returns its text and the hash of its bytes', () => {
    writeFileSync(at('a.md'), '\ufeffgrün\n')
    expect(documents.contents(at('a.md'))).toEqual({
      text: '\ufeffgrün\n',
      hash: '54d714efd0fee86f17160800ff282864f3212f230935d5660c8f1b5ace27682b',
    })
    expect(documents.text(note(at('a.md')))).toBe('\ufeffgrün\n')
    expect(documents.stamp(at('a.md'))).toEqual({ size: 9, mtime: statSync(at('a.md')).mtimeMs })
  })

  test('is not an error if it was deleted', () => {
    expect(documents.contents(at('a.md'))).toBeUndefined()
    expect(documents.text(note(at('a.md')))).toBeUndefined()
    expect(documents.stamp(at('a.md'))).toBeUndefined()
  })

  test('is not read if it was replaced by a link or a pipe', () => {
    writeFileSync(at('target'), 'not to be read')
    symlinkSync(at('target'), at('link.md'))
    execFileSync('mkfifo', [at('pipe.md')])
    expect(documents.contents(at('link.md'))).toEqual({ reason: 'cannot be read (ELOOP)' })
    expect(documents.contents(at('pipe.md'))).toEqual({ reason: 'not a plain file' })
    for (const name of ['link.md', 'pipe.md']) expect(documents.text(note(at(name)))).toBeUndefined()
  })

  test('is not read if it is larger than 8 MB, and not indexed if it is not text', () => {
    writeFileSync(at('dump.md'), '')
    truncateSync(at('dump.md'), 8 * 1024 * 1024 + 1)
    expect(documents.contents(at('dump.md'))).toEqual({ reason: 'larger than 8 MB' })
    expect(documents.text(note(at('dump.md')))).toBeUndefined()
    writeFileSync(at('image.md'), 'PNG\0')
    expect(documents.contents(at('image.md'))).toEqual({ reason: 'not text' })
  })

  test('does not show source code through a folder that has become a link', () => {
    mkdirSync(at('elsewhere'))
    writeFileSync(at('elsewhere/main.ts'), 'export {}')
    symlinkSync(at('elsewhere'), at('src'))
    expect(documents.text({ path: at('src/main.ts'), origin: 'code' })).toBeUndefined()
    expect(documents.text({ path: at('elsewhere/main.ts'), origin: 'code' })).toBe('export {}')
  })
})

test('a folder returns its plain files, and nothing hidden, linked or foreign', async () => {
  for (const folder of ['sub', '.git', 'node_modules']) {
    mkdirSync(at(folder))
    writeFileSync(at(`${folder}/a.md`), folder)
  }
  writeFileSync(at('.hidden.md'), '')
  writeFileSync(at('b.txt'), '')
  symlinkSync(at('sub'), at('link'))
  symlinkSync(at('sub/a.md'), at('link.md'))
  const { files, overBudget } = await documents.scanFolder(place, (path) => path.endsWith('.md'))
  expect(files).toEqual([
    { path: at('sub/a.md'), relative: 'sub/a.md', size: 3, mtime: statSync(at('sub/a.md')).mtimeMs },
  ])
  expect(overBudget).toEqual([])
  expect((await documents.scanFolder(at('nowhere'), () => true)).files).toEqual([])
})

test('appended text begins at the returned line, in a file readable by its owner only', () => {
  expect(documents.append(at('notes/day.md'), '\n## One\n')).toBe(1)
  expect(documents.append(at('notes/day.md'), '\n## Two\n')).toBe(3)
  expect(readFileSync(at('notes/day.md'), 'utf8')).toBe('\n## One\n\n## Two\n')
  expect(statSync(at('notes/day.md')).mode & 0o777).toBe(0o600)
  expect(statSync(at('notes')).mode & 0o777).toBe(0o700)
})
