import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parseHashIndex } from '../src/record/domain/decision/duplicate.ts'
import { parseQuestions } from '../src/record/domain/question.ts'
import type { Store } from '../src/record/ports/store.ts'
import { stepClock } from './contract/step-clock.ts'
import { type Clone, ask, makeClone, propose, update } from './merge/repository.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-merge-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let clone: Clone
let made = 0
beforeEach(async () => {
  clone = makeClone(join(base, `case-${++made}`, 'repo'), stepClock())
  await clone.change('start', async (store) => {
    await propose(store, 'First of all')
    await propose(store, 'Sessions in cookies')
    await ask(store, 'Where do we host?')
  })
})

/** Both branches change the record; `main` is checked out with both sides ready to be merged. */
async function diverge(
  here: (store: Store) => Promise<unknown>,
  there: (store: Store) => Promise<unknown>,
): Promise<void> {
  clone.git('branch', 'other')
  await clone.change('here', here)
  clone.git('checkout', '-q', 'other')
  await clone.change('there', there)
  clone.git('checkout', '-q', 'main')
}

async function inspect() {
  const store = await clone.open()
  try {
    const { decisions, unreadable } = await store.catalogue()
    const text = async (path: string) => (await store.read(path)) ?? ''
    return {
      list: decisions.map((d) => [d.num, d.title, d.status, d.supersedes, d.superseded_by]),
      unreadable,
      texts: Object.fromEntries(
        await Promise.all(decisions.map(async (d) => [d.title, await text(`decisions/${d.stem}.md`)] as const)),
      ),
      questions: parseQuestions(await text('open-questions.md')).map((q) => [q.id, q.body, q.resolvedBy?.decision]),
      hashed: Object.values(parseHashIndex(await text('.decision-hashes.json'))!)
        .map((entry) => entry.decision_id)
        .toSorted(),
      stems: decisions.map((d) => d.stem),
      state: await text('state_current.md'),
      faults: await store.verify(),
      note: (await store.journal()).findLast((event) => event.operation === 'merge')?.facts,
    }
  } finally {
    await store.close()
  }
}

describe('git merge', () => {
  test('two branches that both added decisions keep every file and use no number twice', async () => {
    await diverge(
      async (store) => {
        await propose(store, 'Cache in Redis')
        await propose(store, 'Cache for an hour', { rationale: 'Builds on D3 and decision-003.' })
      },
      async (store) => {
        await propose(store, 'Queue in Postgres')
        await propose(store, 'Queue workers poll', {
          rationale: 'Follows D3, see D003, decision 3 and 003-queue-in-postgres; unlike D2.',
        })
      },
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { list, texts, hashed, stems, faults, unreadable } = await inspect()
    expect(list.map(([num, title]) => [num, title])).toEqual([
      [1, 'First of all'],
      [2, 'Sessions in cookies'],
      [3, 'Cache in Redis'],
      [4, 'Cache for an hour'],
      [5, 'Queue in Postgres'],
      [6, 'Queue workers poll'],
    ])
    expect(texts['Cache for an hour']).toContain('Builds on D3 and decision-003.')
    expect(texts['Queue workers poll']).toContain(
      'Follows D5, see D005, decision 5 and 005-queue-in-postgres; unlike D2.',
    )
    expect(texts['Queue workers poll']).toContain('# 006 — Queue workers poll')
    expect(hashed).toEqual(stems)
    expect([faults, unreadable]).toEqual([[], []])
  })

  test.each([
    ['merged', (own: Clone) => own.git('merge', '-q', 'origin/main', '-m', 'join')],
    ['rebased', (own: Clone) => own.git('rebase', '-q', 'origin/main')],
  ])('a decision of the upstream branch keeps its number, although the local one is older (%s)', async (_, join_) => {
    const clock = stepClock()
    const origin = clone.path
    const own = makeClone(join(base, `case-${made}`, 'own', 'repo'), clock, origin)
    await own.change('older', (store) => propose(store, 'Cache in Redis', { date: '2020-01-01' }))
    await clone.change('newer, and published', (store) => propose(store, 'Queue in Postgres'))
    own.git('fetch', '-q', 'origin')
    join_(own)
    const store = await own.open()
    const { decisions } = await store.catalogue()
    await store.close()
    expect(decisions.map(({ num, title }) => [num, title])).toEqual([
      [1, 'First of all'],
      [2, 'Sessions in cookies'],
      [3, 'Queue in Postgres'],
      [4, 'Cache in Redis'],
    ])
  })

  test('supersessions on both sides follow the renumbered decision', async () => {
    await diverge(
      (store) => propose(store, 'First, done better', { supersedes: '1' }),
      async (store) => {
        await propose(store, 'Sessions in the database', { supersedes: '2' })
        await propose(store, 'Sessions in Redis', { supersedes: '3' })
      },
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { list, faults, note } = await inspect()
    expect(list).toEqual([
      [1, 'First of all', 'superseded', null, '3'],
      [2, 'Sessions in cookies', 'superseded', null, '5'],
      [3, 'First, done better', 'active', '1', null],
      [4, 'Sessions in Redis', 'active', '5', null],
      [5, 'Sessions in the database', 'superseded', '2', '4'],
    ])
    expect(note).toMatchObject({
      renumbered: [{ from: '003-sessions-in-the-database', to: '005-sessions-in-the-database' }],
      conflicts: [],
      ambiguous: [],
    })
    expect(faults).toEqual([])
  })

  test('both sides superseding one decision is reported as a conflict, and neither is lost', async () => {
    await diverge(
      (store) => propose(store, 'Sessions in the database', { supersedes: '2' }),
      (store) => propose(store, 'Sessions in Redis', { supersedes: '2' }),
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { list, note } = await inspect()
    expect(list.slice(1)).toEqual([
      [2, 'Sessions in cookies', 'superseded', null, '3'],
      [3, 'Sessions in the database', 'active', '2', null],
      [4, 'Sessions in Redis', 'active', '2', null],
    ])
    expect(note).toMatchObject({ conflicts: ['D3 and D4 both supersede D2'] })
  })

  test('the same title on both sides is kept twice, under two numbers, and is reported', async () => {
    await diverge(
      (store) => propose(store, 'Cache in Redis', { rationale: 'Because reads are hot.' }),
      (store) => propose(store, 'Cache in Redis', { rationale: 'Because it is there.' }),
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { list, note } = await inspect()
    expect(list.map(([num, title]) => [num, title]).slice(2)).toEqual([
      [3, 'Cache in Redis'],
      [4, 'Cache in Redis'],
    ])
    expect(note!['conflicts']).toEqual(['D3 and D4 are active with the same title; supersede one by the other'])
  })

  test('questions from both sides are kept and numbered, and answers name the decision they referred to', async () => {
    await diverge(
      async (store) => {
        await ask(store, 'Which region?')
        await propose(store, 'Host on our own metal')
      },
      async (store) => {
        await ask(store, 'What about backups?\nAnd restores?')
        await propose(store, 'Host in a cloud', { resolves: 1 })
      },
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { questions, list, faults } = await inspect()
    const cloud = list.find(([, title]) => title === 'Host in a cloud')![0]
    expect(cloud).toBe(4)
    expect(questions.toSorted()).toEqual([
      ['Q1', 'Where do we host?', cloud],
      ['Q2', 'What about backups?\nAnd restores?', undefined],
      ['Q3', 'Which region?', undefined],
    ])
    expect(faults).toEqual([])
  })

  test('an update on one side and a supersession on the other are both applied', async () => {
    await diverge(
      (store) => update(store, 2, 'They expire after a day.'),
      (store) => propose(store, 'Sessions in the database', { supersedes: '2' }),
    )
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { list, texts, faults } = await inspect()
    expect(list[1]).toEqual([2, 'Sessions in cookies', 'superseded', null, '3'])
    expect(texts['Sessions in cookies']).toContain('They expire after a day.')
    expect(texts['Sessions in cookies']).toContain('version: 2')
    expect(faults).toEqual([])
  })

  test('two clones that merge the same branches separately reach the same record', async () => {
    const second = join(base, `case-${made}`, 'second')
    await diverge(
      async (store) => {
        await propose(store, 'Cache in Redis')
        await propose(store, 'Cache for an hour', { rationale: 'Builds on D3.', supersedes: '1' })
        await ask(store, 'Which region?')
      },
      async (store) => {
        await propose(store, 'Queue in Postgres', { supersedes: '2' })
        await propose(store, 'Queue workers poll', { rationale: 'Follows D3.' })
        await ask(store, 'What about backups?')
      },
    )
    const twin = makeClone(second, { ...stepClock(), uuid: randomUUID }, clone.path)
    twin.git('checkout', '-q', 'other')
    clone.git('merge', '-q', 'other', '-m', 'join')
    twin.git('merge', '-q', 'origin/main', '-m', 'join')
    const mine = await inspect()
    clone = twin
    const theirs = await inspect()
    expect(theirs.texts).toEqual(mine.texts)
    expect(theirs.list).toEqual(mine.list)
    expect(theirs.hashed).toEqual(mine.hashed)
    expect(theirs.questions.toSorted()).toEqual(mine.questions.toSorted())
    expect([mine.faults, theirs.faults]).toEqual([[], []])
  })

  test('a rebase has the same result as a merge: nothing is lost or duplicated', async () => {
    await diverge(
      (store) => propose(store, 'Cache in Redis'),
      async (store) => {
        await propose(store, 'Queue in Postgres')
        await update(store, 3, 'Workers poll it.')
      },
    )
    clone.git('checkout', '-q', 'other')
    await clone.change('there again', (store) =>
      propose(store, 'Queue workers poll', { rationale: 'Follows D3.', supersedes: '2' }),
    )
    clone.git('rebase', '-q', 'main')
    const { list, texts, faults } = await inspect()
    expect(list.map(([num, title]) => [num, title])).toEqual([
      [1, 'First of all'],
      [2, 'Sessions in cookies'],
      [3, 'Cache in Redis'],
      [4, 'Queue workers poll'],
      [5, 'Queue in Postgres'],
    ])
    expect(texts['Queue workers poll']).toContain('Follows D5.')
    expect(texts['Queue in Postgres']).toContain('Workers poll it.')
    expect(list[1]).toEqual([2, 'Sessions in cookies', 'superseded', null, '4'])
    expect(faults).toEqual([])
  })

  test('an unfinished git merge is not touched until it is finished', async () => {
    await diverge(
      (store) => propose(store, 'Cache in Redis'),
      (store) => propose(store, 'Queue in Postgres'),
    )
    clone.git('merge', '-q', '--no-commit', 'other')
    expect((await inspect()).list.map(([num]) => num)).toEqual([1, 2, 3, 3])
    clone.git('commit', '-qm', 'join')
    expect((await inspect()).list.map(([num]) => num)).toEqual([1, 2, 3, 4])
  })

  test('a merge without conflicts leaves the files as git left them', async () => {
    const put = (path: string) => (store: Store) =>
      store.commit({ surface: 'cli' }, async (draft) => draft.write(path, 'text\n'))
    await diverge(put('stack.md'), put('context/brief.md'))
    clone.git('merge', '-q', 'other', '-m', 'join')
    expect((await inspect()).faults).toEqual([])
    expect(clone.git('status', '--short')).toBe('')
  })

  test('the state of both branches is kept, and lock, intents and snapshots stay out of git', async () => {
    const state = (text: string, at: string) => (store: Store) =>
      store.commit({ surface: 'cli' }, async (draft) =>
        draft.write('state_current.md', `# Current State\n\n- ${text}\n\n*Last updated: ${at}*\n`),
      )
    await diverge(state('Cache is live', '2026-03-01T10:00Z'), state('Queue is live', '2026-03-02T10:00Z'))
    clone.git('merge', '-q', 'other', '-m', 'join')
    const { state: joined, faults } = await inspect()
    expect(joined).toBe('# Current State\n\n- Queue is live\n\n- Cache is live\n\n*Last updated: 2026-03-02T10:00Z*\n')
    expect(faults).toEqual([])
    const tracked = clone.git('ls-files').trim().split('\n')
    expect(tracked.filter((path) => path.includes('.txn') || path.includes('snapshots/'))).toEqual([])
    expect(readdirSync(join(clone.path, '.ken', 'record', 'snapshots'))).toContain('pack.jsonl')
    expect(readFileSync(join(clone.path, '.ken', 'record', '.gitattributes'), 'utf8')).toContain('merge=ken')
  })
})
