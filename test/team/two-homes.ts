import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { HASHES } from '../../src/record/domain/files.ts'
import { scaffold } from '../../src/record/domain/scaffold.ts'
import { findFlaws } from '../../src/record/find-flaws.ts'
import type { Store } from '../../src/record/ports/store.ts'
import type { TeamRecord } from '../../src/team/ports/team-record.ts'
import { syncTeam, type TeamSync } from '../../src/team/sync-team.ts'
import { offerRecord } from '../../src/team/team-record/store.ts'
import { faulty, Fault } from './faulty.ts'
import { filesOf, openHome, type Home } from './home.ts'
import { dice, randomEdit, type Words } from './random-edits.ts'

export interface Figures {
  edits: number
  syncs: number
  crashes: number
  renumbered: number
  asked: number
  kept: number
}

/**
 * Two machines edit one record offline, with interrupted syncs in between; in the end everything must agree. The team's
 * record is in `given`, or in files.
 */
export async function runSeed(folder: string, seed: number, edits: number, given?: Store): Promise<Figures> {
  const roll = dice(seed)
  mkdirSync(folder, { recursive: true })
  const shared =
    given === undefined
      ? await openHome(join(folder, 'team'), 9)
      : { store: given, files: () => filesOf(given), close: async () => {} }
  const team = offerRecord(shared.store)
  const homes = [await openHome(join(folder, 'a'), 1), await openHome(join(folder, 'b'), 2)]
  const words: Words = new Map()
  const figures: Figures = { edits: 0, syncs: 0, crashes: 0, renumbered: 0, asked: 0, kept: 0 }
  const sync = async (home: Home): Promise<void> => {
    const done = await syncThrough(home, team, { roll, figures })
    figures.syncs++
    figures.renumbered += done.renumbered.length
    figures.asked += done.asked.length
  }
  try {
    await homes[0]!.store.commit({ surface: 'cli' }, async (draft) => {
      for (const [path, text] of Object.entries(scaffold('Team', '2026-03-01'))) draft.write(path, text)
      draft.note('init', {})
      draft.snapshot('init')
    })
    for (const home of homes) await sync(home)
    for (let tries = 0; figures.edits < edits && tries < edits * 4; tries++) {
      const home = homes[roll(2)]!
      if (await randomEdit(home, roll, { word: `w${seed}x${tries}`, words })) figures.edits++
      if (roll(9) === 0) await sync(homes[roll(2)]!)
    }
    for (const home of [...homes, ...homes]) await sync(home)
    await expectOneRecord([...homes, shared], words)
    figures.kept = (await shared.store.list()).filter((path) => path.startsWith('context/kept-')).length
    return figures
  } finally {
    for (const home of [...homes, shared]) await home.close()
  }
}

/** Retries after every crash; half of the attempts have no fault. */
async function syncThrough(
  home: Home,
  team: TeamRecord,
  { roll, figures }: { roll: (below: number) => number; figures: Figures },
): Promise<TeamSync> {
  for (;;) {
    const at = roll(2) === 0 ? Infinity : roll(16)
    const cut = faulty(at, roll(2) === 0)
    try {
      return await syncTeam({ store: cut(home.store), team: cut(team), copy: cut(home.copy) })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      figures.crashes++
    }
  }
}

async function expectOneRecord(homes: readonly Pick<Home, 'store' | 'files'>[], words: Words): Promise<void> {
  const [first, ...others] = homes
  const files = await first!.files()
  for (const home of others) expect(await home.files()).toEqual(files)
  const journals = await Promise.all(homes.map(async ({ store }) => (await store.history.lines()).map((l) => l.text)))
  for (const journal of journals) expect(journal).toEqual(journals[0])
  for (const { store } of homes) {
    expect(await store.verify()).toEqual([])
    expect(await findFlaws(store)).toEqual([])
  }
  const all = Object.entries(files)
    .filter(([path]) => path !== HASHES)
    .map(([, text]) => text)
    .join('\n')
  expect([...words.values()].filter((word) => !new RegExp(`\\b${word}\\b`).test(all))).toEqual([])
  const { decisions, unreadable } = await first!.store.catalogue()
  expect(unreadable).toEqual([])
  expect(new Set(decisions.map(({ num }) => num)).size).toBe(decisions.length)
  const titles = new Map(decisions.map(({ num, title }) => [num, title]))
  const alive = new Set(decisions.map(({ title }) => title))
  const astray = [...all.matchAll(/It follows D([0-9]+) \(([^)]*)\)/g)].filter(
    ([, num, title]) => alive.has(title!) && titles.get(Number(num)) !== title,
  )
  expect(astray.map(([text]) => text)).toEqual([])
}
