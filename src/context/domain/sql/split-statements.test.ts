import { expect, test } from 'vitest'
import { onOneLine, splitStatements } from './split-statements.ts'

const parts = (text: string) => splitStatements(text).statements.map(({ sql }) => sql)

test('splits text at semicolons, but not in quotes, comments and dollar quotes', () => {
  expect(parts(`SELECT ';' ; SELECT "a;b", \`c;d\` -- e; f\n; SELECT $$g;h$$, $t$i;$$j$t$ /* k; */; ;`)).toEqual([
    "SELECT ';'",
    'SELECT "a;b", `c;d` -- e; f',
    'SELECT $$g;h$$, $t$i;$$j$t$ /* k; */',
  ])
  expect(parts("SELECT 'it''s;'")).toEqual(["SELECT 'it''s;'"])
})

test('comments belong to the statement that follows them', () => {
  expect(splitStatements('-- one\n-- two\nSELECT 1; /* three\n * four */ SELECT 2').statements).toEqual([
    { sql: 'SELECT 1', comments: ['one', 'two'] },
    { sql: 'SELECT 2', comments: ['three', 'four'] },
  ])
})

test.each([
  ['SELECT 1', true],
  ['SELECT 1;', false],
  ['SELECT 1; -- done', false],
  ["SELECT 'a;", true],
  ['/* open', true],
  ['SELECT 1; SELECT', true],
  ['-- only a comment\n', false],
  ['', false],
])('%s: incomplete is %s', (text, open) => expect(splitStatements(text).open).toBe(open))

test('a backslash escapes a quote if the dialect allows it', () => {
  expect(splitStatements(String.raw`SELECT 'a\'; b'; SELECT 2`, { backslash: true }).statements).toHaveLength(2)
})

test('joins a statement into one line with its comments, unless a string in it spans lines', () => {
  expect(onOneLine("SELECT 1, -- the */ first\n  'a  b'\nFROM t")).toBe("SELECT 1, /* the  first */ 'a  b' FROM t")
  expect(onOneLine("SELECT 'a\nb'")).toBeUndefined()
})

test('a megabyte of quotes takes linear time', () => {
  expect(splitStatements(`SELECT ${"'".repeat(1_000_001)}`).open).toBe(true)
  expect(splitStatements('$'.repeat(1_000_000)).statements.length).toBeLessThanOrEqual(1)
})
