import { describe, expect, test } from 'vitest'
import { PARSED_DIALECTS, type ParsedDialectName } from '../../../../test/sql-dialects.ts'
import { lex } from './lex.ts'

const tokens = (sql: string, dialect: ParsedDialectName): readonly string[] | string => {
  const lexed = lex(sql, PARSED_DIALECTS[dialect].grammar.lex)
  return 'error' in lexed ? lexed.error : lexed.tokens.map((token) => `${token.kind}:${token.value}`)
}

describe('token boundaries', () => {
  test.each<readonly [ParsedDialectName, string, readonly string[] | string]>([
    ['mysql', "SELECT 'it''s' FROM `a``b`", ['word:SELECT', "string:'it''s'", 'word:FROM', 'name:a`b']],
    ['mysql', String.raw`'a\'b' "c\"d"`, [String.raw`string:'a\'b'`, String.raw`string:"c\"d"`]],
    ['mysql', '1--1', ['number:1', 'symbol:-', 'symbol:-', 'number:1']],
    ['mysql', '1 -- 1', ['number:1']],
    ['mysql', '1 # 1\n2', ['number:1', 'number:2']],
    ['mysql', "@a @@b x'4D' _utf8'c'", ['word:@A', 'word:@@B', 'word:X', "string:'4D'", 'word:_UTF8', "string:'c'"]],
    ['trino', String.raw`'a\' || "b"`, [String.raw`string:'a\'`, 'symbol:||', 'name:b']],
    ['trino', '1--1', ['number:1']],
    ['mssql', '[a]]b] "c" /* x /* y */ z */ 1', ['name:a]b', 'name:c', 'number:1']],
    ['redshift', '/* x /* y */ z */ 1 $q$a;b$q$', ['number:1', 'string:$q$a;b$q$']],
    ['databricks', '/* x /* y */ z */ 1', ['number:1']],
    ['clickhouse', '/* x /* y */ z */ 1 $q$a;b$q$', ['number:1', 'string:$q$a;b$q$']],
    ['trino', '/* x /* y */ 1', ['number:1']],
    ['snowflake', '$$a;b$$ // end', ['string:$$a;b$$']],
    ['snowflake', '$1 a:b', ['symbol:$1', 'word:A', 'symbol::', 'word:B']],
    ['bigquery', `'''it's''' r'\\d' "x"`, [`string:'''it's'''`, "string:r'\\d'", 'string:"x"']],
    ['databricks', String.raw`r'a\' 'b\'c'`, [String.raw`string:r'a\'`, String.raw`string:'b\'c'`]],
    ['clickhouse', 'a.1 .5 1e3 0xFF', ['word:A', 'number:.1', 'number:.5', 'number:1e3', 'number:0xFF']],
  ])('%s: %s', (dialect, sql, expected) => {
    expect(tokens(sql, dialect)).toEqual(expected)
  })

  test.each<readonly [ParsedDialectName, string, string]>([
    ['mysql', "SELECT 'open", 'a string without an end'],
    ['mysql', 'SELECT `open', 'a quoted name without an end'],
    ['mysql', 'SELECT /* open', 'a comment without an end'],
    ['mysql', 'SELECT /*!50000 1 */', 'a comment that some servers execute (/*! … */)'],
    ['mysql', 'SELECT /*M!100000 1 */', 'a comment that some servers execute (/*! … */)'],
    ['mssql', 'SELECT $x$ 1 $x$', '$x$ strings are not part of this dialect'],
    ['redshift', String.raw`SELECT '\'' , 1 --'`, 'a backslash before a quote, which servers read in two ways'],
  ])('%s: %s is rejected', (dialect, sql, error) => {
    expect(tokens(sql, dialect)).toBe(error)
  })

  test('every character that is not a comment reaches the engine', () => {
    const sql = "SELECT 'ü--' , \"名前\",\n\t`a` FROM t WHERE x = '🙂' /* gone */ AND y"
    expect(lex(sql, PARSED_DIALECTS.mysql.grammar.lex)).toMatchObject({ sql: sql.replace('/* gone */', ' ') })
  })
})
