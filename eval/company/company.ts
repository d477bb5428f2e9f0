import { ANALYTICS } from './analytics.ts'
import { BILLING } from './billing.ts'
import { CRM } from './crm.ts'
import { drawRow, type Row, type Table, type View } from './define.ts'
import { HR } from './hr.ts'
import { LEGACY } from './legacy.ts'
import { LOGISTICS } from './logistics.ts'
import { PIM } from './pim.ts'
import { REF } from './ref.ts'
import { SALES } from './sales.ts'
import { SUPPORT } from './support.ts'
import { COMPANY_VIEWS } from './views.ts'
import { WEB } from './web.ts'

/** Every table before those that reference it; views last. */
export const COMPANY: readonly (Table | View)[] = [
  ...REF,
  ...HR,
  ...CRM,
  ...PIM,
  ...SALES,
  ...BILLING,
  ...LOGISTICS,
  ...WEB,
  ...SUPPORT,
  ...LEGACY,
  ...ANALYTICS,
  ...COMPANY_VIEWS,
]
export const TABLES: readonly Table[] = COMPANY.filter((each) => each.kind === 'table')
export const VIEWS: readonly View[] = COMPANY.filter((each) => each.kind !== 'table')
export const SCHEMAS: readonly string[] = [...new Set(COMPANY.map(({ name }) => name.split('.')[0]!))]

const made = new Map<string, readonly Row[]>()

export function rowsOf(name: string): readonly Row[] {
  const known = made.get(name)
  if (known) return known
  const own = TABLES.find((each) => each.name === name)
  if (!own) throw new Error(`the company has no table ${name}`)
  const rows = Array.from({ length: own.rows }, (_, i) => drawRow(own, i, rowsOf))
  made.set(name, rows)
  return rows
}

/** Rows added after the first build. */
export const laterRows = (own: Table, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, i) => drawRow(own, own.rows + i, rowsOf))
