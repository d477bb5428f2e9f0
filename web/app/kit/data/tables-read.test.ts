import { expect, it } from 'vitest'
import { tablesRead } from './tables-read.ts'

it.each([
  ['SELECT 1', []],
  ['SELECT * FROM orders o JOIN main.customers AS c ON o.id = c.id', ['orders', 'main.customers']],
  ['SELECT * FROM orders, "Order Lines" l, t3 WHERE 1=1', ['orders', 'Order Lines', 't3']],
  ['WITH a AS (SELECT * FROM orders), b (x) AS (SELECT x FROM a) SELECT * FROM a JOIN b ON true', ['orders']],
  ['SELECT * FROM (SELECT * FROM inner_one) s LEFT JOIN other USING (id)', ['inner_one', 'other']],
  ["SELECT 'FROM nowhere' FROM here -- FROM comment", ['here']],
  ['SELECT * FROM range(10) r JOIN orders ON r.range = orders.id', ['orders']],
  ['SELECT extract(year FROM day) FROM sales UNION SELECT 1 FROM sales', ['sales']],
  ['SELECT * FROM a WHERE x IS NOT DISTINCT FROM y', ['a']],
])('the tables of %s', (sql, tables) => {
  expect(tablesRead(sql)).toEqual(tables)
})
