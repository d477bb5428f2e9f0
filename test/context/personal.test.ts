import { expect, test } from 'vitest'
import { openContextDesk } from './context-desk.ts'

const folder = (table: string): string => `databases/type=sqlite/database=crm/schema=main/table=${table}`

function openCrm(personal?: unknown) {
  const desk = openContextDesk()
  desk.sqlite(
    'crm.db',
    `CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, hint TEXT, plan TEXT, tag TEXT, born TEXT)`,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO users SELECT i, 'zed' || i || '@example.com', iif(i % 9, 'all is well', 'asked via zed@example.net'), iif(i % 50, 'free', 'gold'), iif(i % 3, iif(i % 2, '', 'x'), NULL), '19' || (60 + i % 30) || '-01-02' FROM n`,
  )
  const configure = (choice: unknown): void =>
    desk.configure({
      name: 'crm',
      databases: [{ name: 'crm', type: 'sqlite', path: 'crm.db', ...(choice !== undefined && { personal: choice }) }],
    })
  configure(personal)
  return { desk, configure }
}

test('personal columns are masked in every file and named, and personal data inside a text is masked there', async () => {
  const { desk } = openCrm()
  await desk.sync()
  const preview = desk.read(`${folder('users')}/preview.md`)
  expect(preview).toContain(
    '10 of 400 rows, chosen for variety, spread by id. Masked as personal: email (e-mail), born (birth). Masked in part: hint.',
  )
  expect(preview).toMatch(/\| \[e-mail\] \| asked via \[e-mail\] \| \w+ \|/)
  expect([preview.includes('| gold |'), preview.includes('| free |')]).toEqual([true, true])
  expect([preview.includes("| '' |"), preview.includes('| NULL |')]).toEqual([true, true])
  const everything = [...Object.values(desk.files()), desk.read('.ken/context-manifest.jsonl')].join('\n')
  expect(everything).not.toMatch(/zed\d|zed@|19\d\d-01-02/)
  expect(everything).toContain(
    '"personal":[{"name":"email","kind":"e-mail"},{"name":"born","kind":"birth"},{"name":"hint","kind":"personal text"}]',
  )
  await desk.close()
})

test('sensitive categories that many rows share are listed, but masked in rows; rare ones are not listed', async () => {
  const desk = openContextDesk()
  desk.sqlite(
    'clinic.db',
    'CREATE TABLE patients (id INTEGER PRIMARY KEY, email TEXT, sex TEXT, diagnosis TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO patients SELECT i, 'zed' || i || '@example.com', iif(i % 2, 'female', 'male'), iif(i = 7, 'rareitis', 'influenza') FROM n`,
  )
  desk.configure({ name: 'clinic', databases: [{ name: 'clinic', type: 'sqlite', path: 'clinic.db' }] })
  await desk.sync()
  const place = 'databases/type=sqlite/database=clinic/schema=main/table=patients'
  expect(desk.read(`${place}/columns.md`)).toMatch(/\| sex \|.*`female`, `male`/)
  expect(desk.read(`${place}/preview.md`)).not.toMatch(/female|influenza/)
  expect(Object.values(desk.files()).join('\n')).not.toMatch(/rareitis|influenza/)
  await desk.close()
})

test('with personal.results, agents filter by personal columns but do not see them; a person with `ken sql` does', async () => {
  const { desk } = openCrm({ results: 'mask', show: ['main.users.born'] })
  await desk.sync()
  const rowsOf = async (sql: string) => (await desk.run('execute_sql', { sql }))['rows']
  expect(await rowsOf("SELECT id, email, born FROM users WHERE email = 'zed7@example.com'")).toEqual([
    [7, '[redacted]', '1967-01-02'],
  ])
  expect(await rowsOf('SELECT upper(email) AS e FROM users WHERE id = 1')).toEqual([['[redacted]']])
  expect(await rowsOf("SELECT count(*) AS n FROM users WHERE email <> 'zed7@example.com'")).toEqual([[399]])
  expect(await rowsOf('SELECT plan, hint FROM users WHERE id = 9')).toEqual([['free', '[redacted]']])
  const { notes } = await desk.run('execute_sql', { sql: "SELECT id FROM users WHERE email = 'ZED7'" })
  expect(notes.join(' ')).toContain("main.users.email has no 'ZED7'.")
  expect(notes.join(' ')).not.toContain('@')
  const seen = await desk.run('run_sql', { sql: 'SELECT email FROM users WHERE id = 1' })
  expect(JSON.stringify(seen)).toContain('zed1@example.com')
  // An agent may read a result that is stored by id.
  const kept = await desk.run('read_result', { query_id: seen['query_id'] })
  expect(JSON.stringify(kept)).not.toContain('zed1')
  await desk.close()
})

test('a view masks values of personal columns under any name, and over documents every column', async () => {
  const desk = openContextDesk()
  desk.sqlite(
    'crm.db',
    'CREATE TABLE staff (id INTEGER PRIMARY KEY, salary INTEGER, team TEXT, meta TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO staff SELECT i, 90000 + i, 'red', '{"mail":"zed' || i || '@example.com"}' FROM n`,
    'CREATE VIEW direct AS SELECT id AS k, salary AS s, team FROM staff',
    'CREATE VIEW through AS SELECT k, s AS t FROM direct',
    'CREATE VIEW inner_rows AS WITH q AS (SELECT salary AS v FROM staff) SELECT v AS w FROM q',
    'CREATE VIEW named(a, b) AS SELECT max(salary), count(*) FROM staff GROUP BY team',
    'CREATE VIEW starred AS SELECT * FROM staff',
    'CREATE VIEW plain AS SELECT team, count(*) AS n FROM staff WHERE salary > 0 GROUP BY team',
  )
  desk.configure({
    name: 'crm',
    databases: [
      { name: 'crm', type: 'sqlite', path: 'crm.db', personal: { results: 'mask', show: ['*.starred.meta'] } },
    ],
  })
  await desk.sync()
  const row = async (sql: string) => (await desk.run('execute_sql', { sql }))['rows'][0]
  expect(await row('SELECT * FROM direct')).toEqual([1, '[redacted]', 'red'])
  expect(await row('SELECT k, t FROM through')).toEqual([1, '[redacted]'])
  expect(await row('SELECT max(t) FROM through')).toEqual(['[redacted]'])
  expect(await row('SELECT w FROM inner_rows')).toEqual(['[redacted]'])
  expect(await row('SELECT a, b FROM named')).toEqual(['[redacted]', 40])
  expect(await row('SELECT id, salary, team FROM starred')).toEqual([1, '[redacted]', 'red'])
  expect(await row('SELECT team, n FROM plain')).toEqual(['red', 40])
  expect(await row("SELECT json_extract(meta, '$.mail') FROM staff")).toEqual(['[redacted]'])
  const { columns } = await desk.run('list_tables', { question: 'salary of the staff', tokens: 1_000 })
  expect(columns).toMatch(/- salary: .*masked in results, can be filtered/)
  await desk.close()
})

test('agents can neither filter by refused columns nor read them in stored results', async () => {
  const { desk } = openCrm({ refuse: ['main.users.email'] })
  desk.sqlite('crm.db', 'CREATE VIEW contacts AS SELECT id AS k, lower(email) AS how FROM users')
  await desk.sync()
  expect((await desk.run('execute_sql', { sql: 'SELECT how FROM contacts' }))['refused'].code).toBe('column')
  expect((await desk.run('execute_sql', { sql: 'SELECT k FROM contacts LIMIT 1' }))['rows']).toEqual([[1]])
  const ran = async (name: string, sql: string) => desk.run(name, { sql })
  expect((await ran('execute_sql', "SELECT id FROM users WHERE email = 'zed7@example.com'"))['refused'].code).toBe(
    'column',
  )
  expect((await ran('execute_sql', 'SELECT * FROM users'))['refused'].code).toBe('column')
  const own = await ran('run_sql', 'SELECT email FROM users WHERE id = 1')
  expect(JSON.stringify(own)).toContain('zed1@example.com')
  await expect(desk.run('read_result', { query_id: own['query_id'] })).rejects.toThrow()
  const { columns } = await desk.run('list_tables', { question: 'Who is zed7@example.com?', tokens: 1_000 })
  expect(columns).toContain('- email: TEXT')
  expect(columns).toContain('may not be read')
  expect(columns).not.toMatch(/email.*has /)
  await desk.close()
})

test('ken.yaml shows single columns and masks others, and a change makes the tables stale', async () => {
  const { desk, configure } = openCrm()
  await desk.sync()
  configure({ show: ['main.users.email'], mask: ['*.users.plan'] })
  expect((await desk.sync()).due).toHaveLength(1)
  const preview = desk.read(`${folder('users')}/preview.md`)
  expect(preview).toMatch(/zed\d+@example\.com/)
  expect(preview).toContain('Masked as personal: plan (private), born (birth).')
  expect(desk.read(`${folder('users')}/profiling.md`)).not.toContain('gold')
  configure('show')
  await desk.sync()
  expect(desk.read(`${folder('users')}/preview.md`)).not.toContain('Masked')
  expect(desk.read(`${folder('users')}/profiling.md`)).toContain('gold')
  await desk.close()
})
