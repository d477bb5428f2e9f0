const WITHHELD = '…'

export interface Asked {
  readonly sql: string
  /** Names that the caller may know: tables and columns of the context. */
  readonly names: readonly string[]
}

/**
 * Removes row values from an engine's error message: engines quote the offending value. Keeps words of the statement,
 * names of the context, and the engine's plain words.
 */
export function withoutValues(message: string, { sql, names }: Asked): string {
  const known = new Set([...wordsOf(sql), ...names.flatMap(wordsOf), ...wordsOf(TYPES)])
  const [first = '', ...rest] = message.split('\n')
  const written = rest.filter(
    (line) =>
      /^\s*\^?\s*$/.test(line) ||
      (/^LINE \d+: /.test(line) && wordsOf(line.replace(/^LINE \d+: /, '')).every((word) => known.has(word))),
  )
  return [tell(first, known), ...written].join('\n').trim()
}

const QUOTED = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?/g
const TYPES =
  'int int1 int2 int4 int8 int16 int32 int64 int128 integer bigint smallint tinyint uint8 uint16 uint32 uint64 hugeint float float4 float8 float64 double decimal numeric real varchar nvarchar char text string bool boolean date time timestamp timestamptz interval json jsonb blob uuid utf8 unicode base64'

function tell(line: string, known: ReadonlySet<string>): string {
  const kept = line.replaceAll(QUOTED, (quoted) =>
    wordsOf(quoted).every((word) => known.has(word)) ? quoted : `${quoted[0]}${WITHHELD}${quoted[0]}`,
  )
  return kept.replaceAll(/[^\s'"`]+/g, (run) =>
    wordsOf(run).every((word) => known.has(word) || isPlainWord(word)) ? run : WITHHELD,
  )
}

/** Letters only, and too few to be a key. */
const isPlainWord = (word: string): boolean => /^[a-z]{1,16}$/.test(word)

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
