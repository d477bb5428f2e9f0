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
const TOKEN = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<![^>]*>|<\?[^>]*>|<\/([a-zA-Z][\w:.-]*)[^>]*>|<([a-zA-Z][\w:.-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*(\/?)>/g

/** HTML and XHTML as a tree. Never fails: what does not fit is left out, what was not closed is closed. */
export function parseMarkup(text: string): MarkupElement {
  const root: MarkupElement = { tag: '', attributes: {}, children: [] }
  const open: MarkupElement[] = [root]
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index < end) continue
    addText(open.at(-1)!, decode(text.slice(end, match.index)))
    end = match.index + match[0].length
    const [, cdata, closing, opening, attributes, selfClosed] = match
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
    if (selfClosed === '' && !VOID.has(tag)) open.push(element)
  }
  addText(open.at(-1)!, decode(text.slice(end)))
  return root
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
