import type { AllowedTable, Verdict } from './policy.ts'

type Refusal = Extract<Verdict, { allowed: false }>

/** Ends the walk through a statement at the first name that lies outside the context. */
export class OutsideContext extends Error {
  readonly refusal: Refusal

  constructor(code: 'table' | 'column', reason: string, hint: string) {
    super(reason)
    this.refusal = { allowed: false, code, reason, hint }
  }
}

const LISTED = 20

export const listed = (names: readonly string[]): string =>
  names.length <= LISTED
    ? names.join(', ') || 'none'
    : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`

export const readable = (table: AllowedTable): string =>
  `Columns of ${table.schema}.${table.name} that may be read: ${listed(table.columns)}.`
