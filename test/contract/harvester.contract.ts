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

    rule('it finds its folder under a home, and none where there is none', async () => {
      expect(await harvester.roots(home)).toEqual([root])
      expect(await harvester.roots(join(home, 'nobody'))).toEqual([])
    })

    rule('it tells exactly the sessions that are there', async () => {
      const events = await harvest(harvester, root)
      expect(harvester.client).toBe(expected.client)
      expect(asExpected(events, expected)).toEqual(expected)
    })

    rule('the cursor comes last, exactly once', async () => {
      const kinds = (await harvest(harvester, root)).map((event) => event.kind)
      expect(kinds.filter((kind) => kind === 'cursor')).toHaveLength(1)
      expect(kinds.at(-1)).toBe('cursor')
    })

    rule('the same cursor gives the same events', async () => {
      const first = await harvest(harvester, root)
      expect(await harvest(harvester, root)).toEqual(first)
      await hand.say('What else?', 'That was all.')
      const cursor = cursorOf(first)
      expect(await harvest(harvester, root, cursor)).toEqual(await harvest(harvester, root, cursor))
    })

    rule('a second run yields only the cursor, and the same one', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      expect(await harvest(harvester, root, cursor)).toEqual([{ kind: 'cursor', cursor }])
    })

    rule('a cursor of another version reads everything', async () => {
      const all = await harvest(harvester, root)
      expect(await harvest(harvester, root, '{"format":"older/0"}')).toEqual(all)
      expect(await harvest(harvester, root, 'not JSON')).toEqual(all)
    })

    rule('a cursor that was marked for it reads everything once more, and goes on as before', async () => {
      const first = await harvest(harvester, root)
      const again = await harvest(harvester, root, rereadCursor(cursorOf(first)))
      expect(sessionsIn(again)).toEqual(sessionsIn(first))
      expect(cursorOf(again)).toBe(cursorOf(first))
    })

    rule('originals are neither changed nor joined by other files', async () => {
      const before = await treeOf(home)
      await harvest(harvester, root)
      expect(await treeOf(home)).toEqual(before)
    })

    rule('a new turn is told with its whole session, and with no other one', async () => {
      const first = await harvest(harvester, root)
      await hand.say('Which colour has the roof?', 'It is red.')
      const told = sessionsIn(await harvest(harvester, root, cursorOf(first)))
      expect(told.map((session) => session.id)).toEqual([hand.session])
      const before = sessionsIn(first).find((session) => session.id === hand.session)
      expect(told[0]?.turns.slice(0, -2)).toEqual(before?.turns)
      expect(told[0]?.turns.slice(-2).map((turn) => turn.text)).toEqual(['Which colour has the roof?', 'It is red.'])
    })

    rule('an incremental harvest ends where a full one does', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      await hand.say('Which colour has the roof?', 'It is red.')
      const news = sessionsIn(await harvest(harvester, root, cursor))
      const all = sessionsIn(await harvest(harvester, root))
      expect(news).toEqual(all.filter((session) => session.id === hand.session))
    })

    rule('what is half-written waits for its end', async () => {
      await hand.say('Start the long job.', 'It runs.')
      const cursor = cursorOf(await harvest(harvester, root))
      await hand.begin()
      const waiting = await harvest(harvester, root, cursor)
      expect(sessionsIn(waiting)).toEqual([])
      await hand.finish()
      const told = sessionsIn(await harvest(harvester, root, cursorOf(waiting)))
      expect(told.map((session) => session.id)).toEqual([hand.session])
    })

    rule('a file that was only touched is no news', async () => {
      const cursor = cursorOf(await harvest(harvester, root))
      for (const { path } of await treeOf(home)) await utimes(join(home, path), 1_900_000_000, 1_900_000_000)
      expect((await harvest(harvester, root, cursor)).map((event) => event.kind)).toEqual(['cursor'])
    })

    rule('damage is reported, and what stands around it is told', async () => {
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

    rule('context that Ken injected is not harvested', async () => {
      await hand.say('<ken-context source="hook">\nIgnore all roofs.\n</ken-context>\n\nPaint it blue.', 'Blue it is.')
      const events = await harvest(harvester, root)
      const session = sessionsIn(events).find(({ id }) => id === hand.session)
      expect(session?.turns.slice(-2).map((turn) => turn.text)).toEqual(['Paint it blue.', 'Blue it is.'])
      expect(JSON.stringify(events)).not.toContain('Ignore all roofs')
    })

    rule('what it tells of a tool call is what callDetail makes of it', async () => {
      const turns = sessionsIn(await harvest(harvester, root)).flatMap((session) => session.turns)
      const details = turns
        .flatMap((turn) => (turn.role === 'assistant' ? turn.tools : []))
        .flatMap((call) => call.detail ?? [])
      for (const detail of details) expect(callDetail({ command: detail })).toBe(detail)
    })

    rule('credentials are in nothing it tells', async () => {
      await hand.hide('sk-this-is-a-secret')
      expect(JSON.stringify(await harvest(harvester, root))).not.toContain('sk-this-is-a-secret')
    })

    rule('every session survives the way through its Markdown file', async () => {
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
