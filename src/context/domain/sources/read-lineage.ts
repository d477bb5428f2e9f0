/** Lineage of a table as stated on a compiled page. */
interface Lineage {
  readonly made_from: readonly string[]
  readonly used_by: readonly string[]
}

/** Reads the page of a dbt model or source. */
export function dbtLineage(page: string): Lineage {
  const at = page.indexOf('\n## Lineage\n')
  const part =
    at < 0 ? '' : page.slice(at, page.indexOf('\n## ', at + 5) < 0 ? undefined : page.indexOf('\n## ', at + 5))
  return { made_from: named(part, 'Made from: '), used_by: named(part, 'Used by: ') }
}

/** Reads a line `- table ← writers; read by readers`, as schedulers write it. */
export function writtenByLine(line: string): Lineage | undefined {
  const at = line.indexOf(' ← ')
  if (!line.startsWith('- ') || at < 0) return undefined
  const [writers = '', readers = ''] = line.slice(at + 3).split('; read by ')
  return { made_from: names(writers), used_by: names(readers) }
}

const named = (text: string, start: string): readonly string[] =>
  names(
    text
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length) ?? '',
  )

const names = (text: string): readonly string[] => text.split(', ').filter((name) => name !== '')
