/**
 * Realistic questions, each with the tables, columns and value meanings that an SQL writer needs. Needs are written
 * `schema.table(column column)`, facts as `schema.table.column: words`; `a|b` matches either. The SQL answers the
 * question and was run on the company.
 */
import { ANALYTICS_QUESTIONS } from './questions-analytics.ts'
import { OFFICE_QUESTIONS } from './questions-office.ts'
import { SHOP_QUESTIONS } from './questions-shop.ts'

export interface Question {
  readonly text: string
  readonly needs: readonly string[]
  readonly facts: readonly string[]
  readonly sql: string
}

export const QUESTIONS: readonly Question[] = [...SHOP_QUESTIONS, ...OFFICE_QUESTIONS, ...ANALYTICS_QUESTIONS]
