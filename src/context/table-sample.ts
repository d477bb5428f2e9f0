import { shownCell } from '../core/sources/table-view.ts'
import { MASK } from '../core/sql/mask-answer.ts'
import { textOfBytes } from '../core/sql/query.ts'
import { isSecretName } from '../core/sql/secret-columns.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { Cell, TableDetails, Warehouse } from '../ports/warehouse.ts'

export type Redact = Redactor['redact']

export interface Sample {
  /**
   * The rows it was told from, as the engine gave them, one cell for each column that was asked for. What is told of
   * their values minds `withheld`.
   */
  readonly rows: readonly (readonly Cell[])[]
  readonly preview: Readonly<Record<string, unknown>>
  /** Columns with a value that the redactor knows. */
  readonly secret: readonly string[]
  /** Columns of which no document may show a value: what their name or their values say is nobody else's business. */
  readonly withheld: ReadonlySet<string>
  /** Values of the preview that are masked or hold a mask. */
  readonly redacted: number
}

const PREVIEW_ROWS = 10
// Enough to find what a column holds without a second query; of a long value a private key's length is looked at.
const SAMPLE_ROWS = 200
const LIMITS = { rows: SAMPLE_ROWS, bytes: 4_000_000, milliseconds: 30_000, cell: 20_000 }

/** The first rows, each value redacted whole and only then cut, and which columns hold secrets. */
export async function readSample(
  table: TableDetails,
  columns: readonly string[],
  { warehouse, redact }: { readonly warehouse: Warehouse; readonly redact: Redact },
): Promise<Sample> {
  if (columns.length === 0)
    return { rows: [], preview: { columns, rows: [], all: true }, secret: [], withheld: new Set(), redacted: 0 }
  const from = `${warehouse.quote(table.schema)}.${warehouse.quote(table.name)}`
  const { rows, truncated } = await warehouse.query(
    warehouse.dialect.spelling.firstRows(
      `SELECT ${columns.map((name) => warehouse.quote(name)).join(', ')} FROM ${from}`,
      SAMPLE_ROWS,
    ),
    LIMITS,
  )
  const secret = await secretOf(columns, rows, redact)
  const shown = await Promise.all(
    rows
      .slice(0, PREVIEW_ROWS)
      .map((row) =>
        Promise.all(
          row.map((cell, i) =>
            shownValue(cell, { isNamed: isSecretName(columns[i]!), isSecret: secret.includes(columns[i]!), redact }),
          ),
        ),
      ),
  )
  return {
    rows,
    preview: { columns, rows: shown, all: rows.length <= PREVIEW_ROWS && !truncated },
    secret,
    withheld: new Set([...secret, ...columns.filter(isSecretName)]),
    redacted: shown.flat().filter((text) => text.includes(MASK)).length,
  }
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
  if (typeof cell !== 'string' || cell === '') return shownCell(cell)
  if (isNamed) return MASK
  if (!isSecret) return shownCell(cell)
  return textOfBytes(cell) !== cell && (await redact(textOfBytes(cell))).count > 0
    ? MASK
    : shownCell((await redact(cell)).text)
}

/** The same value with every text in it redacted, before anything of it is cut. */
export async function redactTexts<T>(value: T, redact: Redact): Promise<T> {
  if (
    (await redact(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))))
      .count === 0
  )
    return value
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
