import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nearestSnapshot } from '../src/record/domain/snapshot/retention.ts'
import { makeSnapshot, serializeSnapshot, type SnapshotParts } from '../src/record/domain/snapshot/snapshot.ts'
import { updateState } from '../src/record/domain/state.ts'

function golden<I, E>(file: string): { name: string; input: I; expected: E }[] {
  return JSON.parse(readFileSync(new URL(`fixtures/golden/${file}.json`, import.meta.url), 'utf8')).cases
}

describe('snapshots', () => {
  test.each(golden<SnapshotParts, { ok?: object; file_text?: string; message?: string }>('snapshot-serialize'))(
    '$name serialises',
    ({ input, expected }) => {
      if (expected.message !== undefined) return expect(() => makeSnapshot(input)).toThrow(expected.message)
      const snapshot = makeSnapshot(input)
      expect(snapshot).toEqual(expected.ok)
      expect(serializeSnapshot(snapshot)).toBe(expected.file_text)
    },
  )

  test.each(golden<{ now: string; days: number; snapshots: [number, string][] }, number>('snapshot-nearest'))(
    'the look-back "$name" finds its baseline',
    ({ input, expected }) => {
      const snapshots = input.snapshots.map(([version, timestamp]) => ({ version, timestamp }))
      expect(nearestSnapshot(snapshots, input.days, new Date(input.now))?.version).toBe(expected)
    },
  )
})

describe('the current state', () => {
  interface State {
    files_before: Record<string, string>
    delta: string
    now: string
  }
  test.each(
    golden<State, { result: { status: string; warning?: string }; files_changed: Record<string, string> }>(
      'update-state',
    ),
  )('$name', ({ input, expected }) => {
    const files = {
      current: input.files_before['state_current.md'],
      history: input.files_before['state_history.md'],
      legacy: input.files_before['state.md'],
    }
    const change = updateState(files, input.delta, new Date(input.now))
    expect(change.status).toBe(expected.result.status)
    if (change.status === 'noop') return
    expect(change.warning).toBe(expected.result.warning)
    const changed = {
      'state_current.md': change.current,
      ...(change.history === undefined ? {} : { 'state_history.md': change.history }),
    }
    expect(changed).toEqual(expected.files_changed)
  })
})
