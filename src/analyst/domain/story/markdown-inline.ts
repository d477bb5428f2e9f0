import type { Inline } from './story-blocks.ts'

/**
 * Emphasis, code, links, images, cited numbers and line breaks of one paragraph, in one pass. An unclosed mark is text.
 */
export function readInline(text: string): readonly Inline[] {
  const pass: Pass = { text, at: 0, open: [{ mark: '', inside: [] }], plain: '', noTicks: new Set() }
  while (pass.at < text.length) {
    const step = STEPS[text[pass.at]!]
    if (step === undefined || !step(pass)) pass.plain += text[pass.at++]
  }
  while (pass.open.length > 1) giveUp(pass)
  settle(pass)
  return pass.open[0]!.inside
}

interface Pass {
  readonly text: string
  at: number
  /** Open marks, outermost first, each with its content so far. */
  readonly open: { readonly mark: string; readonly inside: Inline[] }[]
  plain: string
  /** Lengths of backtick runs that do not occur again. */
  readonly noTicks: Set<number>
}

/** Returns true if it consumed the text at the current place. */
type Step = (pass: Pass) => boolean

// Deeper nesting is plain text; drawing recurses once per level.
const DEEPEST = 12
const LONGEST_HREF = 2_000
const MOST_TICKS = 8

const STEPS: Readonly<Record<string, Step>> = {
  '\\': escaped,
  '`': code,
  '*': emphasis,
  _: emphasis,
  '~': emphasis,
  '!': image,
  '[': openBracket,
  ']': closeBracket,
  '<': angleLink,
  h: bareLink,
  '\n': lineBreak,
}

function settle(pass: Pass): void {
  if (pass.plain !== '') pass.open.at(-1)!.inside.push({ kind: 'text', text: pass.plain })
  pass.plain = ''
}

/** Turns the innermost open mark into text. */
function giveUp(pass: Pass): void {
  settle(pass)
  const { mark, inside } = pass.open.pop()!
  pass.open.at(-1)!.inside.push({ kind: 'text', text: mark }, ...inside)
}

function add(pass: Pass, one: Inline, length: number): true {
  settle(pass)
  pass.open.at(-1)!.inside.push(one)
  pass.at += length
  return true
}

function escaped(pass: Pass): boolean {
  const next = pass.text[pass.at + 1]
  if (next === '\n') return add(pass, { kind: 'break' }, 2)
  if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return false
  pass.plain += next
  pass.at += 2
  return true
}

function code(pass: Pass): boolean {
  const { text, at, noTicks } = pass
  const length = runAt(text, at)
  const literal = (): true => {
    pass.plain += text.slice(at, at + length)
    pass.at += length
    return true
  }
  if (length > MOST_TICKS || noTicks.has(length)) return literal()
  for (let end = text.indexOf('`', at + length); end >= 0;) {
    const run = runAt(text, end)
    if (run === length) {
      const inside = text.slice(at + length, end).replaceAll('\n', ' ')
      const isPadded = /^ .*\S.* $/.test(inside)
      return add(pass, { kind: 'code', text: isPadded ? inside.slice(1, -1) : inside }, end + length - at)
    }
    end = text.indexOf('`', end + run)
  }
  noTicks.add(length)
  return literal()
}

function runAt(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end++
  return end - at
}

function emphasis(pass: Pass): boolean {
  const { text, at } = pass
  const character = text[at]!
  // `**a *b***` closes the inner emphasis first.
  const endsInner = pass.open.at(-1)!.mark === character && text.startsWith(character.repeat(3), at)
  const isDouble = text[at + 1] === character && !endsInner
  if (character === '~' && !isDouble) return false
  const mark = isDouble ? character + character : character
  const [before, after] = [text[at - 1] ?? ' ', text[at + mark.length] ?? ' ']
  const isWord = (one: string): boolean => /[\p{L}\p{N}]/u.test(one)
  // snake_case is not emphasis.
  if (character === '_' && isWord(before) && isWord(after)) return false
  const place = pass.open.findLastIndex((one) => one.mark === mark)
  if (place > 0 && !/\s/.test(before) && isOwn(pass, place)) {
    while (pass.open.length > place + 1) giveUp(pass)
    settle(pass)
    const { inside } = pass.open.pop()!
    const kind = character === '~' ? 'struck' : isDouble ? 'strong' : 'emphasis'
    pass.open.at(-1)!.inside.push({ kind, inside })
    pass.at += mark.length
    return true
  }
  if (/\s/.test(after) || pass.open.length > DEEPEST) return false
  settle(pass)
  pass.open.push({ mark, inside: [] })
  pass.at += mark.length
  return true
}

/** Emphasis does not end inside a bracket that opened after it. */
const isOwn = (pass: Pass, place: number): boolean => !pass.open.slice(place).some(({ mark }) => mark === '[')

function openBracket(pass: Pass): boolean {
  if (pass.open.length > DEEPEST) return false
  settle(pass)
  pass.open.push({ mark: '[', inside: [] })
  pass.at++
  return true
}

function closeBracket(pass: Pass): boolean {
  const place = pass.open.findLastIndex((one) => one.mark === '[')
  if (place <= 0) return false
  const target = pass.text[pass.at + 1] === '(' ? targetAt(pass.text, pass.at + 2) : undefined
  while (pass.open.length > place + 1) giveUp(pass)
  if (target === undefined) {
    giveUp(pass)
    return false
  }
  settle(pass)
  const { inside } = pass.open.pop()!
  const link = linkTo(target.href, inside)
  // A forbidden link target is shown instead of hidden.
  if (link === undefined) pass.open.at(-1)!.inside.push(...inside, { kind: 'text', text: ` (${target.href})` })
  else pass.open.at(-1)!.inside.push(link)
  pass.at = target.end
  return true
}

/** Matches `q_0123456789ab.revenue`, or with a row: `q_0123456789ab.revenue[2]`. */
const FIGURE = /^q_[0-9a-z]{1,40}\.\S+$/i
const ALLOWED = /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i

function linkTo(href: string, inside: readonly Inline[]): Inline | undefined {
  if (FIGURE.test(href)) return { kind: 'figure', place: href, inside }
  return ALLOWED.test(href) ? { kind: 'link', href, inside } : undefined
}

/** The content of a link's parentheses, and their end; a title in quotes is skipped. */
function targetAt(text: string, at: number): { href: string; end: number } | undefined {
  const most = Math.min(text.length, at + LONGEST_HREF)
  let depth = 0
  for (let end = at; end < most; end++) {
    const character = text[end]!
    if (character === '\n') return undefined
    if (character === '(') depth++
    if (character !== ')' || depth-- > 0) continue
    const inside = text.slice(at, end).trim()
    const href = inside.startsWith('<') ? inside.slice(1).split('>')[0]! : inside.split(/\s+["'(]/)[0]!
    return { href: href.trim(), end: end + 1 }
  }
  return undefined
}

/** Reads `![alt](address)`. The address is kept for display, never fetched. */
function image(pass: Pass): boolean {
  if (pass.text[pass.at + 1] !== '[') return false
  const end = pass.text.slice(pass.at + 2, pass.at + 2 + LONGEST_HREF).indexOf('](')
  if (end < 0) return false
  const target = targetAt(pass.text, pass.at + 2 + end + 2)
  if (target === undefined) return false
  const alt = pass.text.slice(pass.at + 2, pass.at + 2 + end)
  return add(pass, { kind: 'image', href: target.href, alt }, target.end - pass.at)
}

function angleLink(pass: Pass): boolean {
  const found = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,1000})>/i.exec(pass.text.slice(pass.at, pass.at + 1_010))
  if (found === null) return false
  const link = linkTo(found[1]!, [{ kind: 'text', text: found[1]! }])
  return link === undefined ? false : add(pass, link, found[0].length)
}

function bareLink(pass: Pass): boolean {
  const { text, at } = pass
  if (!text.startsWith('http', at) || /[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) return false
  const found = /^https?:\/\/[^\s<>"'`|)\]*]{2,1000}/i.exec(text.slice(at, at + 1_010))?.[0]
  if (found === undefined || pass.open.some(({ mark }) => mark === '[')) return false
  const href = found.slice(0, found.length - (/[.,;:!?]+$/.exec(found)?.[0].length ?? 0))
  return add(pass, { kind: 'link', href, inside: [{ kind: 'text', text: href }] }, href.length)
}

function lineBreak(pass: Pass): boolean {
  const isHard = pass.plain.endsWith('  ')
  // Flushes the text read so far: a text that grows line by line must not be rescanned from its start each time.
  pass.plain = pass.plain.trimEnd()
  settle(pass)
  if (isHard) return add(pass, { kind: 'break' }, 1)
  pass.plain = ' '
  pass.at++
  return true
}
