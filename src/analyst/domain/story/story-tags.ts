import { closesFence, fenceOpening } from '../../../kernel/domain/text/markdown-fences.ts'

export type TagName = 'chart' | 'table' | 'grid' | 'param'

/** A piece of a story: a run of Markdown, or a tag. */
export type StoryPiece = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'text' }
  | {
      readonly kind: 'tag'
      readonly name: TagName
      readonly form: 'open' | 'close' | 'whole'
      readonly attributes: ReadonlyMap<string, string>
    }
  /** A fenced statement, ```sql q_revenue. */
  | { readonly kind: 'statement'; readonly query: string; readonly database: string | undefined; readonly sql: string }
  /** Text that begins like a tag but is not one. */
  | { readonly kind: 'broken'; readonly message: string }
)

/** Cuts a story at its tags, which may be anywhere but in code; joined, the pieces equal the text. */
export function splitAtTags(text: string): readonly StoryPiece[] {
  const pieces: StoryPiece[] = []
  let [from, fromLine] = [0, 1]
  let [lineStart, line] = [0, 1]
  let fence: string | undefined
  const take = (end: number): void => {
    if (end > from) pieces.push({ kind: 'text', line: fromLine, text: text.slice(from, end) })
  }
  while (lineStart < text.length) {
    let lineEnd = text.indexOf('\n', lineStart)
    if (lineEnd < 0) lineEnd = text.length
    const content = text.slice(lineStart, lineEnd)
    const statement = fence === undefined ? readStatement(text, lineStart) : undefined
    if (statement !== undefined) {
      take(lineStart)
      const { end, piece } = statement
      const whole = text.slice(lineStart, end)
      pieces.push({ ...piece, line, text: whole })
      line += whole.split('\n').length - 1
      from = lineStart = end
      fromLine = line
      continue
    }
    const isCode = fence !== undefined || fenceOpening(content) !== undefined
    fence = fenceAfter(content, fence)
    let resume = lineEnd
    if (!isCode && content.includes('<')) {
      const code = codeSpans(content)
      for (const { index } of content.matchAll(TAG_START)) {
        const at = lineStart + index
        if (at < from || code.some(([start, end]) => index > start && index < end)) continue
        const tag = readTag(text, at)
        take(at)
        const { end, piece } = tag
        pieces.push({ ...piece, line, text: text.slice(at, end) })
        const broken = text.slice(at, end).split('\n').length - 1
        from = end
        fromLine = line + broken
        if (broken > 0) {
          // The rest of a tag's last line may contain another tag.
          line += broken
          resume = end - 1
          break
        }
      }
    }
    if (resume === lineEnd) line++
    lineStart = resume + 1
  }
  take(text.length)
  return pieces
}

const TAG_START = /<\/?(?:chart|table|grid|param)(?![\w-])/gi
// Longer than any tag that a person or a model would write; bounds the cost of an unclosed one.
const LONGEST_TAG = 2_000

function fenceAfter(line: string, fence: string | undefined): string | undefined {
  if (fence === undefined) return fenceOpening(line)?.mark
  return closesFence(line.trim(), fence) ? undefined : fence
}

/** Code in a line, as positions between backticks. */
function codeSpans(line: string): (readonly [number, number])[] {
  const ticks = [...line.matchAll(/`+/g)]
  const spans: [number, number][] = []
  for (let i = 0; i + 1 < ticks.length; i += 2) spans.push([ticks[i]!.index, ticks[i + 1]!.index])
  return spans.slice(0, MOST_SPANS)
}

// Maximum number of code spans in a line; in further spans, tags count as tags.
const MOST_SPANS = 50

const STATEMENT = /^sql[ \t]+(q_[0-9a-z]{1,40})(?:[ \t]+(\S{1,100}))?[ \t]*$/i

/** Reads a fenced block with the id of a query after `sql`, which is a statement of the story; else undefined. */
function readStatement(text: string, at: number): Found | undefined {
  if (text[at] !== '`' && text[at] !== '~') return undefined
  const [opening, begin] = lineFrom(text, at)
  const fence = fenceOpening(opening)
  const [, query, database] = STATEMENT.exec(fence?.info.trim() ?? '') ?? []
  if (query === undefined) return undefined
  for (let start = begin; start < text.length;) {
    const [line, next] = lineFrom(text, start)
    if (closesFence(line.trim(), fence!.mark))
      return { end: next, piece: { kind: 'statement', query, database, sql: text.slice(begin, start).trim() } }
    start = next
  }
  return { end: text.length, piece: { kind: 'broken', message: `the statement ${query} has no closing fence` } }
}

/** A line, and where the next one begins. */
function lineFrom(text: string, at: number): readonly [string, number] {
  const end = text.indexOf('\n', at)
  return end < 0 ? [text.slice(at), text.length] : [text.slice(at, end), end + 1]
}

type Found = { readonly end: number; readonly piece: Unplaced }
type Unplaced = StoryPiece extends infer P ? (P extends StoryPiece ? Omit<P, 'line' | 'text'> : never) : never

function readTag(text: string, at: number): Found {
  const isClose = text[at + 1] === '/'
  const name = /[a-z]+/i.exec(text.slice(at, at + 8))![0].toLowerCase() as TagName
  const attributes = new Map<string, string>()
  const most = Math.min(text.length, at + LONGEST_TAG)
  let place = at + (isClose ? 2 : 1) + name.length
  const broken = (message: string, end = place): Found => ({
    end: Math.max(end, at + 1),
    piece: { kind: 'broken', message: `<${isClose ? '/' : ''}${name}> ${message}` },
  })
  for (;;) {
    while (place < most && /\s/.test(text[place]!)) place++
    if (place >= most) return broken('is not closed by />', at + 1 + name.length)
    const form = isClose ? ('close' as const) : ('open' as const)
    if (text[place] === '>') return { end: place + 1, piece: { kind: 'tag', name, form, attributes } }
    if (text.startsWith('/>', place)) return { end: place + 2, piece: { kind: 'tag', name, form: 'whole', attributes } }
    ATTRIBUTE.lastIndex = place
    const found = ATTRIBUTE.exec(text)
    if (found === null || found.index !== place)
      return broken(`cannot be read at ${JSON.stringify(text.slice(place, place + 20))}; attributes are name="value"`)
    const [whole, key, double, single, bare] = found
    attributes.set(key!.toLowerCase(), unescaped(double ?? single ?? bare ?? ''))
    place += whole.length
  }
}

// Bounded, so that an unclosed quote is searched for within one tag's length only.
const ATTRIBUTE =
  /([a-z][\w-]{0,40})(?:\s{0,20}=\s{0,20}(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|\{?([\w.,%+-]{1,200})\}?))?/iy

const unescaped = (value: string): string =>
  value.replaceAll(/&(quot|apos|lt|gt|amp|#39);/g, (_, name: string) => NAMED[name] ?? '')

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', '#39': "'" }
