import type { CitedQuery } from '../../src/analyst/domain/citation/figures-of.ts'

/** Ids as used in the answers: `{m}` for the months, and so on. */
export const IDS = { m: 'q_aaaaaaaaaaaa', r: 'q_bbbbbbbbbbbb', t: 'q_cccccccccccc', p: 'q_dddddddddddd' } as const

const query = (id: string, columns: string, rows: CitedQuery['rows']): CitedQuery => ({
  id,
  columns: columns.split(' ').map((name) => ({ name })),
  rows,
  rowCount: rows.length,
  cut: false,
})

/** Results that the answers cite. */
export const RESULTS: readonly CitedQuery[] = [
  query(IDS.m, 'month revenue orders', [
    ['2026-01-01', 1_234_567.5, 812],
    ['2026-02-01', 1_198_042.25, 790],
    ['2026-03-01', 1_402_118.75, 901],
  ]),
  query(IDS.r, 'region customers share churn', [
    ['North', 412, 0.523, '0.031'],
    ['South', 211, 0.268, '0.044'],
    ['East', 165, 0.209, '0.0275'],
  ]),
  query(IDS.t, 'total_customers avg_basket growth_pct refunds', [[788, '54.237', -3.4, -1250]]),
  query(IDS.p, 'product units price', [
    ['Filter papers (box of 400)', 512, 7.9],
    ['Espresso machine 2 l', 1234, 349],
    ['Mug 0.3', 411, 12.5],
    ['Grinder', 98, 129],
  ]),
]
