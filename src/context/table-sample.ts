import { textsIn } from '../kernel/domain/secrets/redact-deep.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import { judgeColumns, type PersonalColumn, type PersonalFound } from './domain/personal/judge-columns.ts'
import { maskOf, type PersonalKind } from './domain/personal/kinds.ts'
import { maskCell } from './domain/personal/mask-cell.ts'
import { tellingValues } from './domain/personal/mask-table.ts'
import { personalChoice, type PersonalConfig } from './domain/personal/policy.ts'
import { chooseRows } from './domain/sources/choose-rows.ts'
import { sampledRows, samplePlans, SAMPLE_ROWS, type SamplePlan } from './domain/sources/sample-plan.ts'
import { shownCell } from './domain/sources/table-view.ts'
import type { Column } from './domain/sql/catalogue.ts'
import { MASK } from './domain/sql/mask-answer.ts'
import { textOfBytes } from './domain/sql/query.ts'
import { isSecretName } from './domain/sql/secret-columns.ts'
import type { Cell, TableDetails, Warehouse } from './ports/warehouse.ts'

export type Redact = Redactor['redact']

export interface Sample {
  /**
   * Sampled rows as the engine returned them, one cell per requested column. Anything shown of their values must
   * respect `withheld`.
   */
  readonly rows: readonly (readonly Cell[])[]
  /** Null if no row was read. */
  readonly preview: Readonly<Record<string, unknown>> | null
  /** Columns with a value that the redactor recognises. */
  readonly secret: readonly string[]
  /** Columns whose values no document may show, because their name or values are secret or personal. */
  readonly withheld: ReadonlySet<string>
  /** Columns with personal data, masked or not. */
  readonly personal: readonly PersonalColumn[]
  /** Personal columns that are masked, and columns with occasional personal values. */
  readonly masked: { readonly whole: readonly PersonalColumn[]; readonly inside: readonly string[] }
  /** Personal values found, to be hidden in other texts too. */
  readonly telling: readonly string[]
  /** Values of the preview that are masked or contain a mask. */
  readonly redacted: number
}

export interface SampleParts {
  readonly warehouse: Warehouse
  readonly redact: Redact
  readonly personal: PersonalConfig
}

const PREVIEW_ROWS = 10
// A long value is checked up to a private key's length. A plan may return a row twice.
const LIMITS = { rows: SAMPLE_ROWS * 2, bytes: 4_000_000, milliseconds: 30_000, cell: 20_000 }

/**
 * Representative rows, each value redacted and masked whole before it is cut, and which columns are secret or personal.
 */
export async function readSample(table: TableDetails, columns: readonly Column[], parts: SampleParts): Promise<Sample> {
  const { rows, how, all } =
    columns.length === 0 ? { rows: [], how: '', all: true } : await readRows(table, columns, parts.warehouse)
  const names = columns.map(({ name }) => name)
  const secret = await secretOf(names, rows, parts.redact)
  const found = judgeColumns({ name: table.name, columns }, rows)
  const whole = maskedColumns(table, columns, found, parts.personal)
  const inside = found.traced.filter((name) => personalChoice(parts.personal, table, name) === 'judge')
  const chosen = chooseRows(rows, columns, PREVIEW_ROWS)
  const shown = await Promise.all(
    chosen.map((row) =>
      Promise.all(
        row.map((cell, i) => {
          const name = names[i]!
          const kind = whole.find((column) => column.name === name)?.kind
          const isInside = personalChoice(parts.personal, table, name) === 'judge'
          const masked = maskedCell(cell, kind, isInside ? found.contextOf(name) : undefined)
          return shownValue(masked, {
            isNamed: isSecretName(name),
            isSecret: secret.includes(name),
            redact: parts.redact,
          })
        }),
      ),
    ),
  )
  const valuesOf = (name: string): readonly string[] => rows.map((row) => String(row[names.indexOf(name)] ?? ''))
  return {
    rows,
    preview: { columns: names, rows: shown, all: all && rows.length <= PREVIEW_ROWS, how },
    secret,
    withheld: new Set([...secret, ...names.filter(isSecretName), ...whole.map(({ name }) => name), ...inside]),
    personal: [...found.columns, ...found.traced.map((name) => ({ name, kind: 'personal text' as const }))],
    masked: { whole, inside },
    telling: tellingValues({ whole, inside }, valuesOf),
    redacted: shown.flat().filter((text) => text.includes(MASK)).length,
  }
}

interface ReadRows {
  readonly rows: readonly (readonly Cell[])[]
  readonly how: string
  /** Whether these few rows are the whole table. */
  readonly all: boolean
}

/** Rows from the first plan that the engine supports; if none does, the error of the last plan is the reason. */
async function readRows(table: TableDetails, columns: readonly Column[], warehouse: Warehouse): Promise<ReadRows> {
  const plans = samplePlans(table, columns, { dialect: warehouse.dialect, quote: (name) => warehouse.quote(name) })
  for (const plan of plans.slice(0, -1)) {
    const read = await follow(plan, warehouse).catch(() => undefined)
    if (read !== undefined && read.rows.length > 0) return read
  }
  return follow(plans.at(-1)!, warehouse)
}

async function follow(plan: SamplePlan, warehouse: Warehouse): Promise<ReadRows> {
  const { statement, how } = plan
  if (typeof statement === 'string') {
    const { rows, truncated } = await warehouse.query(statement, LIMITS)
    return { rows, how, all: plan.isWhole && !truncated }
  }
  const [ends] = (await warehouse.query(statement.ends, LIMITS)).rows
  const [low, high] = [ends?.[0] ?? null, ends?.[1] ?? null]
  if (low === null || high === null) return { rows: [], how, all: false }
  const { rows } = await warehouse.query(statement.between(BigInt(String(low)), BigInt(String(high))), LIMITS)
  return { rows: sampledRows(plan, rows), how, all: false }
}

function maskedColumns(
  table: TableDetails,
  columns: readonly Column[],
  found: PersonalFound,
  config: PersonalConfig,
): readonly PersonalColumn[] {
  return columns.flatMap(({ name }) => {
    const choice = personalChoice(config, table, name)
    const kind = found.columns.find((column) => column.name === name)?.kind
    if (choice === 'show' || (choice === 'judge' && kind === undefined)) return []
    return [{ name, kind: kind ?? 'private' }]
  })
}

function maskedCell(
  cell: Cell,
  kind: PersonalKind | undefined,
  inside: ReturnType<PersonalFound['contextOf']> | undefined,
): Cell {
  if (cell === null || cell === '') return cell
  if (kind !== undefined) return maskOf(kind)
  return inside === undefined || typeof cell !== 'string' ? cell : maskCell(cell, inside)
}

async function secretOf(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  redact: Redact,
): Promise<readonly string[]> {
  const textOf = (i: number): string =>
    rows.flatMap((row) => (typeof row[i] === 'string' ? [textOfBytes(row[i])] : [])).join('\n')
  if ((await redact(columns.map((_name, i) => textOf(i)).join('\n'))).count === 0) return []
  const found = await Promise.all(columns.map(async (name, i) => ((await redact(textOf(i))).count > 0 ? [name] : [])))
  return found.flat()
}

async function shownValue(
  cell: Cell,
  { isNamed, isSecret, redact }: { readonly isNamed: boolean; readonly isSecret: boolean; readonly redact: Redact },
): Promise<string> {
  if (cell === null) return 'NULL'
  if (cell === '') return "''"
  if (isNamed) return MASK
  if (typeof cell !== 'string') return shownCell(cell)
  // Distinguishes the text NULL from a missing value.
  if (/^(?:null|'')$/i.test(cell)) return `'${cell}'`
  if (!isSecret) return shownCell(cell)
  return textOfBytes(cell) !== cell && (await redact(textOfBytes(cell))).count > 0
    ? MASK
    : shownCell((await redact(cell)).text)
}

/** Redacts every text in a value before any of it is cut. */
export async function redactTexts<T>(value: T, redact: Redact): Promise<T> {
  if ((await redact(textsIn(value).join('\n\n'))).count === 0) return value
  const visit = async (part: unknown): Promise<unknown> => {
    if (typeof part === 'string') return (await redact(part)).text
    if (Array.isArray(part)) return Promise.all(part.map(visit))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      await Promise.all(Object.entries(part).map(async ([key, inner]) => [key, await visit(inner)] as const)),
    )
  }
  return (await visit(value)) as T
}
