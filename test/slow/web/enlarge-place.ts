import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Run = (name: string, input: object) => Promise<unknown>

const DAY_MS = 86_400_000
const SUBJECTS = ['search', 'checkout', 'invoices', 'delivery plans', 'sign-in', 'reports', 'the product list', 'mail']
const CHOICES = [
  ['PostgreSQL', 'Redis'],
  ['a queue of rows', 'Kafka'],
  ['server-sent events', 'WebSockets'],
  ['plain SQL', 'an ORM'],
  ['nightly batches', 'triggers'],
] as const

interface Size {
  readonly decisions: number
  readonly sessions: number
}

/**
 * Enlarges the example to the size of a project several years old: hundreds of imported decisions, three more databases
 * with tables of the same names, sessions of four months, questions and proposals.
 */
export async function enlargePlace(
  { folder, home }: { readonly folder: string; readonly home: string },
  run: Run,
  { decisions, sessions }: Size = { decisions: 260, sessions: 120 },
  adrs: string | undefined = process.env['KEN_TEST_ADRS'],
): Promise<void> {
  await run('import_adr', { path: adrs ?? writeAdrs(join(folder, 'doc/adr'), decisions) })
  for (const name of ['crm', 'billing', 'support']) writeDatabase(join(folder, `${name}.db`), name)
  for (const name of ['crm', 'billing', 'support']) await run('source_add', { what: [`${name}.db`], yes: true })
  await run('sync_sources', {})
  writeSessions(join(home, '.claude/projects/-work-orchard'), folder, sessions)
  await run('harvest', {})
  await run('memory_update', {})
}

/** Records in MADR format, each with a rejected option; every tenth supersedes an earlier one. */
function writeAdrs(folder: string, count: number): string {
  mkdirSync(folder, { recursive: true })
  for (let at = 1; at <= count; at++) {
    const [chosen, rejected] = CHOICES[at % CHOICES.length]!
    const subject = `${SUBJECTS[at % SUBJECTS.length]!} of area ${Math.ceil(at / SUBJECTS.length)}`
    const date = new Date(Date.now() - (count - at + 5) * 5 * DAY_MS).toISOString().slice(0, 10)
    const replaces = at % 10 === 0 ? `\nSupersedes [ADR-${at - 7}](${nameOf(at - 7)})\n` : ''
    writeFileSync(
      join(folder, nameOf(at)),
      `# ${at}. Use ${chosen} for ${subject}

Date: ${date}

## Status

Accepted
${replaces}
## Context and Problem Statement

${subject} needs a store that the team can run without help, and that a restart leaves as it was.

## Considered Options

* ${chosen}
* ${rejected}

## Decision Outcome

Chosen option: "${chosen}", because it is measured, known to the team and already backed up every night.

### Consequences

* Good, because there is one service less to watch in \`src/area-${at % 12}/store.ts\`.
* Bad, because ${rejected} would answer faster while the load is low.
`,
    )
  }
  writeFileSync(
    join(folder, nameOf(count + 1)),
    `# ${count + 1}. Web server\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nWe need a server.\n\n## Decision\n\nWe use Express instead of Fastify or Koa, because the team knows it.\n`,
  )
  return folder
}

const nameOf = (at: number): string => `${String(at).padStart(4, '0')}-record.md`

function writeDatabase(path: string, name: string): void {
  const database = new DatabaseSync(path)
  database.exec(`
CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, city TEXT, created_at TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total_cents INTEGER, state TEXT, placed_at TEXT);
CREATE TABLE ${name}_events (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), kind TEXT, at TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
INSERT INTO customers SELECT i, 'c' || i || '@example.com', CASE i % 4 WHEN 0 THEN 'Bern' WHEN 1 THEN 'Lyon' WHEN 2 THEN 'Graz' ELSE 'Ghent' END, date('2026-01-01', i % 300 || ' days') FROM n;
INSERT INTO orders SELECT id, id, id * 37 % 9000, CASE id % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' ELSE 'cancelled' END, created_at FROM customers;
INSERT INTO ${name}_events SELECT id, id, state, placed_at FROM orders;`)
  database.close()
}

/** Logs as Claude Code writes them: up to three a day, with edits, commands and their outcome. */
function writeSessions(logs: string, folder: string, count: number): void {
  mkdirSync(logs, { recursive: true })
  for (let at = 0; at < count; at++) {
    const sessionId = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const start = Date.now() - (2 + Math.floor(at / 3)) * DAY_MS + (at % 3) * 7_200_000
    const subject = SUBJECTS[at % SUBJECTS.length]!
    const lines: object[] = []
    const add = (type: 'user' | 'assistant', content: unknown): void => {
      lines.push({
        type,
        uuid: `${sessionId}-${lines.length}`,
        parentUuid: lines.length === 0 ? null : `${sessionId}-${lines.length - 1}`,
        isSidechain: false,
        timestamp: new Date(start + lines.length * 60_000).toISOString(),
        cwd: folder,
        sessionId,
        version: '2.1.325',
        gitBranch: 'main',
        message: { role: type, content, ...(type === 'assistant' && { model: 'scripted', type: 'message' }) },
      })
    }
    const use = (id: string, name: string, input: object, result: string, isError = false): void => {
      add('assistant', [{ type: 'tool_use', id, name, input }])
      add('user', [{ type: 'tool_result', tool_use_id: id, content: result, ...(isError && { is_error: true }) }])
    }
    add('user', `Work on ${subject}: number ${at} on the list. Keep the **tests** green.`)
    add('assistant', [
      { type: 'text', text: `I will start with \`src/area-${at % 12}/store.ts\`.\n\n- read\n- change\n- test` },
    ])
    use(
      `edit_${at}`,
      'Edit',
      { file_path: join(folder, `src/area-${at % 12}/store.ts`), old_string: 'a', new_string: 'b' },
      'ok',
    )
    if (at % 4 === 0) use(`fail_${at}`, 'Bash', { command: 'npm test' }, 'Exit code 1\n1 test failed', true)
    use(`test_${at}`, 'Bash', { command: 'npm test' }, '12 tests passed')
    add('assistant', [{ type: 'text', text: `Done. ${subject} keeps its rows over a restart, and 12 tests pass.` }])
    if (at % 9 === 0)
      add(
        'user',
        `We use ${CHOICES[at % CHOICES.length]![0]} for ${subject} from now on, not ${CHOICES[at % CHOICES.length]![1]}.`,
      )
    writeFileSync(join(logs, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}
