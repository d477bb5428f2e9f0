import { expect, test } from 'vitest'
import { describeDiff } from './diff.ts'
import type { Snapshot } from './snapshot.ts'

const decision = (status: string, version = 1, more = ''): string =>
  `---\ndate: 2026-01-01\nversion: ${version}\nstatus: ${status}\n${more}---\n\n# 001 — T\n`
const SUPERSEDED = "superseded_by: '2'\n"

function told(before: string, after: string): string {
  const snapshot = (version: number, text: string): Snapshot =>
    ({ version, timestamp: '2026-01-01T00:00:00Z', files: { 'decisions/001-t.md': text } }) as unknown as Snapshot
  return describeDiff(snapshot(1, before), snapshot(2, after)).split('\n').at(-1)!.trim()
}

test('a decision is listed as superseded once; later edits are listed as modified', () => {
  expect(told(decision('active'), decision('superseded', 1, SUPERSEDED))).toBe('superseded by D2')
  expect(told(decision('superseded', 1, SUPERSEDED), `${decision('superseded', 1, SUPERSEDED)}more\n`)).toBe('modified')
})

test('an active decision that changed is listed as modified, or as updated to its new version', () => {
  expect(told(decision('active'), `${decision('active')}more\n`)).toBe('modified')
  expect(told(decision('active'), decision('active', 2))).toBe('updated to version 2')
})
