import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContextDesk } from '../context/context-desk.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { ownPostgres, type Owner } from '../shop-database.ts'

let server: OwnDatabase
let owner: Owner

beforeAll(async () => {
  server = await newDatabase()
  owner = ownPostgres({ host: server.host, port: server.port, database: server.database, user: server.user })
  await owner.exec('CREATE EXTENSION pg_stat_statements')
})
afterAll(async () => {
  await owner?.close()
  await server?.stop()
})

const PLANTED = ['zed.quill', 'Quillfeather', '15112345678', '0532013000', '1961-02-03', '203.0.113.77']

test('no personal data from PostgreSQL gets into a file, and samples span the whole of large tables', async () => {
  await owner.exec(`
    CREATE TABLE people (id INT PRIMARY KEY, c1 TEXT DEFAULT 'zed.quill@example.com', last_name TEXT, c3 TEXT, c4 TEXT, born DATE, c5 INET, doc JSONB, tags TEXT[]);
    INSERT INTO people SELECT i, 'zed.quill' || i || '@example.com', 'Quillfeather', '+49 15112345678', 'DE89370400440532013000', '1961-02-03', '203.0.113.77',
      '{"contact": "zed.quill@example.com"}', ARRAY['zed.quill@example.com'] FROM generate_series(1, 50) i;
    COMMENT ON TABLE people IS 'Ask zed.quill@example.com';
    COMMENT ON COLUMN people.last_name IS 'e.g. Quillfeather';
    CREATE VIEW a_few AS SELECT id, last_name FROM people WHERE c1 <> 'zed.quill@example.com' AND last_name <> 'Quillfeather';
    CREATE TABLE big AS SELECT i AS id, i % 7 AS kind FROM generate_series(1, 300000) i;
    ALTER TABLE big ADD PRIMARY KEY (id);
    CREATE TABLE keyless AS SELECT 'k' || id AS code, kind FROM big;
    ANALYZE;
    SELECT count(*) FROM people WHERE last_name = 'Quillfeather' AND c1 = 'zed.quill@example.com';
  `)
  const desk = openContextDesk()
  desk.configure({
    name: 'crm',
    databases: [
      {
        name: 'crm',
        type: 'postgres',
        host: server.host,
        port: server.port,
        database: server.database,
        user: server.user,
        include: ['public.people', 'public.a_few', 'public.big', 'public.keyless'],
      },
    ],
  })
  expect((await desk.sync()).failures).toEqual([])
  const files = desk.files()
  const everything = [...Object.values(files), desk.read('.ken/context-manifest.jsonl')].join('\n')
  expect(PLANTED.filter((value) => everything.includes(value))).toEqual([])
  const preview = (table: string): string =>
    Object.entries(files).find(([name]) => name.endsWith(`table=${table}/preview.md`))![1]
  expect(preview('people')).toContain('[e-mail]')
  expect(preview('big')).toContain('chosen for variety, from 40 places between the lowest and the highest id')
  expect(preview('big')).toContain('| 300000 |')
  expect(preview('keyless')).toContain('from blocks all over the table')
  await desk.sync({ force: true })
  const body = (text: string): string => text.slice(text.indexOf('# Rows'))
  for (const table of ['people', 'a_few', 'big', 'keyless']) {
    const again = Object.entries(desk.files()).find(([name]) => name.endsWith(`table=${table}/preview.md`))![1]
    expect(body(again)).toBe(body(preview(table)))
  }
  await desk.close()
})
