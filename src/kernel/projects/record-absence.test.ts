import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordStateFolder } from '../system/record-state-folder.ts'
import { recordAbsence } from './record-absence.ts'

let base: string
beforeEach(() => (base = realpathSync(mkdtempSync(join(tmpdir(), 'ken-absence-')))))
afterEach(() => rmSync(base, { recursive: true, force: true }))

const record = (): string => join(base, 'record')
const absence = () => recordAbsence(record(), join(base, 'records'))

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(record(), path)), { recursive: true })
    writeFileSync(join(record(), path), text)
  }
}

const event = (state: string | null): string => `${JSON.stringify({ files: { 'decisions/001-a.md': state } })}\n`

test('reports a missing folder as gone and an empty one as emptied', () => {
  expect(absence()).toBe('gone')
  mkdirSync(record())
  expect(absence()).toBe('emptied')
})

test('a record with a decision is present, whatever else is missing', () => {
  put({ 'decisions/001-a.md': '' })
  expect(absence()).toBe(undefined)
})

test('a store of another program counts as present even if nothing is recorded yet', () => {
  put({ 'project.md': '# Shop\n' })
  expect(absence()).toBe(undefined)
})

test('reports a record as emptied if the journal or this machine has seen decisions in it', () => {
  put({ 'project.md': '# Shop\n', 'journal/events.jsonl': event('ab') })
  expect(absence()).toBe('emptied')
  put({ 'journal/events.jsonl': event('ab') + event(null) })
  expect(absence()).toBe(undefined)
  rmSync(join(record(), 'journal'), { recursive: true })
  const state = recordStateFolder(join(base, 'records'), record())
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'head.json'), '{}')
  expect(absence()).toBe('emptied')
})

test('does not report a link as absent, because opening the record rejects it', () => {
  mkdirSync(join(base, 'other'))
  symlinkSync(join(base, 'other'), record())
  expect(absence()).toBe(undefined)
  rmSync(record())
  mkdirSync(record())
  symlinkSync(join(base, 'other'), join(record(), 'decisions'))
  expect(absence()).toBe(undefined)
})
