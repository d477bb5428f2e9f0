import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../../test/contract/decision-text.ts'
import { stepClock } from '../../../../test/contract/step-clock.ts'
import { seededChance } from '../../../../test/crash/seeded-chance.ts'
import { useFileRecord, write } from '../../../../test/file-record.ts'
import { takeSnapshots } from '../../../../test/snapshot-weight.ts'
import { makeSnapshot, serializeSnapshot } from '../../domain/snapshot/snapshot.ts'

const { at, open, put } = useFileRecord()

describe('snapshots', () => {
  test('plain files of other programs are read, and new versions are numbered after them', async () => {
    const plain = (version: number, files: Record<string, string>) =>
      serializeSnapshot(
        makeSnapshot({ version, timestamp: `2026-01-0${version}T00:00:00+00:00`, trigger: 'old', files }),
      )
    put({
      'project.md': 'p',
      'snapshots/v001.json': plain(1, { 'project.md': 'é', 'decisions/001-a.md': 'a' }),
      'snapshots/v002.json': plain(2, { 'project.md': 'p' }),
      'snapshots/v003.json': 'not JSON',
      'snapshots/v004.json': plain(9, {}),
      'snapshots/notes.json': '{}',
    })
    const store = await open()
    expect((await store.snapshots.list()).map((s) => [s.version, s.decisions])).toEqual([
      [1, 1],
      [2, 0],
    ])
    expect((await store.snapshots.read(1))!.files).toEqual({ 'project.md': 'é', 'decisions/001-a.md': 'a' })
    await write(store, { 'stack.md': 's' }, 'new')
    await write(store, { 'stack.md': 't' }, 'newer')
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2, 5, 6])
    expect((await store.snapshots.read(6))!.files).toEqual({ 'project.md': 'p', 'stack.md': 't' })
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([
      ['snapshots/v003.json', 'damaged'],
      ['snapshots/v004.json', 'damaged'],
    ])
  })

  test('a damaged entry and the entries built on it are left out and reported, and the next one is standalone', async () => {
    put({ 'project.md': randomText(4000) })
    const store = await open()
    for (const n of [1, 2, 3, 4]) await write(store, Object.fromEntries([decisionFile(n, `Number ${n}`)]), `n${n}`)
    const pack = at('snapshots', 'pack.jsonl')
    const lines = readFileSync(pack, 'utf8').split('\n')
    writeFileSync(
      pack,
      lines.map((line, i) => (i === 2 ? line.replace(/"payload":"...../, '"payload":"AAAAA') : line)).join('\n'),
    )
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2])
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([
      ['snapshots/pack.jsonl', 'damaged'],
      ['snapshots/pack.jsonl', 'damaged'],
    ])
    await write(store, Object.fromEntries([decisionFile(5, 'Number 5')]), 'n5')
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2, 5])
    expect(Object.keys((await store.snapshots.read(5))!.files)).toHaveLength(6)
  })

  test('files edited by hand between two snapshots are in the second', async () => {
    const store = await open()
    await write(
      store,
      { 'project.md': 'p', ...Object.fromEntries([decisionFile(1, 'One'), decisionFile(2, 'Two')]) },
      'first',
    )
    put({
      'project.md': 'by hand',
      ...Object.fromEntries([decisionFile(1, 'One', { rationale: 'By hand.' }), decisionFile(3, 'Three')]),
    })
    unlinkSync(at(decisionFile(2, 'Two')[0]))
    await write(store, { 'stack.md': 's' }, 'second')
    expect((await store.snapshots.read(2))!.files).toEqual({
      'project.md': 'by hand',
      'stack.md': 's',
      ...Object.fromEntries([decisionFile(1, 'One', { rationale: 'By hand.' }), decisionFile(3, 'Three')]),
    })
  })

  test('old snapshots are pruned over time, and all remaining ones can be read', async () => {
    const clock = stepClock('2026-01-01T00:00:00.000Z')
    const hourly = { ...clock, now: () => new Date(Date.parse('2026-01-01T00:00:00.000Z') + 3_600_000 * hours++) }
    let hours = 0
    const store = await open({ clock: hourly })
    await write(store, { 'project.md': 'p0' }, 'n0')
    for (let n = 1; n < 200; n++) {
      hours += 3
      await write(store, { 'project.md': `p${n}` }, `n${n}`)
    }
    const kept = await store.snapshots.list()
    expect(kept.length).toBeLessThan(150)
    expect(kept.at(-1)!.trigger).toBe('n199')
    for (const { version, trigger } of kept)
      expect((await store.snapshots.read(version))!.files).toEqual({ 'project.md': trigger.replace('n', 'p') })
  })
})

test('200 snapshots of 1,000 decisions cost less than the record itself', { timeout: 60_000 }, async () => {
  const { pack, record } = await takeSnapshots(await open(), 200)
  expect(pack / record).toBeLessThan(1)
})

function randomText(length: number): string {
  const chance = seededChance(length)
  return Array.from({ length }, () => Math.floor(chance() * 36).toString(36)).join('')
}
