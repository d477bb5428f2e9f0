import { describe, expect, test } from 'vitest'
import { openPostgresAnalystState } from '../../src/database/state/postgres/analyst-state.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import {
  at,
  attempt,
  call,
  chat,
  comment,
  draft,
  ended,
  memory,
  message,
  query,
  run,
  story,
  version,
  vote,
} from '../contract/analyst-samples.ts'
import { emptied } from './emptied.ts'

const ADA = { project: 'shop', person: 'ada' }
const EVE = { project: 'shop', person: 'eve' }
const ADA_ELSEWHERE = { project: 'other', person: 'ada' }
const OUTSIDERS = [EVE, ADA_ELSEWHERE, { project: 'other', person: 'eve' }]

/** Checks what each person may see and change, enforced by the database: two people in two projects. */
export function describeStateWalls(name: string, open: () => SqlDatabase): void {
  describe(`walls: ${name}`, () => {
    const fresh = async () => {
      const database = await emptied(open())
      const of = (whose: { project: string; person: string }) => openPostgresAnalystState(database, whose)
      await fill(of(ADA))
      return { database, of }
    }

    test('no data about a person is revealed to another person, or in another project', async () => {
      const { database, of } = await fresh()
      const mine = await everything(of(ADA))
      expect(Object.entries(mine).filter(([, rows]) => rows.length === 0)).toEqual([])
      for (const whose of OUTSIDERS) {
        const { memories, history, ...told } = await everything(of(whose))
        expect(Object.values(told).flat(), JSON.stringify(whose)).toEqual([])
        // A person's memories are available in all of their projects.
        expect([memories, history].map((rows) => rows!.length > 0)).toEqual(Array(2).fill(whose.person === 'ada'))
      }
      const tables = await database.transaction('server', (sql) => sql.query<{ name: string }>(PERSONAL_TABLES))
      expect(tables.length).toBeGreaterThan(15)
      for (const { name: table } of tables)
        for (const whose of [{ project: 'shop' }, { project: 'other', person: 'eve' }, { person: 'eve' }])
          expect(
            await database.transaction(whose, (sql) => sql.query(`SELECT 1 FROM ken.${table}`)),
            `${table} for ${JSON.stringify(whose)}`,
          ).toEqual([])
    })

    test('another user’s data gets the same answer as missing data, word for word, and is unchanged', async () => {
      const { of } = await fresh()
      const before = await everything(of(ADA))
      for (const whose of [EVE, { project: 'other', person: 'eve' }])
        for (const [index, attemptWith] of ATTEMPTS.entries()) {
          const [theirs, none] = [
            await outcome(attemptWith(of(whose), '1')),
            await outcome(attemptWith(of(whose), '9')),
          ]
          expect(theirs.replaceAll(/1\b/g, '9'), String(attemptWith)).toBe(none)
          expect(none, `attempt ${index}`).not.toContain('internal')
        }
      expect(await everything(of(ADA))).toEqual(before)
    })

    test('an id, slug or name that another person uses is free', async () => {
      const { of } = await fresh()
      const before = await everything(of(ADA))
      for (const whose of OUTSIDERS) await fill(of(whose), whose)
      expect(await everything(of(ADA))).toMatchObject({ chats: before['chats'], parts: before['parts'] })
      expect((await everything(of(EVE)))['chats']).toEqual([chat('c1', { user: 'eve', updatedAt: at(1) })])
    })

    test('nothing can be written in another’s name, or for another project', async () => {
      const { of } = await fresh()
      const forged = [
        () => of(EVE).chats.start(chat('c2')),
        () => of(EVE).stories.create(story('s2'), version('s2')),
        () => of(EVE).calls.keep(call('k2')),
        () => of(EVE).feedback.draft([draft('d2')]),
        () => of(EVE).feedback.give(vote('m1'), []),
        () => of(EVE).runs.start(run('r2')),
        () => of(EVE).memories.apply('ada', [{ kind: 'add', row: memory('u2') }]),
        () => of(ADA).chats.start(chat('c2', { project: 'other' })),
      ]
      for (const forge of forged) await expect(forge(), String(forge)).rejects.toMatchObject({ code: 'forbidden' })
    })

    test.each([
      ['the project', 'project', []],
      ['named people', 'named', ['eve']],
    ] as const)('items shared with %s are read by them and written only by their owner', async (_, shared, readers) => {
      const { of } = await fresh()
      await share(of(ADA), shared, readers)
      const before = await everything(of(ADA))
      const { log, queries, stories } = of(EVE)
      const read = async () => [
        (await log.messages('c1')).map(({ id }) => id),
        (await log.parts('c1', 0)).length,
        (await queries.list('c1')).length,
        (await stories.find({ slug: 'story-s1', project: 'shop' }))?.id,
        (await stories.versions('s1')).length,
      ]
      expect(await read()).toEqual([['m1', 'm2'], 3, 1, 's1', 1])
      expect(await listedFor(of(EVE))).toEqual(['c1', 'c1', 's1'])
      for (const whose of [ADA, ADA_ELSEWHERE, { project: 'other', person: 'eve' }])
        expect(await listedFor(of(whose)), JSON.stringify(whose)).toEqual([])
      for (const attemptWith of WRITES)
        expect(await outcome(attemptWith(of(EVE), '1')), String(attemptWith)).toMatch(/^(not_found|done)/)
      expect(await everything(of(ADA))).toEqual(before)
      // Only the chat itself: its cost, and others' feedback on it, are visible to its owner only.
      const { calls, votes, drafts, runs } = await everything(of(EVE))
      expect([calls, votes, drafts, runs].flat()).toEqual([])
      for (const whose of [ADA_ELSEWHERE, { project: 'other', person: 'eve' }])
        expect(await of(whose).log.messages('c1')).toEqual([])
      if (readers.length > 0) expect(await of({ project: 'shop', person: 'mallory' }).log.messages('c1')).toEqual([])
      // A person's own chat with the same id takes precedence as a whole; a visible story keeps its name.
      await expect(fill(of(EVE), EVE)).rejects.toMatchObject({ code: 'conflict' })
      expect(await read()).toEqual([['m1', 'm2'], 3, 1, 's1', 1])
      expect(await of(EVE).log.append(message('m2'), { kind: 'notice', text: 'hers' }, at(3))).toBe(4)
      expect(await log.parts('c1', 0)).toHaveLength(4)
      expect(await everything(of(ADA))).toEqual(before)
      await of(ADA).chats.change('c1', { deletedAt: at(9) })
      await of(EVE).chats.erase('c1')
      expect(await of(EVE).log.messages('c1')).toEqual([])
    })

    test('readers comment on a story in their own name, and see threads that began since it was shared', async () => {
      const { of } = await fresh()
      const seen = async (whose: typeof ADA) => (await of(whose).comments.list('s1')).map(({ id }) => id)
      await of(ADA).shares!.share('story', 's1', { visibility: 'named', readers: ['eve', 'bob'] }, at(5))
      expect(await seen(EVE)).toEqual([])
      const hers = comment('n2', { user: 'eve', at: at(6), begunAt: at(6) })
      await of(EVE).comments.add(hers)
      await of(EVE).comments.add(comment('n3', { user: 'eve', thread: 'n1', at: at(6) }))
      expect(await seen(ADA)).toEqual(['n1', 'n2', 'n3'])
      expect(await seen(EVE)).toEqual(['n2', 'n3'])
      expect(await seen({ project: 'shop', person: 'bob' })).toEqual(['n2'])
      for (const outsider of [{ project: 'shop', person: 'mallory' }, ...OUTSIDERS.slice(1)])
        expect(await seen(outsider)).toEqual([])
      const forged = of(EVE).comments.add(comment('n4', { user: 'ada', at: at(7) }))
      await expect(forged).rejects.toMatchObject({ code: 'forbidden' })
      expect(await of(ADA).comments.remove('n2')).toBe(false)
      await of(ADA).shares!.share('story', 's1', { visibility: 'project', readers: [] }, at(0))
      expect(await seen(EVE)).toEqual(['n1', 'n2', 'n3'])
      await of(ADA).shares!.share('story', 's1', { visibility: 'private', readers: [] })
      expect(await seen(EVE)).toEqual([])
      await of(ADA).shares!.share('story', 's1', { visibility: 'project', readers: [] })
      expect(await seen({ project: 'shop', person: 'bob' })).toEqual([])
      expect(await of(EVE).comments.remove('n2')).toBe(true)
      expect(await seen(ADA)).toEqual(['n1', 'n3'])
    })

    test('no one can add themselves: only the owner adds readers, and only to their own items', async () => {
      const { database, of } = await fresh()
      const asEve = (text: string) => database.transaction(EVE, (sql) => sql.query(text))
      await expect(asEve(`INSERT INTO ken.chat_readers VALUES ('c1', 'shop', 'ada', 'eve')`)).rejects.toThrow(
        /security/,
      )
      await expect(asEve(`INSERT INTO ken.chat_readers VALUES ('c1', 'shop', 'eve', 'eve')`)).rejects.toThrow(/foreign/)
      await expect(
        asEve(`INSERT INTO ken.chat_parts VALUES ('c1', 'shop', 'eve', 9, 'm1', now(), 'notice', '{}')`),
      ).rejects.toThrow(/foreign/)
      expect(await asEve(`UPDATE ken.chats SET visibility = 'project', person = 'eve' RETURNING 1`)).toEqual([])
      await share(of(ADA), 'named', ['eve', 'bob'])
      expect(await asEve('SELECT reader FROM ken.chat_readers')).toEqual([{ reader: 'eve' }])
      await database.transaction(ADA, (sql) => sql.query(`DELETE FROM ken.chat_readers WHERE reader = 'eve'`))
      expect(await of(EVE).log.parts('c1', 0)).toEqual([])
    })
  })
}

/** Tables that a tenant may query and that have an owner column. */
const PERSONAL_TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'ken'::regnamespace AND relkind = 'r'
  AND has_table_privilege('ken_tenant', oid, 'SELECT')
  AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'person')`

async function share(
  state: EvaluationState,
  visibility: 'project' | 'named',
  readers: readonly string[],
): Promise<void> {
  await state.shares!.share('chat', 'c1', { visibility, readers })
  await state.shares!.share('story', 's1', { visibility, readers })
}

/** Ids of items shared by others: chats, chats matching a word, and stories. */
async function listedFor({ shares }: EvaluationState): Promise<readonly string[]> {
  const lists = [
    await shares!.chats({ limit: 9 }),
    await shares!.chats({ limit: 9, text: 'revenue' }),
    await shares!.stories(),
  ]
  return lists.flatMap((list) => list.map(({ id }) => id))
}

/** Adds one item of every kind, each with the number 1 in its id. */
async function fill(state: EvaluationState, { project, person: user } = ADA): Promise<void> {
  await state.chats.start(chat('c1', { project, user }))
  await state.log.begin(message('m1', { role: 'user' }), [{ kind: 'text', text: 'revenue' }])
  await state.log.begin(message('m2'), [{ kind: 'text', text: 'net' }])
  await state.log.append(message('m2'), { kind: 'notice', text: 'n' }, at(2))
  await state.queries.keep(query('q_1'))
  await state.calls.keep(call('k1', { project, user, chat: 'c1' }))
  await state.stories.create(story('s1', { project, user }), version('s1'))
  await state.stories.keepRefresh('s1', { at: at(3), ok: true }, [
    { story: 's1', query: 'q_1', database: 'd', sql: 's', result: '{}', at: at(3) },
  ])
  await state.comments.add(comment('n1', { user }))
  await state.feedback.give(vote('m1', { user }), [draft('d1', { project, user })])
  await state.runs.start(run('r1', { project, user }))
  await state.runs.add(attempt('a1'))
  const id = `u1${project}`
  await state.memories.apply(user, [{ kind: 'add', row: memory(id === 'u1shop' ? 'u1' : id, { user }) }])
}

/** Everything that a state returns. */
async function everything({
  chats,
  log,
  queries,
  calls,
  stories,
  comments,
  feedback,
  runs,
  memories,
}: EvaluationState) {
  const people = ['ada', 'eve']
  const each = async <T>(list: (user: string) => Promise<readonly T[]>): Promise<T[]> =>
    (await Promise.all(people.map(list))).flat()
  const lists: Record<string, readonly unknown[]> = {
    chats: await each((user) => chats.list({ user, limit: 99 })),
    found: await each((user) => chats.list({ user, limit: 99, text: 'revenue' })),
    messages: await log.messages('c1', { superseded: true }),
    parts: await log.parts('c1', 0),
    unended: await log.unended(at(50)),
    queries: await queries.list('c1'),
    calls: await calls.list({}),
    stories: await each((user) => stories.list({ user })),
    versions: await stories.versions('s1'),
    data: await stories.data('s1'),
    comments: await comments.list('s1'),
    votes: await feedback.votes({ limit: 99 }),
    drafts: await each((user) => feedback.inbox({ user })),
    runs: await each((user) => runs.list({ user, project: 'shop', limit: 99 })),
    attempts: await runs.attempts('r1'),
    memories: await each((user) => memories.all(user)),
    history: await each((user) => memories.history(user)),
  }
  return lists
}

type Attempt = (state: EvaluationState, n: string) => Promise<unknown>

const WRITES: readonly Attempt[] = [
  ({ chats }, n) => chats.change(`c${n}`, { title: 'mine' }),
  ({ chats }, n) => chats.erase(`c${n}`),
  ({ chats }) => chats.sweep(at(59)),
  ({ log }, n) => log.begin(message(`new${n}`, { chat: `c${n}` }), []),
  ({ log }, n) => log.append({ id: `m${n}`, chat: `c${n}` }, { kind: 'notice', text: 'x' }, at(9)),
  ({ log }, n) => log.grow(`c${n}`, Number(n), 'longer than before'),
  ({ log }, n) => log.end(`m${n}`, ended),
  ({ log }, n) => log.supersede(`c${n}`, `m${n}`),
  ({ queries }, n) => queries.keep(query('q_7', { chat: `c${n}` })),
  ({ stories }, n) => stories.change(`s${n}`, { title: 'mine' }),
  ({ stories }, n) => stories.addVersion({ story: `s${n}`, at: at(9), by: 'person', text: 'mine' }),
  ({ comments }, n) => comments.remove(`n${n}`),
  ({ shares }, n) => shares!.share('chat', `c${n}`, { visibility: 'project', readers: [] }),
  ({ shares }, n) => shares!.share('story', `s${n}`, { visibility: 'named', readers: ['eve'] }),
  ({ stories }, n) => stories.keepRefresh(`s${n}`, { at: at(9), ok: true }, []),
]

const ATTEMPTS: readonly Attempt[] = [
  ...WRITES,
  ({ chats }, n) => chats.find(`c${n}`, 'eve'),
  ({ chats }, n) => chats.find(`c${n}`, 'ada'),
  ({ chats }, n) => chats.ofMessage(`m${n}`, 'ada'),
  ({ shares }, n) => shares!.audience('chat', `c${n}`),
  ({ shares }, n) => shares!.chat(`c${n}`),
  ({ shares }, n) => shares!.story(`s${n}`),
  ({ log }, n) => log.messages(`c${n}`),
  ({ log }, n) => log.parts(`c${n}`, 0),
  ({ queries }, n) => queries.find('c1', `q_${n}`),
  ({ stories }, n) => stories.find({ id: `s${n}` }),
  ({ comments }, n) => comments.list(`s${n}`),
  ({ comments }, n) => comments.add(comment('n7', { story: `s${n}`, user: 'eve' })),
  ({ stories }, n) => stories.find({ slug: `story-s${n}`, project: 'shop' }),
  ({ feedback }, n) => feedback.find(`d${n}`, 'ada'),
  ({ feedback }, n) => feedback.settle(`d${n}`, { how: 'applied', at: at(9) }),
  ({ feedback }, n) => feedback.edit(`d${n}`, { title: 'mine', body: 'mine' }),
  ({ feedback }, n) => feedback.reopen(`d${n}`),
  ({ runs }, n) => runs.find(`r${n}`, 'ada'),
  ({ runs }, n) => runs.add(attempt('x', { run: `r${n}` })),
  ({ runs }, n) => runs.end(`r${n}`, { at: at(9), reason: 'budget' }),
  ({ runs }, n) => runs.reopen(`r${n}`),
  ({ runs }, n) => runs.remove(`r${n}`),
  ({ memories }, n) => memories.find(`u${n}`, 'ada'),
  ({ memories }, n) => memories.apply('eve', [{ kind: 'erase', id: `u${n}`, at: at(9) }]),
  ({ memories }, n) => memories.apply('ada', [{ kind: 'erase', id: `u${n}`, at: at(9) }]),
  ({ memories }) => memories.undo('ada', at(9)),
]

const outcome = (attempted: Promise<unknown>): Promise<string> =>
  attempted.then(
    (value) => `done ${JSON.stringify(value)}`,
    (error: { code?: string; message: string; hint?: string }) =>
      `${error.code ?? 'internal'} ${error.message} ${error.hint ?? ''}`,
  )
