import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Store } from '../src/record/ports/store.ts'
import { decisionFile } from './contract/decision-text.ts'
import { seededChance } from './crash/seeded-chance.ts'
import { write } from './file-record.ts'

const WORDS = readFileSync(new URL('fixtures/golden/bm25-corpus.json', import.meta.url), 'utf8').match(/[A-Za-z]{3,}/g)!

/**
 * Takes `count` snapshots of a growing record of 1,000 decisions of about 1 KB. Returns the bytes of the pack and of
 * the initial record.
 */
export async function takeSnapshots(store: Store, count: number): Promise<{ pack: number; record: number }> {
  const chance = seededChance(7)
  const prose = (words: number) =>
    Array.from({ length: words }, () => WORDS[Math.floor(chance() * WORDS.length)]!).join(' ')
  const make = (num: number) =>
    decisionFile(num, prose(6), {
      rationale: `${prose(70)}.\n\n${prose(30)}.`,
      rejected: [{ name: prose(2), reason: prose(12) }],
    })
  await write(
    store,
    { 'project.md': prose(300), ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => make(i + 1))) },
    'n1',
  )
  let history = ''
  for (let n = 2; n <= count; n++) {
    history += `## ${n}\n\n- ${prose(12)}\n\n---\n`
    await write(
      store,
      n % 4 === 0
        ? { 'state_current.md': prose(40), 'state_history.md': history }
        : Object.fromEntries([make(1000 + n)]),
      `n${n}`,
    )
  }
  expect((await store.snapshots.list()).map((s) => s.trigger)).toEqual(
    Array.from({ length: count }, (_, i) => `n${i + 1}`),
  )
  expect((await store.snapshots.read(count))!.files['state_history.md']).toBe(await store.read('state_history.md'))
  const first = Object.values((await store.snapshots.read(1))!.files)
  expect(first).toHaveLength(1001)
  return {
    pack: Buffer.byteLength((await store.read('snapshots/pack.jsonl'))!),
    record: first.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  }
}
