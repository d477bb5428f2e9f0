const TOKEN = /\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|[^\s]/uy

/** Tokens of a statement without comments or escapes, which engines end differently. */
export function plainTokens(sql: string): readonly string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(sql); match !== null; match = TOKEN.exec(sql))
    if (match[0].trim() !== '') tokens.push(match[0])
  return tokens
}

/**
 * The items of every SELECT of a statement, the outermost first; undefined if rows are not from
 * SELECT … FROM, or if the text is ambiguous.
 */
export function selectLists(sql: string): readonly (readonly (readonly string[])[])[] | undefined {
  if (/--|\/\*|[#\\$]|\bu&|\b(?:un)?pivot\b|\bvalues\b/i.test(sql)) return undefined
  const tokens = plainTokens(sql)
  const lists: { readonly depth: number; readonly items: string[][] }[] = []
  const open: Frame[] = [newFrame(0)]
  for (const [at, token] of tokens.entries()) {
    const word = token.toLowerCase()
    if (token === '(') open.push(newFrame(open.length))
    const frame = open.at(-1)!
    if (word === 'table' && isFirst(tokens, at)) return undefined
    if (word === 'from' && frame.items === undefined && !frame.isDone && (isFirst(tokens, at) || frame.depth === 0))
      return undefined
    if (word === 'select') {
      Object.assign(frame, { items: [[]], isDone: false })
      lists.push({ depth: frame.depth, items: frame.items! })
      continue
    }
    if (frame.items !== undefined && ENDS_A_LIST.has(word) && tokens[at - 1]?.toLowerCase() !== 'distinct')
      Object.assign(frame, { items: undefined, isDone: true })
    if (word === 'union' || word === 'except' || word === 'intersect') frame.isDone = false
    for (const { items } of open) {
      if (items === undefined) continue
      if (token === ',' && items === frame.items) items.push([])
      else items.at(-1)!.push(token)
    }
    if (token === ')') {
      if (open.length === 1) return undefined
      open.pop()
    }
  }
  return lists.length === 0 ? undefined : lists.toSorted((one, other) => one.depth - other.depth).map(itemsOf)
}

interface Frame {
  readonly depth: number
  /** Items of the current SELECT list. */
  items: string[][] | undefined
  /** Whether a list is complete, so that the next FROM belongs to it. */
  isDone: boolean
}

const newFrame = (depth: number): Frame => ({ depth, items: undefined, isDone: false })

const ENDS_A_LIST: ReadonlySet<string> = new Set([
  'from',
  'where',
  'group',
  'order',
  'limit',
  'union',
  'except',
  'intersect',
])

/** Whether a word begins a query: a statement, a query in brackets, or a branch. */
const isFirst = (tokens: readonly string[], at: number): boolean =>
  at === 0 || ['(', 'union', 'all', 'except', 'intersect', 'as'].includes(tokens[at - 1]!.toLowerCase())

/** Items without the words that may precede the first. */
function itemsOf({ items }: { readonly items: readonly (readonly string[])[] }): readonly (readonly string[])[] {
  const [first = [], ...others] = items
  return [/^(?:all|distinct)$/i.test(first[0] ?? '') ? first.slice(1) : first, ...others]
}
