/** A place in an answer that names the cell of its number. */
export interface CitedPlace {
  /** Start and end offset of the whole citation in the text. */
  readonly from: number
  readonly to: number
  /** The shown text, and its start offset. */
  readonly label: string
  readonly labelAt: number
  readonly query: string
  readonly column: string | undefined
  /** 1-based row, as written. */
  readonly row: number | undefined
}

// A link with a target that begins with a query id; column names may contain brackets: count(*).
const LINK = /\[([^[\]\n]{1,200})\]\(<?(q_[0-9a-f]{12})((?:[^()\n<>]|\([^()\n]{0,100}\)){0,200})>?\)/g
const TAG = /<citation-number\s([^<>\n]{1,400})>([^<>\n]{1,200})<\/citation-number>/gi
const ATTRIBUTE = /([a-z_]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi

/**
 * Finds citations: `[1,234](q_0123456789ab.column.row)`, and the `<citation-number id="…" column="…">` of other tools.
 */
export function readCitations(text: string): readonly CitedPlace[] {
  const links = [...text.matchAll(LINK)].map((match): CitedPlace => ({
    from: match.index,
    to: match.index + match[0].length,
    label: match[1]!,
    labelAt: match.index + 1,
    query: match[2]!,
    ...targetOf(match[3]!),
  }))
  const tags = [...text.matchAll(TAG)].flatMap((match): CitedPlace[] => {
    const given = new Map(
      [...match[1]!.matchAll(ATTRIBUTE)].map(([, name, a, b]) => [name!.toLowerCase(), a ?? b ?? '']),
    )
    const query = given.get('id') ?? given.get('query_id') ?? given.get('query')
    if (query === undefined) return []
    const row = Number(given.get('row') ?? Number.NaN)
    return [
      {
        from: match.index,
        to: match.index + match[0].length,
        label: match[2]!,
        labelAt: match.index + match[0].indexOf('>') + 1,
        query,
        column: given.get('column'),
        row: Number.isInteger(row) ? row : undefined,
      },
    ]
  })
  let end = 0
  return [...links, ...tags]
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from, to }) => {
      // Citations may be nested; the outer one counts.
      const isFree = from >= end
      if (isFree) end = to
      return isFree
    })
}

/** Replaces each citation in a text with its number. */
export function withoutCitations(text: string): string {
  let from = 0
  const parts = readCitations(text).map((place) => {
    const part = text.slice(from, place.from) + place.label
    from = place.to
    return part
  })
  return parts.join('') + text.slice(from)
}

/** Writes every citation as a link, the only form in a story. */
export function linkedCitations(text: string): string {
  let from = 0
  const parts = readCitations(text).map(({ from: start, to, label, query, column, row }) => {
    const target = [query, column === undefined ? undefined : encodeURIComponent(column), row].filter(
      (part) => part !== undefined,
    )
    const part =
      text.slice(from, start) + (text[start] === '[' ? text.slice(start, to) : `[${label}](${target.join('.')})`)
    from = to
    return part
  })
  return parts.join('') + text.slice(from)
}

/** The end of the text that may become a citation once more text arrives. */
export const openCitation = (text: string): string => OPEN.exec(text)?.[0] ?? ''

const OPEN =
  /(?:\[[^[\]\n]{0,200}(?:\](?:\((?:<?(?:q(?:_[^\n<>]{0,250})?)?)?)?)?|<citation-number[^\n<>]{0,400}(?:>[^\n<>]{0,200}(?:<[a-z/-]{0,20})?)?)$/

/** Parses `.column`, `.column.3`, `.column[3]`, `.column#3`. */
function targetOf(written: string): Pick<CitedPlace, 'column' | 'row'> {
  const bare = written.replace(/^[.#/:]/, '').trim()
  const [, name = '', row] = /^(.*?)(?:(?:[.#:]|\.?row[ =_]?|\.?\[)(\d{1,7})\]?)?$/i.exec(bare) ?? []
  return { column: name === '' ? undefined : decoded(name), row: row === undefined ? undefined : Number(row) }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
