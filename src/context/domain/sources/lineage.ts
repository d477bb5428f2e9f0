/** A task, asset or job that writes or reads a table, and when. */
export interface LineageFact {
  readonly table: string
  readonly by: string
  readonly schedule: string | undefined
  readonly writes: boolean
}

/** One line per written table: agents look up the origin of a table first. */
export function writtenByPage(title: string, facts: readonly LineageFact[]): string | undefined {
  const tables = Map.groupBy(facts, ({ table }) => table)
  const lines = [...tables]
    .filter(([, found]) => found.some(({ writes }) => writes))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([table, found]) => {
      const writers = found
        .filter(({ writes }) => writes)
        .map(({ by, schedule }) => (schedule === undefined ? by : `${by} (${schedule})`))
      const readers = found.filter(({ writes }) => !writes).map(({ by }) => by)
      return `- ${table} ← ${unique(writers)}${readers.length === 0 ? '' : `; read by ${unique(readers)}`}`
    })
  return lines.length === 0 ? undefined : `# ${title}: what writes a table\n\n${lines.join('\n')}\n`
}

const unique = (names: readonly string[]): string => [...new Set(names)].toSorted().join(', ')
