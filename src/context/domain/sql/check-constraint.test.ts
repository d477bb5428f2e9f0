import { describe, expect, test } from 'vitest'
import { labelsOfType, readCheck } from './check-constraint.ts'

const COLUMNS = ['status', 'amount', 'kind', 'doc', 'starts', 'ends', 'select', 'length']

describe('CHECK constraint', () => {
  test.each([
    ["CHECK ((status = ANY (ARRAY['open'::text, 'it''s paid'::text])))", ['open', "it's paid"]],
    [
      "((status)::text = ANY ((ARRAY['open'::character varying, 'paid'::character varying])::text[]))",
      ['open', 'paid'],
    ],
    ["(status IN ('open', 'paid'))", ['open', 'paid']],
    ["CHECK(((status = 'open') OR (status = 'paid')))", ['open', 'paid']],
    ["`status` in ('open','paid')", ['open', 'paid']],
    ["([status]='paid' OR [status]='open')", ['paid', 'open']],
    ['"status" in (0, 1, 2)', ['0', '1', '2']],
    ['([status]=(2) OR [status]=(-1))', ['2', '-1']],
    ["(`status` in (_utf8mb4'open',_utf8mb4'paid'))", ['open', 'paid']],
  ])('%s lists the allowed values of a column', (written, labels) => {
    expect(readCheck(written, COLUMNS)).toMatchObject({ columns: ['status'], labels })
  })

  test.each([
    ["status IN ('open') OR amount > 0", ['status', 'amount']],
    ["status <> 'open'", ['status']],
    ["status IN ('a', lower(kind))", ['status', 'kind']],
    ["length(kind) > 2 AND kind <> 'amount'", ['kind']],
    ['"select" > 0', ['select']],
    ['((starts < ends))', ['starts', 'ends']],
  ])('%s is not a list, and names its columns', (written, columns) => {
    expect(readCheck(written, COLUMNS)).toMatchObject({ columns, labels: undefined })
  })

  test('drops the brackets and casts that engines add, but keeps its strings', () => {
    expect(readCheck("CHECK (((amount >= (0)::numeric) AND (kind <> 'a::text (b)'::text)))", COLUMNS).expression).toBe(
      "(amount >= (0)) AND (kind <> 'a::text (b)')",
    )
  })

  test('may state that a column is not null, or JSON', () => {
    expect(readCheck('CHECK ((doc IS NOT NULL))', COLUMNS).says).toBe('not null')
    expect(readCheck('json_valid(`doc`)', COLUMNS).says).toBe('json')
  })

  test('is parsed in linear time even with a hundred thousand brackets or quotes', () => {
    for (const part of ["'", '(', '[', '"', '\\', '::a(', '-1 ', "''(@)"])
      expect(readCheck(part.repeat(100_000), COLUMNS).columns).toEqual([])
  })
})

test('reads the labels of an enumerated type inside any wrapper', () => {
  expect(labelsOfType("ENUM('new', 'it''s')")).toEqual(['new', "it's"])
  expect(labelsOfType("enum('new','paid, late')")).toEqual(['new', 'paid, late'])
  expect(labelsOfType("set('a','b')")).toEqual(['a', 'b'])
  expect(labelsOfType(String.raw`LowCardinality(Nullable(Enum8('it\'s' = 1, 'b' = -2)))`)).toEqual(["it's", 'b'])
  expect(labelsOfType('VARCHAR')).toBeUndefined()
})
