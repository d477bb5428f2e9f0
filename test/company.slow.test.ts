import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPANY, SCHEMAS, TABLES, VIEWS, rowsOf } from '../eval/company/company.ts'
import { readJoins } from '../eval/company/compiled.ts'
import { BAITS, INNOCENT, JOINS, VALUE_FACTS, type PlantedJoin, type ValueFact } from '../eval/company/facts.ts'
import { judgeJoins } from '../eval/company/judge-joins.ts'
import { openCompany, type CompanyDatabase } from '../eval/company/open.ts'
import { KINDS, WATCHED } from '../eval/company/people.ts'
import { neededColumns } from '../eval/company/question-needs.ts'
import { QUESTIONS } from '../eval/company/questions.ts'
import { changes, nameIn } from '../eval/company/statements.ts'

const MOST_ORPHANS = 0.05
const folder = mkdtempSync(join(tmpdir(), 'ken-company-'))
let company: CompanyDatabase

beforeAll(async () => {
  company = await openCompany('postgres', folder)
})
afterAll(async () => {
  await company.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the company has the documented size', () => {
  expect(TABLES.length).toBeGreaterThanOrEqual(120)
  expect(SCHEMAS.length).toBeGreaterThanOrEqual(5)
  expect(TABLES.some(({ columns }) => Object.keys(columns).length === 200)).toBe(true)
  expect(VIEWS.some(({ kind }) => kind === 'materialized view')).toBe(true)
  expect(TABLES.filter(({ rows }) => rows === 0).length).toBeGreaterThan(2)
})

test('every planted join holds on the data, and leads to at most one row', async () => {
  const wrong: string[] = []
  for (const planted of JOINS) {
    const { id, to, toColumns } = planted
    const [{ orphans, rows }] = (await company.read(orphansOf(planted))) as [{ orphans: string; rows: string }]
    if (Number(orphans) > Number(rows) * MOST_ORPHANS) wrong.push(`${id}: ${orphans} of ${rows} lead nowhere`)
    const twice = await company.read(`SELECT 1 FROM ${to} GROUP BY ${toColumns.join(', ')} HAVING count(*) > 1 LIMIT 1`)
    if (twice.length > 0) wrong.push(`${id}: not unique`)
  }
  expect(wrong).toEqual([])
})

test('a page with exactly the planted joins is rated perfect', () => {
  const side = (table: string, columns: readonly string[]) =>
    columns.map((column) => `\`${table}.${column}\``).join(' + ')
  const page = JOINS.map(
    ({ from, columns, to, toColumns, cardinality }) =>
      `- ${side(from, columns)} → ${side(to, toColumns)} (${cardinality}, 100 % of 200 values)`,
  ).join('\n')
  const { found, counted, alsoRight, wrong } = judgeJoins(
    readJoins(`## Inferred\n\n${page}\n`, new Map(COMPANY.map(({ name }) => [name, name]))),
  )
  expect(JOINS.filter((join) => !found.has(join))).toEqual([])
  expect(JOINS.filter((join) => !counted.has(join))).toEqual([])
  expect([alsoRight, wrong]).toEqual([[], []])
})

test('columns without a target are not joins', () => {
  expect(JOINS.filter(({ from, columns }) => BAITS.includes(`${from}.${columns[0]}`))).toEqual([])
  for (const bait of BAITS) expect(columnOf(bait)).toBeDefined()
})

describe('every value fact is true', () => {
  test.each(VALUE_FACTS.map((fact) => [fact.id, fact] as const))('%s', async (_, fact) => {
    expect(await untrue(fact)).toEqual([])
  })
})

test('the values that are not personal data exist', () => {
  for (const [column, values] of Object.entries(INNOCENT)) {
    const [, name] = splitColumn(column)
    const there = new Set(rowsOf(splitColumn(column)[0]).map((row) => row[name]))
    expect(values.filter((value) => !there.has(value))).toEqual([])
  }
})

test('every planted personal value is in the database', () => {
  const all = JSON.stringify(TABLES.map(({ name }) => rowsOf(name)))
  const missing = WATCHED.flatMap(({ values }) => KINDS.filter((kind) => !all.includes(values[kind])))
  expect(missing).toEqual([])
  expect(new Set(WATCHED.flatMap(({ values }) => KINDS.map((kind) => values[kind]))).size).toBeGreaterThanOrEqual(200)
})

test('every question has an answer, and uses only existing columns of the company', async () => {
  expect(QUESTIONS).toHaveLength(60)
  expect(QUESTIONS.filter(({ needs }) => needs.length >= 3).length).toBeGreaterThanOrEqual(20)
  for (const question of QUESTIONS) {
    for (const column of neededColumns(question)) expect(columnOf(column), column).toBeDefined()
    const [first] = await company.read(question.sql)
    expect(first, question.text).toBeDefined()
    expect(Object.values(first!), question.text).not.toContain(null)
  }
})

test.each(['duckdb', 'sqlite'] as const)('%s holds the same rows, and takes the changes of a day', async (engine) => {
  const other = await openCompany(engine, folder)
  const { statements } = changes(engine)
  await other.write(statements)
  for (const { name } of TABLES) {
    const [{ n }] = (await other.read(`SELECT count(*) AS n FROM ${nameIn(engine, name)}`)) as [{ n: string | number }]
    expect(Number(n), name).toBeGreaterThanOrEqual(rowsOf(name).length)
  }
  await other.close()
})

function orphansOf({ from, columns, to, toColumns, when }: PlantedJoin): string {
  const given = columns.map((column) => `f.${column} IS NOT NULL`).join(' AND ')
  const on = columns.map((column, i) => `t.${toColumns[i]} = f.${column}`).join(' AND ')
  return `SELECT count(*) AS rows, count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM ${to} t WHERE ${on})) AS orphans
    FROM ${from} f WHERE ${given} AND ${when ? `f.${when}` : 'true'}`
}

/** The words of a fact that the data or the comment do not support. */
async function untrue({ column, kind, words }: ValueFact): Promise<readonly string[]> {
  const [table, name] = splitColumn(column)
  const { about = '', type } = columnOf(column)!
  const values = rowsOf(table).flatMap((row) => (row[name] === null ? [] : [row[name]!]))
  const lacks = (has: (word: string) => boolean): string[] =>
    words.filter((word) => !word.split('|').some((each) => has(each.replaceAll(',', ''))))
  switch (kind) {
    case 'labels':
      return lacks((word) => values.map(String).includes(word))
    case 'elements':
      return lacks((word) => values.some((value) => (value as string[]).includes(word)))
    case 'keys':
      return lacks((word) => values.some((value) => JSON.stringify(value).includes(`"${word}":`)))
    case 'unit':
    case 'meaning':
    case 'placeholder':
      return lacks((word) => about.toLowerCase().includes(word.toLowerCase()))
    case 'lookup': {
      const targets = JOINS.filter(({ from, columns }) => from === table && columns[0] === name)
      const looked = JSON.stringify(targets.map(({ to }) => rowsOf(to)))
      return lacks((word) => looked.includes(word))
    }
    case 'format':
      return lacks((word) => !word.includes('%') && values.every((value) => fits(word, String(value))))
    case 'range': {
      const [{ least, most }] = (await company.read(
        `SELECT min(${name})::text AS least, max(${name})::text AS most FROM ${table}`,
      )) as [{ least: string; most: string }]
      return lacks((word) => least.startsWith(word) || most.startsWith(word))
    }
    case 'through': {
      const days = values.map((value) =>
        type === 'bigint' ? new Date(Number(value) * (Number(value) < 1e11 ? 1000 : 1)).toISOString() : String(value),
      )
      return lacks((word) => days.some((value) => value.startsWith(word)))
    }
  }
}

const fits = (format: string, value: string): boolean =>
  new RegExp(`^${format.replace(/[.]/g, '\\.').replace(/[A-Z]/g, '\\d')}$`).test(value)

function splitColumn(column: string): readonly [string, string] {
  const at = column.lastIndexOf('.')
  return [column.slice(0, at), column.slice(at + 1)]
}

function columnOf(column: string) {
  const [table, name] = splitColumn(column)
  return TABLES.find((each) => each.name === table)?.columns[name]
}
