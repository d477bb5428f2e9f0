import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseQuestions } from '../src/record/domain/question.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import type { TeamRecord } from '../src/team/ports/team-record.ts'
import { syncTeam } from '../src/team/sync-team.ts'
import { offerRecord } from '../src/team/team-record/store.ts'
import { decisionFile } from './contract/decision-text.ts'
import { stepClock } from './contract/step-clock.ts'
import { PROJECT } from './file-record.ts'
import { openHome, type Home } from './team/home.ts'
import { runSeed } from './team/two-homes.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-team-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('two machines that edit one record offline', () => {
  test.each([1, 2])('agree on every byte once both have synced, and no edit is lost (seed %i)', async (seed) => {
    const { edits, crashes } = await runSeed(join(base, `seed-${seed}`), seed, 30)
    expect(edits).toBe(30)
    expect(crashes).toBeGreaterThan(0)
  })
})

let made = 0

/** Two machines with these files, and a function to sync one of them. */
async function pair(files: Readonly<Record<string, string>>) {
  const folder = join(base, `pair-${++made}`)
  const [a, b] = [await openHome(join(folder, 'a'), 1), await openHome(join(folder, 'b'), 2)]
  const team = offerRecord(await openMemoryStore({ project: PROJECT, clock: stepClock('2026-01-01T00:00:00.000Z') }))
  const sync = (home: Home, through: TeamRecord = team) =>
    syncTeam({ store: home.store, copy: home.copy, team: through })
  const write = (home: Home, texts: Readonly<Record<string, string | undefined>>) =>
    home.store.commit({ surface: 'cli' }, async (draft) => {
      for (const [path, text] of Object.entries(texts))
        if (text === undefined) draft.remove(path)
        else draft.write(path, text)
    })
  await write(a, files)
  await sync(a)
  await sync(b)
  return { a, b, team, sync, write, close: () => Promise.all([a.close(), b.close()]) }
}

describe('concurrent changes to the same thing', () => {
  test('texts that cannot be merged are both kept, with a conflict for a person to resolve', async () => {
    const { a, b, sync, write, close } = await pair({ 'project.md': '# P\n\nFor all.\n' })
    await write(a, { 'project.md': '# P\n\nFor teams.\n' })
    await write(b, { 'project.md': '# P\n\nFor people.\n' })
    await sync(a)
    const { asked } = await sync(b)
    await sync(a)
    expect(await a.files()).toEqual(await b.files())
    const files = await a.files()
    const kept = Object.keys(files).find((path) => path.startsWith('context/kept-project-'))!
    expect([files['project.md'], files[kept]]).toEqual([
      expect.stringContaining('teams'),
      expect.stringContaining('For people.'),
    ])
    expect(asked).toEqual([expect.stringContaining(kept)])
    expect(parseQuestions(files['open-questions.md']!).map(({ body }) => body)).toEqual(asked)
    await close()
  })

  test('a file deleted on one side and changed on the other is kept, with a conflict for a person to resolve', async () => {
    const { a, b, sync, write, close } = await pair({ 'context/plan.md': 'one\n' })
    await write(a, { 'context/plan.md': undefined })
    await write(b, { 'context/plan.md': 'two\n' })
    await sync(a)
    expect((await sync(b)).asked).toEqual([expect.stringMatching(/^context\/plan\.md was taken out/)])
    await sync(a)
    expect([(await a.files())['context/plan.md'], await a.store.verify()]).toEqual(['two\n', []])
    await close()
  })

  test('a decision removed on one machine and newly mentioned on the other stays on both', async () => {
    const { a, b, sync, write, close } = await pair(Object.fromEntries([decisionFile(1, 'One')]))
    const [path] = decisionFile(1, 'One')
    await write(a, { [path]: undefined })
    await write(b, Object.fromEntries([decisionFile(2, 'Two', { rationale: 'It follows D1.' })]))
    await sync(a)
    expect((await sync(b)).asked).toEqual([expect.stringContaining(`${path} was taken out on one machine`)])
    await sync(a)
    expect(await a.files()).toEqual(await b.files())
    expect((await a.files())[path]).toBeDefined()
    await close()
  })

  test('a published number stays, and the other decision is renumbered with its references', async () => {
    const { a, b, sync, write, close } = await pair(Object.fromEntries([decisionFile(1, 'One')]))
    await write(a, Object.fromEntries([decisionFile(2, 'Zebra')]))
    await write(
      b,
      Object.fromEntries([decisionFile(2, 'Apple'), decisionFile(3, 'More', { rationale: 'Builds on D2 of all.' })]),
    )
    await sync(a)
    expect((await sync(b)).renumbered).toEqual([{ from: '002-apple', to: '004-apple' }])
    await sync(a)
    const files = await a.files()
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['decisions/002-zebra.md', 'decisions/003-more.md', 'decisions/004-apple.md']),
    )
    expect(files['decisions/003-more.md']).toContain('Builds on D4 of all.')
    await close()
  })

  test('a file changed by hand is not overwritten', async () => {
    const { a, b, sync, write, close } = await pair({ 'stack.md': '# Stack\n' })
    await write(a, { 'stack.md': '# Stack\n\n- **a**\n' })
    await sync(a)
    writeFileSync(join(base, `pair-${made}`, 'b', 'record', 'stack.md'), 'by hand\n')
    await expect(sync(b)).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('ken accept') })
    expect(await b.store.read('stack.md')).toBe('by hand\n')
    await close()
  })

  test('transferred data is proportional to the change, not to the record', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => decisionFile(i + 1, `Choice ${i}`)))
    const { a, b, team, sync, write, close } = await pair(many)
    await write(a, { 'stack.md': '# Stack\n' })
    const [up, down] = [counted(team), counted(team)]
    await sync(a, up.team)
    await sync(b, down.team)
    const nothing = counted(team)
    await sync(b, nothing.team)
    const whole = JSON.stringify(many).length
    expect(whole).toBeGreaterThan(20_000)
    expect([up.bytes(), down.bytes()].map((bytes) => bytes < 3_000)).toEqual([true, true])
    expect(nothing.bytes()).toBeLessThan(300)
    await close()
  })
})

function counted(team: TeamRecord): { team: TeamRecord; bytes(): number } {
  let bytes = 0
  const weigh = <T>(value: T): T => {
    bytes += JSON.stringify(value, (_key, item: unknown) => (item instanceof Map ? [...item] : item)).length
    return value
  }
  return {
    bytes: () => bytes,
    team: {
      manifest: async (ask) => weigh(await team.manifest(weigh(ask))),
      texts: async (wanted) => weigh(await team.texts(weigh(wanted))),
      lines: async (ask) => weigh(await team.lines(weigh(ask))),
      push: async (push) => weigh(await team.push(weigh(push))),
    },
  }
}
