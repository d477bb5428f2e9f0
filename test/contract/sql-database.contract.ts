import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownRows } from '../../src/database/own-rows.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase, SqlSession } from '../../src/kernel/ports/sql-database.ts'

const clock = { now: () => new Date('2026-05-01T10:00:00Z') }

/** Contract of src/kernel/ports/sql-database.ts for every back end. */
export function describeSqlDatabase(name: string, open: () => Promise<SqlDatabase>): void {
  describe(name, () => {
    let database: SqlDatabase
    beforeAll(async () => {
      database = await open()
      await migrate(database, { clock })
      await database.transaction('server', async (sql) => {
        for (const statement of [
          'CREATE TABLE ken.things (project text, id int PRIMARY KEY, name text)',
          ...ownRows('things'),
        ])
          await sql.query(statement)
      })
    })
    afterAll(() => database.close())

    const put = (sql: SqlSession, project: string, id: number) =>
      sql.query('INSERT INTO ken.things VALUES ($1, $2, $3)', [project, id, `thing ${id}`])
    const ids = (scope: Parameters<SqlDatabase['transaction']>[0]) =>
      database.transaction(scope, async (sql) =>
        (await sql.query<{ id: number }>('SELECT id FROM ken.things ORDER BY id')).map(({ id }) => id),
      )

    test('values keep their types', async () => {
      const bytes = Uint8Array.of(0, 255, 7)
      const [row] = await database.transaction('server', (sql) =>
        sql.query<Record<string, unknown>>(
          `SELECT $1::text AS text, $2::bigint AS large, $3::boolean AS yes, $4::bytea AS bytes, $5::text::jsonb AS json,
             $6::timestamptz AS at, $7::text AS nothing, 0.5::float8 AS half, count(*) AS count`,
          ['O’Hara \\ "x"', 9_007_199_254_740_991, true, bytes, '{"a":["b",1]}', '2026-05-01T12:00:00+02:00', null],
        ),
      )
      expect({ ...row, bytes: [...(row!['bytes'] as Uint8Array)] }).toEqual({
        text: 'O’Hara \\ "x"',
        large: 9_007_199_254_740_991,
        yes: true,
        bytes: [...bytes],
        json: { a: ['b', 1] },
        at: '2026-05-01T10:00:00.000Z',
        nothing: null,
        half: 0.5,
        count: 1,
      })
    })

    test('an error rolls back, and is rethrown', async () => {
      const failing = database.transaction('server', async (sql) => {
        await put(sql, 'p', 1)
        throw new RangeError('no')
      })
      await expect(failing).rejects.toThrow(RangeError)
      expect(await ids('server')).toEqual([])
    })

    test('a read-only transaction sees its rows, and writes nothing', async () => {
      await database.transaction({ project: 'read' }, (sql) => put(sql, 'read', 70))
      const read = <T>(work: (sql: SqlSession) => Promise<T>) =>
        database.transaction({ project: 'read' }, work, { readOnly: true })
      expect(await read((sql) => sql.query('SELECT id FROM ken.things'))).toEqual([{ id: 70 }])
      await expect(read((sql) => put(sql, 'read', 71))).rejects.toThrow(/read-only transaction/)
      await database.transaction('server', (sql) => sql.query('DELETE FROM ken.things'))
    })

    test('a project sees and changes only its own rows, and a tenant sees nothing of the server’s', async () => {
      await database.transaction({ project: 'a' }, (sql) => put(sql, 'a', 10))
      await database.transaction({ project: 'b' }, (sql) => put(sql, 'b', 20))
      expect([await ids({ project: 'a' }), await ids({ project: 'b' }), await ids({ person: 'a' })]).toEqual([
        [10],
        [20],
        [],
      ])
      expect(await ids('server')).toEqual([10, 20])
      await expect(database.transaction({ project: 'a' }, (sql) => put(sql, 'b', 30))).rejects.toThrow(
        /row-level security/,
      )
      await database.transaction({ project: 'a' }, (sql) => sql.query('DELETE FROM ken.things'))
      expect(await ids('server')).toEqual([20])
      await expect(
        database.transaction({ project: 'a' }, (sql) => sql.query('SELECT * FROM ken.organisations')),
      ).rejects.toThrow(/permission denied/)
      // The next transaction of the same connection belongs to no project again.
      expect(await ids('server')).toEqual([20])
    })

    test('a batch returns the rows of each statement, and sees only the rows of its scope', async () => {
      const own = 'SELECT id FROM ken.things ORDER BY id'
      const rows = await database.batch({ project: 'c' }, [
        { text: 'INSERT INTO ken.things VALUES ($1, 50, $2)', values: ['c', null] },
        { text: own },
        { text: 'SELECT 1 AS one WHERE $1', values: [false] },
      ])
      expect(rows).toEqual([[], [{ id: 50 }], []])
      expect(await database.batch({ project: 'd' }, [{ text: own }])).toEqual([[]])
      // The next transaction of the same connection belongs to no project again.
      expect(await database.batch('server', [{ text: own }])).toEqual([[{ id: 20 }, { id: 50 }]])
    })

    test('a batch commits nothing if one of its statements fails, and the next one runs', async () => {
      const put = (id: number) => ({ text: `INSERT INTO ken.things VALUES ('e', ${id}, $1)`, values: ['e'] })
      const failing = [put(60), { text: 'SELECT 1 / count(*) FROM ken.things WHERE false' }, put(61)]
      await expect(database.batch({ project: 'e' }, failing)).rejects.toMatchObject({ code: '22012' })
      expect(await ids({ project: 'e' })).toEqual([])
      await database.batch({ project: 'e' }, [put(60)])
      expect(await ids({ project: 'e' })).toEqual([60])
    })

    test('a holder of a lock sees what the one before it committed', async () => {
      const look = { scope: { project: 'f' }, text: 'SELECT count(*) AS number FROM ken.things' }
      const seen = await Promise.all(
        [81, 82, 83].map((id) =>
          database.withLock(
            'look',
            10_000,
            async ([row]) => {
              await database.transaction({ project: 'f' }, (sql) => put(sql, 'f', id))
              return row
            },
            look,
          ),
        ),
      )
      expect(seen).toEqual([{ number: 0 }, { number: 1 }, { number: 2 }])
    })

    test('a lock has one holder at a time, in order of arrival', async () => {
      const told: string[] = []
      await Promise.all(
        ['one', 'two', 'three'].map((name) =>
          database.withLock('a lock', 10_000, async () => {
            told.push(`${name} in`)
            await new Promise((done) => setTimeout(done, 5))
            told.push(`${name} out`)
          }),
        ),
      )
      expect(told).toEqual(['one in', 'one out', 'two in', 'two out', 'three in', 'three out'])
    })

    test('waiting too long for a lock fails, and a failing holder releases it', async () => {
      const held = Promise.withResolvers<void>()
      const holder = database.withLock('held', 10_000, () => held.promise)
      await expect(database.withLock('held', 50, async () => 1)).rejects.toMatchObject({ code: 'unavailable' })
      held.reject(new RangeError('no'))
      await expect(holder).rejects.toThrow(RangeError)
      expect(await database.withLock('held', 10_000, async () => 2)).toBe(2)
    })

    test('a notification is received after commit, and never after a rollback', async () => {
      const told: (string | undefined)[] = []
      const subscription = await database.listen('news', (message) => told.push(message))
      const send = (text: string, fails = false) =>
        database.transaction('server', async (sql) => {
          await sql.query("SELECT pg_notify('news', $1)", [text])
          if (fails) throw new RangeError('no')
        })
      await expect(send('never', true)).rejects.toThrow(RangeError)
      await send('once')
      await expect.poll(() => told.filter((message) => message !== undefined)).toEqual(['once'])
      await subscription.close()
    })

    test('migration is idempotent', async () => {
      expect((await migrate(database, { clock })).done).toEqual([])
    })
  })
}
