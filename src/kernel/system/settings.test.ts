import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SETTINGS } from '../../app/settings.ts'
import type { Settings } from '../ports/settings.ts'
import { openYamlSettings } from './settings.ts'

let folder: string
let path: string
let settings: Settings

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ken-settings-'))
  path = join(folder, 'config.yml')
  settings = openYamlSettings({ path, definitions: SETTINGS, environment: {}, warn: () => undefined })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('unsetting a setting that is not in the file does nothing and creates no file', () => {
  settings.unset('storage.retention')
  expect(existsSync(path)).toBe(false)
})

test('unsetting a setting keeps the others and the comments', () => {
  writeFileSync(path, '# mine\nstorage:\n  retention: 30d\n  maxSize: 1GB\n')
  settings.unset('storage.retention')
  settings.unset('search.embedder')
  expect(readFileSync(path, 'utf8')).toBe('# mine\nstorage:\n  maxSize: 1GB\n')
})

test('reports a value in the place of a section, and leaves the file unchanged', () => {
  writeFileSync(path, 'storage: 5\n')
  settings.unset('storage.retention')
  expect(() => settings.set('storage.retention', '30d')).toThrow('"storage" holds a value')
  expect(readFileSync(path, 'utf8')).toBe('storage: 5\n')
})

test('lists unknown settings in the file, with the name that was probably meant', () => {
  writeFileSync(
    path,
    'storge:\n  retention: 30d\nstorage:\n  maxsize: 1GB\n  minFreeDisk: 1GB\ncollections:\n  docs: /docs\nbanana: 5\n',
  )
  expect(settings.unknown()).toEqual([
    { name: 'storge.retention', meant: 'storage.retention' },
    { name: 'storage.maxsize', meant: 'storage.maxSize' },
    { name: 'banana', meant: undefined },
  ])
  expect(() => settings.get('serch.embedder')).toThrow('No setting')
})

test('reads changes written by another process', () => {
  writeFileSync(path, 'storage:\n  retention: 30d\n')
  expect(settings.get('storage.retention').value).toBe('30d')
  writeFileSync(path, 'storage:\n  retention: 3000d\n')
  expect(settings.get('storage.retention').value).toBe('3000d')
})
