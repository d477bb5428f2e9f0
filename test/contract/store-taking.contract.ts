import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { chainEvents, makeEvent } from '../../src/record/domain/journal/change-events.ts'
import type { JournalEvent } from '../../src/record/domain/journal/event.ts'
import type { JournalLine } from '../../src/record/domain/journal/journal-lines.ts'
import type { Draft, Store } from '../../src/record/ports/store.ts'
import { decisionFile } from './decision-text.ts'

interface Rules {
  rule(title: string, body: () => Promise<void>): void
  open(files: Readonly<Record<string, string>>): Promise<Store>
  write(store: Store, files: Readonly<Record<string, string>>, more?: (draft: Draft) => void): Promise<void>
}

interface Elsewhere {
  readonly at: string
  /** Resulting texts; null if the file is deleted. */
  readonly files: Readonly<Record<string, string | null>>
  readonly operation?: string
  readonly facts?: JournalEvent['facts']
  readonly surface?: JournalEvent['origin']['surface']
}

/** Before and after everything that a store of this contract writes itself. */
const [EARLY, LATE] = ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']

/** Contract of a store for journal lines: returning its own, and taking another machine's. */
export function describeTaking(name: string, { rule, open, write }: Rules): void {
  describe(`${name}: lines of another machine`, () => {
    rule('a journal is returned as lines, each with its hash and chained to the one before', async () => {
      const store = await open({ 'stack.md': 's' })
      await write(store, { 'project.md': 'é\u2028"\\' })
      await write(store, {}, (draft) => draft.note('looked', { why: '\u0000 and \ud83d\ude00' }))
      const lines = await store.history.lines()
      expect(lines.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject(await store.journal())
      expect(lines.map((line) => line.sha256)).toEqual(lines.map(({ text }) => sha256(text)))
      expect(lines.map(({ event }) => event?.pins)).toEqual([[], [lines[0]!.sha256], [lines[1]!.sha256]])
    })

    rule(
      'imported lines that cover every file of the change are kept as they are, without an event for the change',
      async () => {
        const [path, text] = decisionFile(1, 'Queues in Redis')
        const store = await open({})
        const taken = elsewhere([
          { at: EARLY, files: { 'stack.md': 's' } },
          { at: LATE, files: { [path]: text }, surface: 'mcp-http' },
        ])
        await write(store, { 'stack.md': 's', [path]: text }, (draft) => {
          draft.take(taken)
          draft.snapshot('sync')
        })
        expect(await texts(store)).toEqual(taken)
        expect([await store.read('stack.md'), await store.verify()]).toEqual(['s', []])
        expect((await store.catalogue()).decisions.map(({ title, trust }) => [title, trust])).toEqual([
          ['Queues in Redis', 'proposed by an agent'],
        ])
        expect((await store.snapshots.read(1))?.files['stack.md']).toBe('s')
        await write(store, { 'stack.md': 't' })
        expect((await store.history.lines()).at(-1)?.event?.pins).toEqual([sha256(taken[1]!)])
        expect(await store.verify()).toEqual([])
      },
    )

    rule('older lines are merged by time, and the event of the change is chained to both ends', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'p' })
      const [first] = await store.history.lines()
      await write(store, { 'stack.md': 'mine' })
      const [, mine] = await store.history.lines()
      const taken = elsewhere([{ at: EARLY, files: { 'stack.md': 'theirs', 'a.md': 'a' } }], first)
      await write(store, { 'a.md': 'a' }, (draft) => draft.take(taken))
      const lines = await store.history.lines()
      expect(lines.slice(0, 3).map(({ text }) => text)).toEqual([first!.text, ...taken, mine!.text])
      expect(new Set(lines[3]?.event?.pins)).toEqual(new Set([mine!.sha256, sha256(taken[0]!)]))
      expect([lines.length, lines[3]?.event?.files]).toEqual([4, { 'a.md': sha256('a') }])
      expect([await store.read('stack.md'), await store.verify()]).toEqual(['mine', []])
      await write(store, { 'stack.md': 'next' })
      expect([(await store.history.lines()).length, await store.verify()]).toEqual([5, []])
    })

    rule('two stores that import each other’s lines have the same journal, in either order', async () => {
      const theirs = elsewhere([
        { at: EARLY, files: { 'a.md': '1' } },
        { at: '2021-01-01T00:00:00.000Z', files: { 'a.md': '2' } },
        { at: LATE, files: { 'b.md': '3' } },
      ])
      const one = await open({})
      await write(one, { 'project.md': 'p' })
      await write(one, { 'stack.md': 's' })
      await write(one, { 'a.md': '2', 'b.md': '3' }, (draft) => draft.take(theirs))
      const other = await open({})
      const all = await texts(one)
      await write(other, { 'a.md': '2', 'b.md': '3' }, (draft) => draft.take(theirs))
      await write(other, { 'project.md': 'p', 'stack.md': 's' }, (draft) => draft.take(all.toReversed()))
      expect(await texts(other)).toEqual(all)
      expect([await one.verify(), await other.verify()]).toEqual([[], []])
    })

    rule('known lines change nothing, and a note is still journalled', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'p' })
      const lines = await texts(store)
      await write(store, {}, (draft) => draft.take(lines))
      expect(await texts(store)).toEqual(lines)
      await write(store, {}, (draft) => {
        draft.take(lines)
        draft.note('looked', {})
      })
      expect((await store.journal()).map(({ operation }) => operation)).toEqual(['edit', 'looked'])
      expect(await store.verify()).toEqual([])
    })

    rule(
      'trust follows the order of the lines: a decision renumbered here and accepted elsewhere before is approved',
      async () => {
        const [from, to] = [decisionFile(1, 'Queues in Redis'), decisionFile(2, 'Queues in Redis')]
        const store = await open({})
        await store.commit({ surface: 'mcp-http' }, async (draft) => draft.write(...from))
        const [proposed] = await store.history.lines()
        await store.commit({ surface: 'merge' }, async (draft) => {
          draft.remove(from[0])
          draft.write(...to)
          draft.note('merge', { renumbered: [{ from: stemOf(from[0]), to: stemOf(to[0]) }] })
        })
        const trust = async () => (await store.catalogue()).decisions.map((decision) => decision.trust)
        expect(await trust()).toEqual(['proposed by an agent'])
        const accepted = { at: EARLY, files: {}, operation: 'accept', facts: { decisions: [stemOf(from[0])] } }
        await write(store, {}, (draft) => draft.take(elsewhere([accepted], proposed)))
        expect(await trust()).toEqual(['approved'])
      },
    )

    rule('a record without a journal is adopted before lines are imported', async () => {
      const store = await open({ 'project.md': 'p' })
      const taken = elsewhere([{ at: EARLY, files: { 'stack.md': 's' } }])
      await write(store, { 'stack.md': 's' }, (draft) => draft.take(taken))
      expect((await store.journal()).map(({ operation }) => operation)).toEqual(['edit', 'adopt', 'edit'])
      expect(await store.verify()).toEqual([])
    })

    rule('a file that exists only in imported lines can be removed', async () => {
      const store = await open({})
      await write(store, { 'a.md': 'a' })
      const [first] = await store.history.lines()
      await store.commit({ surface: 'cli' }, async (draft) => draft.remove('a.md'))
      const taken = elsewhere([{ at: LATE, files: { 'a.md': 'a' } }], first)
      await store.commit({ surface: 'merge' }, async (draft) => {
        draft.take(taken)
        draft.remove('a.md')
      })
      expect((await store.journal()).at(-1)?.files).toEqual({ 'a.md': null })
      expect([await store.read('a.md'), await store.verify()]).toEqual([undefined, []])
    })

    const sound = elsewhere([
      { at: EARLY, files: { 'stack.md': 's' } },
      { at: LATE, files: { 'stack.md': 't' } },
    ])
    for (const [what, lines] of [
      ['a line that was changed', [sound[0]!.replace('cli', 'app'), sound[1]!]],
      ['a line whose ground is missing', [sound[1]!]],
      ['two lines in one', [sound.join('\n')]],
      ['an empty line', [...sound, '']],
      ['half a character', [...sound, '\ud800']],
    ] as const)
      rule(`${what} is refused, and nothing has changed`, async () => {
        const store = await open({ 'project.md': 'p' })
        const taking = write(store, { 'stack.md': 't' }, (draft) => {
          draft.take(lines)
          draft.snapshot('sync')
        })
        await expect(taking).rejects.toMatchObject({ code: 'invalid_input' })
        expect([await store.list(), await texts(store), await store.snapshots.list()]).toEqual([['project.md'], [], []])
      })

    rule('a second event with the id of another is refused', async () => {
      const store = await open({})
      await write(store, { 'project.md': 'p' })
      const [own] = await store.history.lines()
      const twin = { ...own!.event!, at: LATE, files: {} }
      const { lines } = chainEvents([twin], { tips: [own!.sha256], last: undefined })
      await expect(write(store, {}, (draft) => draft.take(lines))).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await texts(store)).toEqual([own!.text])
    })
  })
}

const texts = async (store: Store): Promise<string[]> => (await store.history.lines()).map(({ text }) => text)

/** Lines as written by another machine, on top of a line that both machines have. */
const elsewhere = (changes: readonly Elsewhere[], under?: JournalLine): readonly string[] =>
  chainEvents(
    changes.map(({ at, files, operation = 'edit', facts = {}, surface = 'cli' }) =>
      makeEvent(
        { origin: { surface }, at, id: () => sha256(JSON.stringify([at, files, operation])).slice(0, 32) },
        {
          operation,
          facts,
          files: Object.fromEntries(
            Object.entries(files).map(([path, text]) => [path, text === null ? null : sha256(text)]),
          ),
        },
      ),
    ),
    { tips: under === undefined ? [] : [under.sha256], last: under?.event?.id },
  ).lines

const stemOf = (path: string): string => path.slice('decisions/'.length, -'.md'.length)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
