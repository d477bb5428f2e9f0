import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openYamlCollections } from './yaml-collections.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ken-collections-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['no file', undefined],
  ['an empty file', ''],
  ['settings alone', 'server:\n  port: 1\n'],
  ['nothing below collections', 'collections:\n'],
  ['a value in its place', 'collections: none\n'],
])('rejects removing or renaming a missing collection: %s', (_what, text) => {
  const path = join(folder, 'config.yml')
  if (text !== undefined) writeFileSync(path, text)
  const collections = openYamlCollections(path)
  expect(() => collections.remove('papers')).toThrow('No collection named "papers".')
  expect(() => collections.rename('papers', 'books')).toThrow('No collection named "papers".')
  if (text !== undefined) expect(readFileSync(path, 'utf8')).toBe(text)
})
