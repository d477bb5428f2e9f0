import { codePoints, head, strip } from '../../../kernel/domain/text.ts'
import { outerItems, plainText, splitBlocks } from '../../../kernel/domain/text/markdown.ts'
import { tableCells } from '../../../kernel/domain/text/table-lines.ts'
import { LIMITS } from '../decision/screening.ts'
import { plainSentences } from './adr-choice.ts'

/** An option listed in an ADR. */
export interface Option {
  readonly name: string
  /** Names that refer to the option; the first is its full name. */
  readonly keys: readonly string[]
  readonly argument: string
  /** Outcome stated in the option's own entry. */
  readonly mark: 'chosen' | 'rejected' | undefined
  /** True if its argument sounds as if it was chosen; used only if nothing else names the choice. */
  readonly soundsChosen: boolean
}

// A longer list is not a list of options; each option is compared with every other.
const MOST_OPTIONS = 100
const LONGEST_NAME = 1_000

/**
 * The options of a section, or none if there are too many: its sub-headings, otherwise the rows of a table, otherwise
 * its outermost list items.
 */
export function readList(text: string, only?: 'headings'): { options: Option[]; rest: string } {
  const { lead, blocks } = splitBlocks(text)
  const isFew = ({ length }: readonly unknown[]): boolean => length <= MOST_OPTIONS
  const none = { options: [], rest: text }
  if (blocks.length > 0)
    return isFew(blocks)
      ? { options: blocks.map((b, i) => toOption(b.heading, b.text, i, blocks.length)), rest: lead }
      : none
  if (only === 'headings') return none
  const rows = tableRows(text)
  if (rows.length > 1 && isFew(rows))
    return {
      options: rows.map(({ name, argument }, i) => toOption(name, argument, i, rows.length)),
      rest: strip(text.replace(/^\s*\|.*$/gm, '')),
    }
  const { items, rest } = outerItems(text)
  if (!isFew(items)) return none
  const own = items.filter(({ text: item }) => !isNoOption(item))
  const names = own.map((item) => nameAndArgument(item.text)[0] ?? item.text)
  // "React - Next.js" and "React - Gatsby" differ only after the dash.
  const isShared = new Set(names).size < names.length
  return { options: own.map((item, i) => itemOption(item, { at: i, count: own.length, isShared })), rest }
}

/** True for an empty item, the head of a group, or a link to another record. */
const isNoOption = (text: string): boolean =>
  /^\W*(?:n\/?a|none|tbd|todo)?\W*$|:\s*$|^\S*\b(?:adr|rfc)[-_ ]?\d+\S*$|^https?:\S+$/i.test(plainText(text))

/** The name is undefined if the item has no argument. */
function nameAndArgument(text: string): readonly [name: string | undefined, argument: string] {
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[.,:–—-]*\s*(.*)$/.exec(text)
  const [, name, argument = ''] = bold ?? /^(.{2,60}?)(?::\s+|\s+[–—]\s+|\s-\s+)(\S.*)$/.exec(text) ?? []
  const isInCode = (name?.split('`').length ?? 1) % 2 === 0
  return isInCode ? [undefined, ''] : [name, argument]
}

function itemOption(
  { text, detail }: { text: string; detail: string },
  { at, count, isShared }: { at: number; count: number; isShared: boolean },
): Option {
  const [name, argument] = nameAndArgument(text)
  const isLabel =
    name === undefined || isShared || /^\W*(?:(?:option|alternative)\s+)?\w{1,2}\W*$/i.test(plainText(name))
  const whole = isLabel ? text : name
  const isLong = codePoints(plainText(whole)) > LIMITS.alternative
  const said = isLong ? text : isLabel ? '' : argument
  const option = toOption(whole, [said, detail].filter(Boolean).join('\n\n'), at, count)
  return { ...option, keys: [...option.keys, plainText(text)] }
}

function toOption(heading: string, argument: string, at: number, count: number): Option {
  const plain = head(plainText(heading), LONGEST_NAME)
  const labelled = strip(
    plain
      .replaceAll(SIGNS, ' ')
      .replace(FATE_BEHIND, '')
      .replace(FATE_BEFORE, '')
      .replace(/\s+/g, ' ')
      .replace(/[.:]$/, ''),
  )
  const prose = plainSentences(argument).join('\n')
  return {
    name: labelled.replace(/^(?:\d{1,2}|[A-Z])[.)]\s+(?=\S)/, ''),
    argument,
    mark: count > 1 ? fateIn(plain, prose) : undefined,
    soundsChosen: CHOOSES.test(prose) && !NOT_CHOSEN.test(prose),
    keys: keysOf(labelled, argument, at),
  }
}

const SIGNS = /[✅✔☑🏆👑❌✗✘✖🚫👎⛔]\ufe0f?/gu
const WON = 'chosen|selected|accepted|adopted|picked|winner|our choice'
const LOST =
  'rejected|not (?:chosen|selected|accepted|recommended|viable|adopted)|discarded|dismissed|declined|ruled out'
const FATE_BEHIND = new RegExp(
  `\\s*(?:[([]\\s*(?:${LOST}|${WON})\\b[^)\\]]*[)\\]]|[-–—:]\\s*(?:${LOST}|${WON}))\\W*$`,
  'i',
)
const FATE_BEFORE = new RegExp(
  `^\\W*(?:${LOST}|${WON})\\b(?: (?:option|alternative|solution|approach))?\\s*[:–—-]\\s*`,
  'i',
)

/** The option's outcome according to its heading and single sentences. */
function fateIn(heading: string, prose: string): Option['mark'] {
  if (/[❌✗✘✖🚫👎⛔]/u.test(heading) || isSaid(LOST, heading)) return 'rejected'
  if (/[✅✔☑🏆👑]/u.test(heading) || isSaid(WON, heading)) return 'chosen'
  for (const line of prose.split('\n')) {
    const said = /^\W*(?:status|decision|verdict|outcome|result|conclusion)\W+(.*)$/i.exec(line)?.[1] ?? line
    if (new RegExp(`^\\W*(?:${LOST})\\b`, 'i').test(said)) return 'rejected'
    if (said !== line && new RegExp(`^\\W*(?:${WON})\\b`, 'i').test(said)) return 'chosen'
  }
  return REJECTS.test(prose) ? 'rejected' : undefined
}

const isSaid = (fate: string, heading: string): boolean =>
  new RegExp(`[([]\\s*(?:${fate})\\b|[-–—:]\\s*(?:${fate})\\W*$|^\\W*(?:${fate})\\b(?: \\w+)?\\s*[:–—-]`, 'i').test(
    heading,
  )

const REJECTS =
  /\b(?:this|it|option|alternative|approach|solution|we|therefore|thus|hence|so)\b[^.\n]{0,40}\b(?:was|were|is|been|has been|got|have)? ?(?:rejected|discarded|dismissed|ruled (?:it |this )?out|decided against|not (?:chosen|selected|pursued|adopted))\b/i
const CHOOSES =
  /\b(?:chosen|selected|accepted|we (?:will|have decided to|decided to) (?:use|go with)|we (?:went with|chose|picked|opted for|are using)|this is what we)\b/i
const NOT_CHOSEN = /\b(?:not|n't|if|would|could)\b[^.]{0,30}(?:chosen|selected|accepted)/i

/** Rows of an option table: the first column names the option, the others contain arguments. */
function tableRows(text: string): { name: string; argument: string }[] {
  const lines = text.split('\n').filter((line) => /^\s*\|/.test(line))
  const [head, ruler, ...rows] = lines.map(tableCells)
  if (head === undefined || ruler === undefined || !ruler.every((cell) => /^:?-+:?$/.test(cell))) return []
  if (/\b(?:criteri|feature|requirement|aspect|driver|metric|concern)/i.test(head[0] ?? '')) return []
  return rows
    .map((cells) => (/^\W*\w?\W*$/.test(plainText(cells[0] ?? '')) ? cells.slice(1) : cells))
    .flatMap((cells) => {
      const [name = '', ...rest] = cells
      const heads = head.slice(head.length - rest.length)
      const argument = rest.flatMap((cell, i) => (cell === '' ? [] : [`- ${heads[i] ? `${heads[i]}: ` : ''}${cell}`]))
      return plainText(name) === '' ? [] : [{ name, argument: argument.join('\n') }]
    })
}

/** The words of a name that look like names themselves, in lower case. */
export const nameTokens = (name: string): string[] =>
  (
    name
      .replace(LABEL, '')
      .replace(VERB, '')
      .match(/[\p{L}\p{N}_.]*[\p{Lu}\p{N}][\p{L}\p{N}_.]*/gu) ?? []
  )
    .map((token) => token.toLowerCase().replace(/\.$/, ''))
    .filter((token) => token.length > 1)

const LABEL = /^\W*(?:(?:option|alternative|approach|solution|proposal)\s+([a-z0-9]+)\b|([a-z0-9]{1,2})(?=[.):]\s))\W*/i
const VERB =
  /^(?:we )?(?:us(?:e|ing)|adopt(?:ing)?|keep(?:ing)?|implement(?:ing)?|creat(?:e|ing)|build(?:ing)?|have|having|add(?:ing)?|introduc(?:e|ing)|go(?:ing)? with|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|continu(?:e|ing) (?:with|using)|stick(?:ing)? with)\s+(?:an? |the )?/i

function keysOf(name: string, argument: string, at: number): string[] {
  const label = LABEL.exec(name)
  const own = (label?.[1] ?? label?.[2])?.toLowerCase()
  const bare = label === null ? name : name.slice(label[0].length)
  const short = bare.replace(/\s*(?:\(.*|[:–—]\s.*|\s-\s.*)$/, '')
  const first = strip(plainText(argument.split('\n')[0] ?? ''))
  return [
    name,
    bare,
    short,
    bare.replace(VERB, ''),
    short.replace(VERB, ''),
    // In "**Event service** - Honeycomb" the name is in the place of the argument.
    ...(first.split(/\s+/).length <= 3 ? [first] : []),
    ...(ORDINALS[at] === undefined ? [] : [`${ORDINALS[at]} option`, `${ORDINALS[at]} approach`]),
    ...(own === undefined ? [`option ${at + 1}`] : [`option ${own}`, `alternative ${own}`]),
  ].filter((key) => !TOO_COMMON.test(key))
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
const TOO_COMMON = /^(?:\W*|no|yes|none|do|not|nothing|the|other|others|new|old|custom|own|it|both|pros?|cons?)$/i
