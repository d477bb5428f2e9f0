export interface MarkupElement {
  /** Lower case, with its prefix: `ac:link`. */
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (MarkupElement | string)[]
}

const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'source', 'col', 'area', 'base', 'embed', 'track', 'wbr'])
const RAW = new Set(['script', 'style', 'noscript', 'template', 'svg'])
// An opening tag ends an open one of the same kind where people leave the end out.
const CLOSES: Readonly<Record<string, readonly string[]>> = { li: ['li'], p: ['p'], tr: ['tr', 'td', 'th'], td: ['td', 'th'], th: ['td', 'th'], dt: ['dt', 'dd'], dd: ['dt', 'dd'], option: ['option'] }
const TAG = /<\/([a-zA-Z][\w:.-]*)[^>]*>|<([a-zA-Z][\w:.-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*(\/?)>/y
// Whoever walks the tree does so by calling itself; what is nested deeper stands beside its parent.
const DEEPEST = 200

/** HTML and XHTML as a tree. Never fails: what does not fit is left out, what was not closed is closed. */
export function parseMarkup(text: string): MarkupElement {
  const root: MarkupElement = { tag: '', attributes: {}, children: [] }
  const open: MarkupElement[] = [root]
  let end = 0
  for (const token of tokensOf(text)) {
    if (token.from < end) continue
    addText(open.at(-1)!, decode(text.slice(end, token.from)))
    end = token.to
    const { cdata, closing, opening, attributes, selfClosed } = token
    if (cdata !== undefined) addText(open.at(-1)!, cdata)
    if (closing !== undefined) close(open, closing.toLowerCase())
    if (opening === undefined) continue
    const tag = opening.toLowerCase()
    if (RAW.has(tag) && selfClosed === '') {
      const after = new RegExp(`</${tag}\\s*>`, 'i').exec(text.slice(end))
      end = after === null ? text.length : end + after.index + after[0].length
      continue
    }
    closeImplied(open, tag)
    const element: MarkupElement = { tag, attributes: attributesOf(attributes ?? ''), children: [] }
    open.at(-1)!.children.push(element)
    if (selfClosed === '' && !VOID.has(tag) && open.length < DEEPEST) open.push(element)
  }
  addText(open.at(-1)!, decode(text.slice(end)))
  return root
}

interface Token {
  readonly from: number
  readonly to: number
  readonly cdata?: string
  readonly closing?: string | undefined
  readonly opening?: string | undefined
  readonly attributes?: string | undefined
  readonly selfClosed?: string | undefined
}

/** Comments, sections and tags in order. An end that is nowhere is looked for once, not once for each beginning. */
function* tokensOf(text: string): Generator<Token> {
  const missing = new Set<string>()
  const find = (wanted: string, from: number): number => {
    const at = missing.has(wanted) ? -1 : text.indexOf(wanted, from)
    if (at < 0) missing.add(wanted)
    return at
  }
  for (let at = text.indexOf('<'); at >= 0; ) {
    const token = tokenAt(text, at, find)
    if (token !== undefined) yield token
    if (missing.has('>')) return
    at = text.indexOf('<', token?.to ?? at + 1)
  }
}

function tokenAt(text: string, from: number, find: (wanted: string, from: number) => number): Token | undefined {
  if (text.startsWith('<!--', from)) {
    const end = find('-->', from + 4)
    if (end >= 0) return { from, to: end + 3 }
  }
  if (text.startsWith('<![CDATA[', from)) {
    const end = find(']]>', from + 9)
    if (end >= 0) return { from, to: end + 3, cdata: text.slice(from + 9, end) }
  }
  const end = find('>', from)
  if (end < 0) return undefined
  if (text[from + 1] === '!' || text[from + 1] === '?') return { from, to: end + 1 }
  TAG.lastIndex = from
  const [whole, closing, opening, attributes, selfClosed] = TAG.exec(text) ?? []
  return whole === undefined ? undefined : { from, to: from + whole.length, closing, opening, attributes, selfClosed }
}

function close(open: MarkupElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag)
  if (at > 0) open.length = at
}

function closeImplied(open: MarkupElement[], tag: string): void {
  const closes = CLOSES[tag]
  if (closes === undefined) return
  const fence = tag === 'li' ? /^(?:ul|ol)$/ : tag === 'p' ? /^(?:div|li|td|th|blockquote|section|article|body|ac:rich-text-body)?$/ : /^(?:table|dl|select)$/
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
  Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, double, single, bare]) => [name!.toLowerCase(), decode(double ?? single ?? bare ?? '')]))

const NAMED: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', copy: '©', reg: '®', trade: '™',
  euro: '€', pound: '£', yen: '¥', deg: '°', times: '×', middot: '·', bull: '•', rarr: '→', larr: '←', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç',
}

const decode = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
        const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined
        if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
        return NAMED[name!] ?? NAMED[name!.toLowerCase()] ?? whole
      })
    : text
