import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parseHashIndex } from '../src/record/domain/decision/duplicate.ts'
import { parseQuestions } from '../src/record/domain/question.ts'
import type { Store } from '../src/record/ports/store.ts'
import { stepClock } from './contract/step-clock.ts'
import { type Clone, ask, makeClone, propose, update } from './merge/repository.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-elsewhere-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let clone: Clone
let made = 0
beforeEach(async () => {
  clone = makeClone(join(base, `case-${++made}`, 'repo'), stepClock())
  // As on a server, or in a clone without setup.
  clone.git('config', '--unset', 'merge.ken.driver')
  await clone.change('start', async (store) => {
    await propose(store, 'First of all')
    await propose(store, 'Sessions in cookies')
    await ask(store, 'Where do we host?')
  })
})

type Work = (store: Store) => Promise<unknown>

async function branch(name: string, work: Work): Promise<void> {
  clone.git('checkout', '-q', '-b', name, 'start')
  await clone.change(name, work)
  clone.git('checkout', '-q', 'main')
}

async function diverge(here: Work, there: Work): Promise<void> {
  clone.git('tag', 'start')
  await branch('other', there)
  await clone.change('here', here)
}

/** The ways to merge without Ken's driver. */
const MERGES: readonly [how: string, merge: (name: string) => void][] = [
  [
    'with the conflict markers committed',
    (name) => {
      tryGit('merge', '-q', name, '-m', 'join')
      clone.git('add', '-A')
      clone.git('commit', '-qm', 'join')
    },
  ],
  [
    'with diff3 markers committed',
    (name) => {
      tryGit('-c', 'merge.conflictStyle=diff3', 'merge', '-q', name, '-m', 'join')
      clone.git('add', '-A')
      clone.git('commit', '-qm', 'join')
    },
  ],
  [
    'by union',
    (name) => {
      writeFileSync(join(clone.path, '.git/info/attributes'), '* merge=union\n')
      clone.git('merge', '-q', name, '-m', 'join')
    },
  ],
  [
    'with both sides kept by hand in the journal',
    (name) => {
      tryGit('merge', '-q', name, '-m', 'join')
      const journal = join(clone.path, '.ken/record/journal/events.jsonl')
      const lines = readFileSync(journal, 'utf8').split('\n')
      writeFileSync(journal, lines.filter((line) => !/^(?:[<>|]{7} ?|={7}$)/.test(line)).join('\n'))
      clone.git('add', '-A')
      clone.git('commit', '-qm', 'join')
    },
  ],
]

function tryGit(...args: string[]): void {
  try {
    clone.git(...args)
  } catch {
    // A conflict is expected.
    return
  }
}

async function inspect(at = clone) {
  const store = await at.open()
  try {
    const { decisions, unreadable } = await store.catalogue()
    const text = async (path: string) => (await store.read(path)) ?? ''
    return {
      list: decisions.map((d) => [d.num, d.title, d.status, d.superseded_by]),
      unreadable,
      texts: Object.fromEntries(
        await Promise.all(decisions.map(async (d) => [d.title, await text(`decisions/${d.stem}.md`)] as const)),
      ),
      questions: parseQuestions(await text('open-questions.md'))
        .map((q) => [q.id, q.body])
        .toSorted(),
      hashed: Object.values(parseHashIndex(await text('.decision-hashes.json')) ?? {})
        .map((entry) => entry.decision_id)
        .toSorted(),
      stems: decisions.map((d) => d.stem),
      state: await text('state_current.md'),
      faults: await store.verify(),
      ends: (await store.journal()).at(-1)?.operation,
    }
  } finally {
    await store.close()
  }
}

describe.each(MERGES)('a merge made without Ken, %s,', (_, merge) => {
  test('is settled by the next command, which loses nothing, reuses no number, and reports its changes', async () => {
    await diverge(
      async (store) => {
        await propose(store, 'Cache in Redis')
        await propose(store, 'Cache for an hour', { rationale: 'Builds on D3.' })
        await ask(store, 'Which region?')
      },
      async (store) => {
        await propose(store, 'Queue in Postgres')
        await propose(store, 'Queue workers poll', { rationale: 'Follows D3, see 003-queue-in-postgres; unlike D2.' })
        await ask(store, 'What about backups?')
      },
    )
    merge('other')
    const { list, texts, questions, hashed, stems, unreadable, faults, ends } = await inspect()
    expect(list.map(([num, title]) => [num, title])).toEqual([
      [1, 'First of all'],
      [2, 'Sessions in cookies'],
      [3, 'Queue in Postgres'],
      [4, 'Queue workers poll'],
      [5, 'Cache in Redis'],
      [6, 'Cache for an hour'],
    ])
    expect(texts['Cache for an hour']).toContain('Builds on D5.')
    expect(texts['Queue workers poll']).toContain('Follows D3, see 003-queue-in-postgres; unlike D2.')
    expect(questions).toEqual([
      ['Q1', 'Where do we host?'],
      ['Q2', 'What about backups?'],
      ['Q3', 'Which region?'],
    ])
    expect(hashed).toEqual(stems)
    expect([unreadable, faults, ends]).toEqual([[], [], 'merge'])
    expect(clone.told()).toEqual([
      expect.stringMatching(
        /003-cache-in-redis is now 005-cache-in-redis; 004-cache-for-an-hour is now 006-cache-for-an-hour; .*Commit \.ken\/record\.$/,
      ),
    ])
    await inspect()
    expect(clone.told()).toEqual([])
  })

  test('keeps both decisions that have the same name', async () => {
    await diverge(
      (store) => propose(store, 'Cache in Redis', { rationale: 'Because reads are hot.' }),
      (store) => propose(store, 'Cache in Redis', { rationale: 'Because it is there.' }),
    )
    merge('other')
    const { list, texts, faults, unreadable } = await inspect()
    expect(list.map(([num, title]) => [num, title]).slice(2)).toEqual([
      [3, 'Cache in Redis'],
      [4, 'Cache in Redis'],
    ])
    expect(Object.keys(texts)).toHaveLength(3)
    expect([faults, unreadable]).toEqual([[], []])
    expect(clone.told().join()).toContain('are active with the same title')
  })

  test('keeps both an update on one side and a supersession on the other', async () => {
    await diverge(
      (store) => update(store, 2, 'They expire after a day.'),
      (store) => propose(store, 'Sessions in the database', { supersedes: '2' }),
    )
    merge('other')
    const { list, texts, faults, unreadable } = await inspect()
    expect(list[1]).toEqual([2, 'Sessions in cookies', 'superseded', '3'])
    expect(texts['Sessions in cookies']).toContain('They expire after a day.')
    expect([faults, unreadable]).toEqual([[], []])
  })

  test('is also settled for three branches', async () => {
    await diverge(
      (store) => propose(store, 'Cache in Redis'),
      (store) => propose(store, 'Queue in Postgres'),
    )
    await branch('third', (store) => propose(store, 'Logs in files'))
    merge('other')
    merge('third')
    const { list, faults, unreadable, hashed, stems } = await inspect()
    expect(list.map(([num]) => num)).toEqual([1, 2, 3, 4, 5])
    expect([faults, unreadable]).toEqual([[], []])
    expect(hashed).toEqual(stems)
  })

  test('is settled identically in two clones, and pulling one into the other changes nothing', async () => {
    await diverge(
      async (store) => {
        await propose(store, 'Cache in Redis')
        await ask(store, 'Which region?')
      },
      async (store) => {
        await propose(store, 'Queue in Postgres')
        await ask(store, 'What about backups?')
      },
    )
    merge('other')
    const twin = makeClone(join(base, `case-${made}`, 'second'), { ...stepClock(), uuid: randomUUID }, clone.path)
    const [mine, theirs] = [await inspect(), await inspect(twin)]
    expect([theirs.texts, theirs.questions, theirs.hashed]).toEqual([mine.texts, mine.questions, mine.hashed])
    expect([mine.faults, theirs.faults]).toEqual([[], []])
    for (const each of [clone, twin]) {
      each.git('add', '-A')
      each.git('commit', '-qm', 'settled')
    }
    twin.git('pull', '-q', '--no-rebase', '--no-edit')
    const after = await inspect(twin)
    expect([after.texts, after.questions, after.faults]).toEqual([mine.texts, mine.questions, []])
  })
})

test('a merge in progress is not touched', async () => {
  await diverge(
    (store) => propose(store, 'Cache in Redis'),
    (store) => propose(store, 'Queue in Postgres'),
  )
  tryGit('merge', '-q', 'other', '-m', 'join')
  const before = clone.git('diff')
  await (await clone.open()).close()
  expect([clone.told(), clone.git('diff')]).toEqual([[], before])
})

test('a manual merge by a person is kept unchanged', async () => {
  const state =
    (text: string): Work =>
    (store) =>
      store.commit({ surface: 'cli' }, async (draft) =>
        draft.write('state_current.md', `# Current State\n\n- ${text}\n`),
      )
  await diverge(state('Cache is live'), state('Queue is live'))
  tryGit('merge', '-q', 'other', '-m', 'join')
  writeFileSync(join(clone.path, '.ken/record/state_current.md'), '# Current State\n\n- Both are live\n')
  clone.git('add', '-A')
  clone.git('commit', '-qm', 'join')
  const { state: text, faults } = await inspect()
  expect([text, faults]).toEqual(['# Current State\n\n- Both are live\n', []])
})

test('a journal that lost a line is not mistaken for a merge', async () => {
  const journal = join(clone.path, '.ken/record/journal/events.jsonl')
  await clone.change('more', (store) => propose(store, 'Cache in Redis'))
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
  const cut = `${lines.toSpliced(1, 1).join('\n')}\n`
  writeFileSync(journal, cut)
  const { faults } = await inspect()
  expect(readFileSync(journal, 'utf8')).toBe(cut)
  expect(faults.map(({ path }) => path)).toContain('journal/events.jsonl')
})

test('a journal line of another program is kept and does not start a merge', async () => {
  const journal = join(clone.path, '.ken/record/journal/events.jsonl')
  appendFileSync(journal, '{"hello":"world"}\n')
  const before = readFileSync(journal, 'utf8')
  await inspect()
  expect(readFileSync(journal, 'utf8')).toBe(before)
})
