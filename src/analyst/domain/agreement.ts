/** A statement for a question, with its rows or the reason why it has none. */
export interface TriedStatement {
  readonly sql: string
  readonly rows?: readonly (readonly (string | number | boolean | null)[])[]
  readonly problem?: string
}

export interface Agreement {
  /** Statements with the same rows as the first of them; if there is only one, there is no majority. */
  readonly majority: readonly TriedStatement[]
  readonly others: readonly TriedStatement[]
}

/** Groups statements by their rows, in any order, and returns the group with more than half of them. */
export function agreementOf(tried: readonly TriedStatement[]): Agreement {
  const groups = Map.groupBy(
    tried.filter(({ rows }) => rows !== undefined),
    ({ rows }) => JSON.stringify(rows!.map((row) => JSON.stringify(row.map(compared))).toSorted()),
  )
  const [most = []] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const majority = most.length * 2 > tried.length ? most : []
  return { majority, others: tried.filter((one) => !majority.includes(one)) }
}

/** Rounds, because engines and orders of addition differ in the last digits. */
const compared = (cell: string | number | boolean | null): string | number | boolean | null =>
  typeof cell === 'string' && /^-?\d+(?:\.\d+)?$/.test(cell)
    ? Number(cell).toPrecision(10)
    : typeof cell === 'number'
      ? cell.toPrecision(10)
      : cell

/** One line for the user. */
export function agreementLine({ majority, others }: Agreement): string {
  const all = majority.length + others.length
  if (others.length === 0) return `${all} of ${all} statements give the same rows.`
  const beside = others.map(outcome).join('; ')
  return majority.length === 0
    ? `The ${all} statements disagree: ${beside}.`
    : `${majority.length} of ${all} statements give the same rows. They disagree with: ${beside}.`
}

/** Instructions for the model, and the statements with their results as data. */
export function agreementTask({ majority, others }: Agreement): { readonly task: string; readonly facts: string } {
  const [first] = majority
  const count = majority.length + others.length
  const block = ({ sql }: TriedStatement): string => `\`\`\`sql\n${sql}\n\`\`\``
  const shown = others.map((one) => `${block(one)}\n${outcome(one)}`)
  const task =
    first === undefined
      ? `${count} statements were written apart for this question, and their results disagree. Say so in your answer, and how they differ.`
      : `${count} statements were written apart for this question; ${majority.length} give the same rows. Run the first and answer with its result.${others.length > 0 ? ' Say that the other disagrees.' : ''}`
  return { task, facts: [...(first === undefined ? [] : [block(first)]), ...shown].join('\n\n') }
}

const SHOWN = 60

function outcome({ rows, problem }: TriedStatement): string {
  if (rows === undefined) return problem ?? 'it does not run'
  const [row] = rows
  if (row === undefined) return 'no rows'
  const cells = row.map(String).join(', ')
  const first = cells.length > SHOWN ? `${cells.slice(0, SHOWN)}…` : cells
  return rows.length === 1 ? `one row (${first})` : `${rows.length} rows (first: ${first})`
}
