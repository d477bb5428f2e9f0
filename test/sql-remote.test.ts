import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgeStatement } from '../src/context/domain/sql/judge-statement.ts'
import { parseDialect, type TreeParser } from '../src/context/domain/sql/parse-dialect.ts'
import type { SqlVerdict } from '../src/context/domain/sql/policy.ts'
import { PARSED_DIALECTS, type ParsedDialectName } from './sql-dialects.ts'

const CORPUS = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/sql/scope/remote.json'), 'utf8'),
) as Readonly<Record<'reads' | 'attacks', Readonly<Record<ParsedDialectName, readonly string[]>>>>

beforeAll(() => init())

const parse: TreeParser = (sql, dialect) => JSON.parse(Parser.parseToJson(sql, dialect as 'generic')) as unknown

function judge(dialect: ParsedDialectName, sql: string): SqlVerdict {
  const kept = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name)
  const table = (name: string, columns: readonly string[], hidden: readonly string[]) => ({
    database: 'd',
    schema: kept('s'),
    name: kept(name),
    columns: columns.map(kept),
    hidden: hidden.map(kept),
  })
  const tables = [
    table('orders', ['id', 'user_id', 'amount', 'note', 'created'], []),
    table('users', ['id', 'email'], ['password']),
  ]
  const parsed = parseDialect(sql, PARSED_DIALECTS[dialect], { names: { searchPath: [kept('s')] }, parse })
  return judgeStatement(parsed, { dialect: PARSED_DIALECTS[dialect], tables })
}

const dialects = Object.keys(CORPUS.reads) as ParsedDialectName[]

describe.each(dialects)('%s, without an engine', (dialect) => {
  test.each(CORPUS.reads[dialect])('%s is allowed', (sql) => {
    expect(judge(dialect, sql)).toMatchObject({ allowed: true })
  })

  test.each(CORPUS.attacks[dialect] ?? ['SELECT password FROM users'])('%s is refused', (sql) => {
    expect(judge(dialect, sql)).toMatchObject({ allowed: false })
  })
})
