import { expect, test } from 'vitest'
import { staleExamples } from '../src/context/domain/examples/example.ts'
import { examplesDocument } from '../src/context/domain/examples/examples-document.ts'
import { readExamples } from '../src/context/domain/examples/read-examples.ts'
import { withoutLiterals } from '../src/context/domain/examples/without-literals.ts'
import { duckdbDialect } from '../src/context/warehouse/duckdb/dialect.ts'
import { mysqlDialect } from '../src/context/warehouse/mysql/dialect.ts'

const read = (path: string, text: string) =>
  readExamples(path, text).map(({ question, sql, database }) => [question, sql, database])

test('statements are named by their comments, or by the file if they have none', () => {
  const text = `-- database: shop
-- ------------------
-- question: Revenue by month?
SELECT 1;

/* Top customers
   by revenue */
SELECT 2;
SELECT 3`
  expect(read('queries/revenue_report.sql', text)).toEqual([
    ['Revenue by month?', 'SELECT 1', 'shop'],
    ['Top customers', 'SELECT 2', 'shop'],
    ['revenue report 3', 'SELECT 3', 'shop'],
  ])
  expect(read('queries/a/top-customers.sql', 'SELECT 1;\n')).toEqual([['top customers', 'SELECT 1', undefined]])
})

test('the question is read before the SQL in Markdown, and from a field in YAML', () => {
  const markdown =
    '# Finance\n\ndatabase: crm\n\n## 1. How many *visits*?\n\n```sql\nSELECT 1;\n```\n\n```python\nprint()\n```'
  expect(read('queries/q.md', markdown)).toEqual([['How many *visits*?', 'SELECT 1', 'crm']])
  const yaml =
    'database: shop\nqueries:\n  - {question: A?, sql: SELECT 1}\n  - {prompt: B?, query: "SELECT 2;", database: crm}\n  - {name: c}'
  expect(read('queries/q.yaml', yaml)).toEqual([
    ['A?', 'SELECT 1', 'shop'],
    ['B?', 'SELECT 2', 'crm'],
  ])
  expect(read('queries/q.yaml', ': [broken')).toEqual([])
  expect(read('queries/data.csv', 'SELECT 1')).toEqual([])
})

test('dbt references become tables, and anything only dbt can resolve is an error', () => {
  const [fine, other] = readExamples(
    'q.sql',
    `SELECT * FROM {{ ref('orders') }} JOIN {{ source("crm", 'visits') }} USING (id); SELECT {% if x %} 1 {% endif %}`,
  )
  expect(fine).toMatchObject({ sql: 'SELECT * FROM orders JOIN crm.visits USING (id)' })
  expect(fine).not.toHaveProperty('fault')
  expect(other).toMatchObject({ fault: 'it holds a template that only dbt can fill' })
})

test('a question cannot move the cursor, break out of its line or close a block', () => {
  const [example] = readExamples(
    'q.sql',
    '-- question: \u001b[31mred\u202e [x](http://evil) <b> ```\nSELECT 1 AS "```"',
  )
  expect(example!.question).toBe('\\u{1b}[31mred\\u{202e} [x](http://evil) <b> ```')
  const text = examplesDocument('shop', [{ ...example!, stale: undefined }], [])
  expect(text).toContain('## \\u{1b}\\[31mred\\u{202e} \\[x\\](http://evil) \\<b\\> \\`\\`\\`\n')
  expect(text).toContain('````sql\nSELECT 1 AS "```"\n````')
})

test('stale examples come last, without their SQL', () => {
  const example = (question: string, stale: string | undefined) => ({
    question,
    sql: `SELECT '${question}'`,
    path: 'queries/a.sql',
    database: undefined,
    stale,
  })
  const text = examplesDocument(
    'shop',
    [example('old', 'orders is gone'), example('new', undefined)],
    ['SELECT ? FROM t'],
  )
  expect(text.indexOf('## new')).toBeLessThan(text.indexOf('## Often run'))
  expect(text.indexOf('## Often run')).toBeLessThan(text.indexOf('- old (queries/a.sql): orders is gone'))
  expect(text).not.toContain("SELECT 'old'")
})

test('an example is stale if no database accepts it', () => {
  const example = (question: string, database?: string) => ({ question, sql: 'SELECT 1', path: 'q.sql', database })
  const both = { databases: ['a', 'b'], isWhole: true }
  const [one, named, lost] = [example('one'), example('named', 'a'), example('lost', 'c')]
  const judged = [
    { ...one, stale: 'no x' },
    { ...one, stale: undefined },
    { ...named, stale: 'no y' },
  ]
  expect(staleExamples([one, named, lost], judged, both)).toEqual([
    { path: 'q.sql', question: 'named', reason: 'no y' },
    { path: 'q.sql', question: 'lost', reason: 'ken.yaml has no database "c"' },
  ])
  // The other database could not be checked.
  expect(staleExamples([one], [{ ...one, stale: 'no x' }], both)).toEqual([])
})

test('literals in a query-history statement are removed', () => {
  expect(
    withoutLiterals(
      "SELECT * FROM users /* for bob */ WHERE email = 'bob@x.example' AND phone = 49301234567 LIMIT 10;",
      duckdbDialect,
    ),
  ).toBe('SELECT * FROM users WHERE email = ? AND phone = ? LIMIT 10')
  expect(withoutLiterals('SELECT a FROM t WHERE b = "bob" AND c = $1', mysqlDialect)).toBe(
    'SELECT a FROM t WHERE b = ? AND c = $1',
  )
  expect(withoutLiterals("SELECT 'open", duckdbDialect)).toBeUndefined()
})
