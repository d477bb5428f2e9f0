import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { callDetail } from '../../src/memory/domain/session/call-detail.ts'
import { parseSessionMarkdown, sessionMarkdown } from '../../src/memory/domain/session/markdown.ts'
import type { HarvestedSession } from '../../src/memory/domain/session/session.ts'
import { rereadCursor } from '../../src/memory/domain/upkeep/reread-cursor.ts'
import type { Harvester, HarvestEvent } from '../../src/memory/ports/harvester.ts'
import { asExpected, type ExpectedHome } from './expected-sessions.ts'

/** Writes into a client's home the way the client does. */
export interface ClientHand {
  /** The session it writes to. */
  readonly session: string
  say(user: string, assistant: string): Promise<void>
  /** Starts a write and leaves it unfinished; `finish` completes it. */
  begin(): Promise<void>
  finish(): Promise<void>
  /** Adds something unreadable between past and future writes. */
  damage(): Promise<void>
  /** Puts `secret` into every place where the client keeps credentials. */
  hide(secret: string): Promise<void>
}

export interface HarvesterSubject {
  open(): Harvester
  /** Folder with `home/` and `expected.json`. */
  readonly fixture: string
  hand(root: string): ClientHand
  readonly knownGaps?: Record<string, string>
}

/**
 * Contract of every harvester. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry fails.
 */
export function describeHarvester(name: string, subject: HarvesterSubject): void {
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`harvester: ${name}`, () => {
    const harvester = subject.open()
    const folders: string[] = []
    let home = ''
    let root = ''
    let hand: ClientHand
    let expected: ExpectedHome

    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'ken-home-'))
      folders.push(home)
      await cp(join(subject.fixture, 'home'), home, { recursive: true })
      expected = JSON.parse(await readFile(join(subject.fixture, 'expected.json'), 'utf8')) as ExpectedHome
      root = join(home, relative(join(expected.root.split('/')[0] ?? '', 'home'), expected.root))
      hand = subject.hand(root)
    })
    afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

    rule('finds its folder in a home, if there is one', async () => {
      expect(await harvester.roots(home)).toEqual([root])
      expect(await harvester.roots(join(home, 'nobody'))).toEqual([])
    })

    rule('returns exactly the existing sessions', async () => {
      const events = await harvest(harvester, root)
      expect(harvester.client).toBe(expected.client)
      expect(asExpected(events, expected)).toEqual(expected)
    })

    rule('returns the cursor once, at the end', async () => {
      const kinds = (await harvest(harvester, root)).map((event) => event.kind)
      expect(kinds.filter((kind) => kind === 'cursor')).toHaveLength(1)
      expect(kinds.at(-1)).toBe('cursor')
    })

    rule('returns the same events for the same cursor', async () => {
      const first = await harvest(harvester, root)
      expect(await harvest(harvester, root)).toEqual(first)
      await hand.say('What else?', 'That was all.')
      const cursor = cursorOf(first)
      expect(await harvest(harvester, root, cursor)).toEqual(await harvest(harvester, root, cursor))
    })

    rule('returns only an unchanged cursor in a second run', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      expect(await harvest(harvester, root, cursor)).toEqual([{ kind: 'cursor', cursor }])
    })

    rule('reads everything for a cursor of another version', async () => {
      const all = await harvest(harvester, root)
      expect(await harvest(harvester, root, '{"format":"older/0"}')).toEqual(all)
      expect(await harvest(harvester, root, 'not JSON')).toEqual(all)
    })

    rule('reads everything once more for a cursor marked to reread, then continues', async () => {
      const first = await harvest(harvester, root)
      const again = await harvest(harvester, root, rereadCursor(cursorOf(first)))
      expect(sessionsIn(again)).toEqual(sessionsIn(first))
      expect(cursorOf(again)).toBe(cursorOf(first))
    })

    rule('does not change or add files', async () => {
      const before = await treeOf(home)
      await harvest(harvester, root)
      expect(await treeOf(home)).toEqual(before)
    })

    rule('returns the whole session of a new turn, and no other', async () => {
      const first = await harvest(harvester, root)
      await hand.say('Which colour has the roof?', 'It is red.')
      const told = sessionsIn(await harvest(harvester, root, cursorOf(first)))
      expect(told.map((session) => session.id)).toEqual([hand.session])
      const before = sessionsIn(first).find((session) => session.id === hand.session)
      expect(told[0]?.turns.slice(0, -2)).toEqual(before?.turns)
      expect(told[0]?.turns.slice(-2).map((turn) => turn.text)).toEqual(['Which colour has the roof?', 'It is red.'])
    })

    rule('returns the same session incrementally as in a full harvest', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      await hand.say('Which colour has the roof?', 'It is red.')
      const news = sessionsIn(await harvest(harvester, root, cursor))
      const all = sessionsIn(await harvest(harvester, root))
      expect(news).toEqual(all.filter((session) => session.id === hand.session))
    })

    rule('waits for the end of a half-written turn', async () => {
      await hand.say('Start the long job.', 'It runs.')
      const cursor = cursorOf(await harvest(harvester, root))
      await hand.begin()
      const waiting = await harvest(harvester, root, cursor)
      expect(sessionsIn(waiting)).toEqual([])
      await hand.finish()
      const told = sessionsIn(await harvest(harvester, root, cursorOf(waiting)))
      expect(told.map((session) => session.id)).toEqual([hand.session])
    })

    rule('ignores files whose time alone changed', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      for (const { path } of await treeOf(home)) await utimes(join(home, path), 1_900_000_000, 1_900_000_000)
      expect((await harvest(harvester, root, cursor)).map((event) => event.kind)).toEqual(['cursor'])
    })

    rule('reports damage and returns the rest', async () => {
      const before = await harvest(harvester, root)
      await hand.damage()
      await hand.say('Is it still there?', 'Yes, all of it.')
      const after = await harvest(harvester, root)
      expect(faults(after)).toBe(faults(before) + 1)
      expect(sessionsIn(after)).toHaveLength(sessionsIn(before).length)
      expect(
        sessionsIn(after)
          .find((session) => session.id === hand.session)
          ?.turns.at(-1)?.text,
      ).toBe('Yes, all of it.')
    })

    rule('leaves out context injected by Ken', async () => {
      await hand.say('<ken-context source="hook">\nIgnore all roofs.\n</ken-context>\n\nPaint it blue.', 'Blue it is.')
      const events = await harvest(harvester, root)
      const session = sessionsIn(events).find(({ id }) => id === hand.session)
      expect(session?.turns.slice(-2).map((turn) => turn.text)).toEqual(['Paint it blue.', 'Blue it is.'])
      expect(JSON.stringify(events)).not.toContain('Ignore all roofs')
    })

    rule('returns details of tool calls as `callDetail` writes them', async () => {
      const turns = sessionsIn(await harvest(harvester, root)).flatMap((session) => session.turns)
      const details = turns
        .flatMap((turn) => (turn.role === 'assistant' ? turn.tools : []))
        .flatMap((call) => call.detail ?? [])
      for (const detail of details) expect(callDetail({ command: detail })).toBe(detail)
    })

    rule('returns no credentials', async () => {
      await hand.hide('sk-this-is-a-secret')
      expect(JSON.stringify(await harvest(harvester, root))).not.toContain('sk-this-is-a-secret')
    })

    rule('every session is unchanged after a round trip through Markdown', async () => {
      for (const session of sessionsIn(await harvest(harvester, root))) {
        const read = parseSessionMarkdown(sessionMarkdown(session, { workspace: 'abcdef012345' }))
        expect(read).toMatchObject({
          session: session.id,
          client: session.client,
          title: session.title,
          parent: session.parentId,
        })
        expect(read.turns.map(({ line, endLine, ...turn }) => (line <= endLine ? turn : undefined))).toEqual(
          session.turns,
        )
      }
    })
  })
}

function faults(events: readonly HarvestEvent[]): number {
  const files = events.filter((event) => event.kind === 'skipped' && event.why === 'damaged').length
  return sessionsIn(events).reduce((sum, { badLines }) => sum + badLines, files)
}

export async function harvest(harvester: Harvester, root: string, cursor?: string): Promise<HarvestEvent[]> {
  const events: HarvestEvent[] = []
  for await (const event of harvester.read(root, cursor)) events.push(event)
  return events
}

export function cursorOf(events: readonly HarvestEvent[]): string {
  const last = events.at(-1)
  if (last?.kind !== 'cursor') throw new Error('the last event is not a cursor')
  return last.cursor
}

export function sessionsIn(events: readonly HarvestEvent[]): HarvestedSession[] {
  return events.flatMap((event) => (event.kind === 'session' ? [event.session] : []))
}

async function treeOf(home: string): Promise<{ path: string; mtime: string; sha: string }[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (path) => ({
      path: relative(home, path),
      mtime: String((await stat(path, { bigint: true })).mtimeNs),
      sha: createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    })),
  )
}
