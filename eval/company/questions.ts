/**
 * Questions as people in the company ask them, each with what a writer of SQL has to see: tables, columns, and what
 * values mean. Needs are written `schema.table(column column)`, facts as `schema.table.column: words`; `a|b` is one of
 * the two. The SQL answers the question and was run on the company.
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
