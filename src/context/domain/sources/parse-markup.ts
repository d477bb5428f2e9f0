export interface MarkupElement {
  /** Lower case, with prefix: `ac:link`. */
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (MarkupElement | string)[]
}

const VOID = new Set([
  'br',
  'hr',
  'img',
  'input',
  'meta',
  'link',
  'source',
  'col',
  'area',
  'base',
  'embed',
  'track',
  'wbr',
])
const RAW = new Set(['script', 'style', 'noscript', 'template', 'svg'])
// An opening tag closes an open one of the same kind, because end tags are often omitted.
const CLOSES: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  p: ['p'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
}
// Deeper than any page that people write; deeper elements are flattened to this level, so that the stack cannot
// overflow.
const DEEPEST = 50
// Longer than any page that people read; longer pages are truncated.
const MOST_ELEMENTS = 200_000

/**
 * Parses HTML and XHTML into a tree. Never fails: ignores misplaced tags and closes open elements. Scans no text twice.
 */
export function parseMarkup(text: string): MarkupElement {
  const root: MarkupElement = { tag: '', attributes: {}, children: [] }
  const open: MarkupElement[] = [root]
  let end = 0
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', Math.max(at + 1, end))) {
    const token = tokenAt(text, at)
    if (token === undefined) continue
    addText(open.at(-1)!, decode(text.slice(end, at)))
    end = token.end
    if (token.cdata !== undefined) addText(open.at(-1)!, token.cdata)
    if (token.closing !== undefined) close(open, token.closing)
    if (token.opening === undefined) continue
    const { tag, attributes, isEmpty } = token.opening
    if (RAW.has(tag) && !isEmpty) {
      end = endOfRaw(text, end, tag)
      continue
    }
    if (count++ >= MOST_ELEMENTS) return root
    closeImplied(open, tag)
    const element: MarkupElement = { tag, attributes: attributesOf(attributes), children: [] }
    open.at(-1)!.children.push(element)
    if (!isEmpty && !VOID.has(tag) && open.length < DEEPEST) open.push(element)
  }
  addText(open.at(-1)!, decode(text.slice(end)))
  return root
}

interface Token {
  readonly end: number
  readonly cdata?: string
  readonly closing?: string
  readonly opening?: { readonly tag: string; readonly attributes: string; readonly isEmpty: boolean }
}

/** Token that starts with the `<` at this offset; undefined if it is plain text. */
function tokenAt(text: string, at: number): Token | undefined {
  const after = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from)
    return found < 0 ? text.length : found + mark.length
  }
  if (text.startsWith('<!--', at)) return { end: after('-->', at + 4) }
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(']]>', at + 9)
    return { end, cdata: text.slice(at + 9, text.startsWith(']]>', end - 3) ? end - 3 : end) }
  }
  if (text[at + 1] === '!' || text[at + 1] === '?') return { end: after('>', at + 2) }
  const isClosing = text[at + 1] === '/'
  const name = take(/[a-zA-Z][\w:.-]*/y, text, at + (isClosing ? 2 : 1))
  if (name === '') return undefined
  if (isClosing) return { end: after('>', at + 2 + name.length), closing: name.toLowerCase() }
  return openingAt(text, at + 1 + name.length, name.toLowerCase())
}

function openingAt(text: string, from: number, tag: string): Token | undefined {
  let at = from
  for (
    let attribute = take(/\s+[^\s"'<>/=]+/y, text, at);
    attribute !== '';
    attribute = take(/\s+[^\s"'<>/=]+/y, text, at)
  ) {
    at += attribute.length
    const equals = take(/\s*=\s*/y, text, at)
    if (equals === '') continue
    at += equals.length
    const quote = text[at]
    const close = quote === '"' || quote === "'" ? text.indexOf(quote, at + 1) : undefined
    const bare = close === undefined ? take(/[^\s"'<>]+/y, text, at) : ''
    if (close === undefined ? bare === '' : close < 0) return undefined
    at = close === undefined ? at + bare.length : close + 1
  }
  const ending = take(/\s*\/?>/y, text, at)
  return ending === ''
    ? undefined
    : { end: at + ending.length, opening: { tag, attributes: text.slice(from, at), isEmpty: ending.includes('/') } }
}

function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function endOfRaw(text: string, from: number, tag: string): number {
  const pattern = new RegExp(`</${tag}\\s*>`, 'gi')
  pattern.lastIndex = from
  const after = pattern.exec(text)
  return after === null ? text.length : after.index + after[0].length
}

function close(open: MarkupElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag)
  if (at > 0) open.length = at
}

function closeImplied(open: MarkupElement[], tag: string): void {
  const closes = CLOSES[tag]
  if (closes === undefined) return
  const fence =
    tag === 'li'
      ? /^(?:ul|ol)$/
      : tag === 'p'
        ? /^(?:div|li|td|th|blockquote|section|article|body|ac:rich-text-body)?$/
        : /^(?:table|dl|select)$/
  for (let i = open.length - 1; i > 0 && !fence.test(open[i]!.tag); i--) {
    if (closes.includes(open[i]!.tag)) {
      open.length = i
      if (tag !== 'tr') return
    }
  }
}

const addText = (element: MarkupElement, text: string): void => void (text !== '' && element.children.push(text))

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g

const attributesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, double, single, bare]) => [
      name!.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  )

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  pound: '£',
  yen: '¥',
  deg: '°',
  times: '×',
  middot: '·',
  bull: '•',
  rarr: '→',
  larr: '←',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
}

const decode = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
        (whole, decimal?: string, hex?: string, name?: string) => {
          const code =
            decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined
          if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
          return NAMED[name!] ?? NAMED[name!.toLowerCase()] ?? whole
        },
      )
    : text
