import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stepClock } from './contract/step-clock.ts'
import { seededChance } from './crash/seeded-chance.ts'
import { ask, makeClone, propose, update, type Clone } from './merge/repository.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-git-truth-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('regardless of git operations in two clones, verify raises no false alarm', { timeout: 180_000 }, async () => {
  for (const seed of [1, 2, 3]) {
    const chance = seededChance(seed)
    const own = () => ({ ...stepClock('2026-03-01T09:00:00.000Z'), uuid: randomUUID })
    const here = makeClone(join(base, `${seed}`, 'here'), own())
    await here.change('start', (store) => propose(store, 'First of all'))
    const there = makeClone(join(base, `${seed}`, 'there'), own(), here.path)
    const clones = [here, there]
    for (let step = 0; step < 10; step++) {
      const which = Math.floor(chance() * 2)
      const [clone, other] = [clones[which]!, clones[1 - which]!]
      const name = `${seed}-${step}`
      const did = await [
        () => clone.change(`propose ${name}`, (store) => propose(store, `Choice ${name}`)),
        () => clone.change(`ask ${name}`, (store) => ask(store, `Which ${name}?`)),
        () => clone.change(`update ${name}`, (store) => update(store, 1, `Seen in ${name}.`)),
        () => pull(clone, other),
        () => lookBack(clone),
      ][Math.floor(chance() * 5)]!()
      void did
      for (const each of clones) expect([seed, step, await faultsOf(each)]).toEqual([seed, step, []])
    }
  }
})

async function pull(clone: Clone, other: Clone): Promise<void> {
  clone.git('pull', '-q', '--no-rebase', '--no-edit', other.path, 'main')
  // Opening the record settles a git merge.
  await clone.change('settled', async () => undefined).catch(() => undefined)
}

async function lookBack(clone: Clone): Promise<void> {
  const past = clone.git('rev-list', '--first-parent', 'main').trim().split('\n')
  clone.git('checkout', '-q', past.at(-1)!)
  expect(await faultsOf(clone)).toEqual([])
  clone.git('checkout', '-q', 'main')
}

async function faultsOf(clone: Clone) {
  const store = await clone.open()
  return store.verify().finally(() => store.close())
}
