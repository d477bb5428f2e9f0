export type Cell = string | number | bigint | boolean | null

export interface QueryLimits {
  readonly rows: number
  readonly bytes: number
  readonly milliseconds: number
  /** Maximum characters of one cell; a longer one is cut and marked. */
  readonly cell?: number
  /** Maximum bytes that a statement may read, for an engine that bills reads and can estimate them beforehand. */
  readonly scan?: number
}

const LONGEST_CELL = 1_000_000

export interface QueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
  /** True if the limits cut the result short. */
  readonly truncated: boolean
  readonly billedBytes?: number
}

/** Statement of the query history, if the engine keeps one. */
export interface PastQuery {
  readonly sql: string
  readonly times: number
  readonly lastSeen: string | undefined
}

export interface RowCollector {
  /** Returns false if the row no longer fits; reading then stops. */
  add(row: readonly Cell[]): boolean
  finish(columns: QueryResult['columns']): QueryResult
}

/** Keeps rows until the limits are reached. */
export function collectRows(limits: QueryLimits): RowCollector {
  const rows: (readonly Cell[])[] = []
  let bytes = 0
  let truncated = false
  return {
    add(row) {
      const cut = row.map((cell) => cutCell(cell, limits))
      bytes += cut.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      if (rows.length >= limits.rows || bytes > limits.bytes) truncated = true
      else rows.push(cut)
      return !truncated
    },
    finish: (columns) => ({ columns, rows, truncated }),
  }
}

const longest = (limits: Pick<QueryLimits, 'cell'>): number => limits.cell ?? LONGEST_CELL

/** Beginning of a text that is too long, with its length before it was first cut. */
export function cutCell(cell: Cell, limits: Pick<QueryLimits, 'cell'>, length?: number): Cell {
  if (typeof cell !== 'string' || (cell.length <= longest(limits) && length === undefined)) return cell
  const told = CUT.exec(cell.slice(-LONGEST_MARK))?.[1]
  if (told !== undefined && cell.length <= longest(limits) + LONGEST_MARK) return cell
  const whole = length?.toLocaleString('en-US') ?? told ?? cell.length.toLocaleString('en-US')
  return `${cell.slice(0, longest(limits))}… [cut: ${whole} characters]`
}

const CUT = /… \[cut: ([\d,]+) characters\]$/
const LONGEST_MARK = 40

/** Decodes UTF-8 without building text beyond the limit; if truncated, the length is in bytes. */
export function cellFromUtf8(
  bytes: Uint8Array & { toString(): string; subarray(from: number, to: number): { toString(): string } },
  limits: Pick<QueryLimits, 'cell'>,
): string {
  const most = longest(limits)
  return bytes.length <= most * 4
    ? bytes.toString()
    : String(cutCell(bytes.subarray(0, most * 4).toString(), limits, bytes.length))
}

/** Bytes in hexadecimal, without building text beyond the limit. */
export function cellFromBytes(bytes: Uint8Array, limits: Pick<QueryLimits, 'cell'> = {}): Cell {
  const most = longest(limits)
  const hex = (part: Uint8Array): string =>
    String.raw`\x` + [...part].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length * 2 + 2 <= most
    ? hex(bytes)
    : cutCell(hex(bytes.subarray(0, Math.ceil(most / 2))), limits, bytes.length * 2 + 2)
}

/**
 * Decodes bytes shown in hexadecimal to text; other text is unchanged. No redaction rule would find a secret in
 * hexadecimal.
 */
export function textOfBytes(cell: string): string {
  const hex = /^\\x((?:[0-9a-f]{2}){8,})/.exec(cell)?.[1]
  return hex === undefined ? cell : hex.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))
}

function sizeOf(cell: Cell): number {
  return typeof cell === 'string' ? cell.length : 8
}

// A double keeps any 15 decimal digits; longer numbers stay text.
const EXACT_DIGITS = 15

/** Number from decimal text if that is lossless, otherwise bigint or the text itself. */
export function cellFromDecimal(text: string): Cell {
  const digits = text.replaceAll(/^[+-]?0*|\./g, '')
  if (/^[+-]?\d*\.?\d+$/.test(text) && digits.length <= EXACT_DIGITS) return Number(text)
  return /^[+-]?\d+$/.test(text) ? cellFromInteger(BigInt(text)) : text
}

export function cellFromInteger(value: bigint): Cell {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

/** Lists, structs and other nested values as JSON text. */
export function cellFromNested(value: unknown): Cell {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? null
}

/** Any value from a driver: numbers, dates, wrappers with a `value`, bytes, nested values. */
export function cellFromUnknown(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return cellFromInteger(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return cellFromBytes(value)
  const { value: wrapped, toFixed } = value as { value?: unknown; toFixed?: unknown }
  if (typeof toFixed === 'function') return cellFromDecimal(String(value))
  return typeof wrapped === 'string' && Object.keys(value).length === 1 ? wrapped : cellFromNested(value)
}

/** Lets a query history distinguish sync queries from people's queries. */
export const SYNC_COMMENT = '/* ken */'

/** Inserts the comment after the first word, because engines and drivers classify a statement by that word. */
export const withSyncComment = (select: string): string => select.replace(/^SELECT\b/, `SELECT ${SYNC_COMMENT}`)

export const hasSyncComment = (select: string): boolean => select.startsWith(`SELECT ${SYNC_COMMENT}`)
