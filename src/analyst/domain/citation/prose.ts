import type { CitedQuery } from './figures-of.ts'
import { numbersIn } from './number-in-text.ts'

const BLANKED = [
  // Code, fenced and inline; HTML comments and tags.
  /```[^]*?(?:```|$)/g,
  /~~~[^]*?(?:~~~|$)/g,
  /`[^`\n]{1,500}`/g,
  /<[^<>\n]{1,400}>/g,
  // Pictures, link targets, addresses.
  /\]\([^()\n]{0,500}\)/g,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]{1,500}/gi,
  // Query ids and other hexadecimal ids, versions, IP addresses.
  /\bq_[0-9a-f]{12}\b/g,
  /\bv\d+(?:\.\d+){0,3}\b/gi,
  /\b\d+\.\d+\.\d+(?:\.\d+)?\b/g,
  // Emphasis, which would make a number part of a word.
  /(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu,
  // List and heading numbers.
  /^[ \t>]*(?:#{1,6}[ \t]+\d{1,3}(?:\.\d{1,3}){0,3}[.):]?|\d{1,3}(?:\.\d{1,3}){0,3}[.):])[ \t](?=\S)/gm,
]

const MONTH = String.raw`(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`
const PERIOD = String.raw`(?:second|minute|hour|day|night|week|month|quarter|year|fiscal year)s?`

const TIMES = [
  // Dates and times of day.
  /\b\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?\b/g,
  /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?/gi,
  /\b\d{1,2}\s?[ap]m\b/gi,
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)?\.?(?:\s?[-–]\s?\d{1,2})?\s(?:of\s)?${MONTH}(?:,?\s\d{4})?`, 'g'),
  new RegExp(String.raw`\b${MONTH}\s\d{1,2}(?:st|nd|rd|th)?(?:\s?[-–]\s?\d{1,2})?(?:,?\s\d{4})?\b`, 'g'),
  // Years, alone or in a range: 2024, 2024/25, FY2024, the 1990s.
  /(?<![\p{L}\p{N}$€£¥.,])(?:19|20)\d{2}(?:\s?[-–/]\s?(?:(?:19|20)?\d{2}))?(?![\p{N}%]|[.,]\d|\s?(?:%|percent|k\b|million|billion|thousand|bn\b))/gu,
  /\b(?:FY|CY|Q[1-4]|H[12]|W|KW)\s?-?\d{2,4}\b/gi,
  /\bweek \d{1,2}\b/gi,
  // Ordinals.
  /\b\d{1,6}(?:st|nd|rd|th)\b/gi,
  // Time windows: the last 30 days, a 12-month window.
  new RegExp(
    String.raw`\b(?:last|past|previous|prior|next|first|trailing|latest|recent|every)\s\d{1,4}(?:\s|-)(?:full\s|complete\s|calendar\s|business\s)?${PERIOD}\b`,
    'gi',
  ),
  new RegExp(String.raw`\b\d{1,4}-${PERIOD}\b`, 'gi'),
]

const REFERENCES = [
  // Things identified by a number.
  /\b(?:top|bottom|step|steps|page|row|rows|line|column|section|chapter|figure|table|option|phase|tier|level|version|decision|question|rank|number|no\.|nr\.|note|item|part|case|query|issue|pr|ticket|port|http|error|code|article|type|class|group|store|branch|customer|order|product|id)\s?(?:#|no\.?\s?|number\s)?\d{1,9}(?:\s?(?:-|–|to|and)\s?\d{1,9})?(?![\p{N}%]|[.,]\d|\s?(?:%|percent))/giu,
  /#\d{1,9}\b/g,
  // ISO 9001, RFC 3339; an 80/20 rule.
  /\b(?!(?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\b)[A-Z]{2,6}[ -]\d{1,6}\b(?![.,]\d|\s?%)/g,
  /(?<![\p{N}.,/])\d{1,3}\/\d{1,3}(?![\p{N}/])/gu,
  /\b\d{1,2}\s(?:main\s|key\s|possible\s|other\s|different\s|further\s|more\s)?(?:reasons?|things?|points?|steps?|options?|ways?|caveats?|notes?|questions?|parts?|factors?|columns?|tables?|quer(?:y|ies)|charts?|examples?|assumptions?|filters?|sentences?|decimals?|decimal places|digits?|readings?|interpretations?|definitions?|bullets?|paragraphs?)\b/gi,
]

/** Blanks everything in the answer except figures in prose and in tables; every character keeps its offset. */
export function proseOf(text: string, queries: readonly CitedQuery[]): string {
  const named = namesWithDigits(queries).reduce((prose, name) => blankAll(prose, name), text)
  const figures = named.replaceAll(/^[ \t]*\|.*$/gm, figuresOfRow)
  return [...BLANKED, ...TIMES, ...REFERENCES].reduce((prose, pattern) => prose.replaceAll(pattern, blank), figures)
}

/** A table row with its numeric cells, except the first cell: it names the row, or is its rank. */
function figuresOfRow(row: string): string {
  const [edge = '', name = '', ...cells] = row.split('|')
  const isFigure = (cell: string): boolean => {
    const text = cell.trim().replaceAll(/^\*{1,3}|\*{1,3}$/g, '')
    return text !== '' && numbersIn(text)[0]?.text === text
  }
  return [edge, blank(name), ...cells.map((cell) => (isFigure(cell) ? cell : blank(cell)))].join('|')
}

const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ')

function blankAll(text: string, name: string): string {
  const [first = '', ...rest] = text.split(name)
  if (rest.length === 0) return text
  const isEdge = (character: string | undefined): boolean => !/[\p{L}\p{N}_]/u.test(character ?? ' ')
  let before = first
  const parts = rest.map((part, i) => {
    // An occurrence directly followed by another occurrence is not a whole word.
    const isWhole = isEdge(before.at(-1)) && isEdge(part[0]) && (part !== '' || i === rest.length - 1)
    before = part
    return (isWhole ? blank(name) : name) + part
  })
  return first + parts.join('')
}

const MOST_NAMES = 2_000

/** Cell texts and column names with digits between words: `Box of 400`. Mentions of them are not figures. */
function namesWithDigits(queries: readonly CitedQuery[]): readonly string[] {
  const names = new Set<string>()
  const take = (text: string) => {
    if (names.size < MOST_NAMES && text.length >= 2 && text.length <= 80 && /\d/.test(text) && /\p{L}/u.test(text))
      names.add(text)
  }
  for (const { columns, rows } of queries) {
    for (const { name } of columns) take(name)
    for (const row of rows) for (const cell of row) if (typeof cell === 'string') take(cell)
  }
  return [...names].toSorted((a, b) => b.length - a.length)
}
