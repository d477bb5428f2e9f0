import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFolderTexts } from '../../context/source/folder-texts.ts'
import { openDocuments } from '../../memory/documents/index.ts'
import { isInTests } from './tests-folder.ts'

let folder: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-tests-folder-')))
  for (const path of ['a/ken.yaml', 'a/tests/x.ts', 'a/b/tests/x.ts', 'plain/tests/x.ts', 'plain/.ken/tests/x.ts']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), 'export const x = 1\n')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['a/tests', true],
  ['a/TESTS/deep/x.ts', true],
  ['a/tests.md', false],
  ['a/ken.yaml', false],
  ['a/b/tests/x.ts', false],
  ['plain/tests/x.ts', false],
  ['plain/.ken/tests/x.ts', true],
  ['plain/.KEN/Tests', true],
  ['plain/.ken/x.ts', false],
])('%s is hidden: %s', (path, expected) => {
  expect(isInTests(join(folder, path))).toBe(expected)
})

test('ignores folders above the given one', () => {
  const inside = join(folder, 'a/tests/fixture')
  expect([isInTests(join(inside, 'x.md')), isInTests(join(inside, 'x.md'), inside)]).toEqual([true, false])
})

test('neither scan finds a test case, and none is read by its path', async () => {
  const documents = openDocuments()
  const limits = { exclude: [], extensions: [], maxFileSize: 1e6, maxSize: 1e6, maxFiles: 100 }
  const code = await documents.scanCode(folder, limits)
  const plain = await documents.scanFolder(folder, () => true)
  for (const { files } of [code, plain])
    expect(files.map(({ relative }) => relative).toSorted()).toEqual([
      'a/b/tests/x.ts',
      'a/ken.yaml',
      'plain/tests/x.ts',
    ])
  const path = join(folder, 'a/tests/x.ts')
  expect([documents.text({ path, origin: 'document' }), documents.stamp(path)]).toEqual([undefined, undefined])
  expect(documents.contents(path)).toEqual({ reason: 'it holds test cases' })
  for (const root of ['a/tests', 'plain/.ken/tests'])
    expect([
      (await documents.scanCode(join(folder, root), limits)).files,
      (await documents.scanFolder(join(folder, root), () => true)).files,
    ]).toEqual([[], []])
})

test('a source that reads a folder by known names does not read test cases', () => {
  const read = (root: string) => readFolderTexts(join(folder, root), () => true).texts.map(({ path }) => path)
  expect(read('.')).toEqual(['a/b/tests/x.ts', 'a/ken.yaml', 'plain/tests/x.ts'])
  expect(read('a/tests')).toEqual([])
})
