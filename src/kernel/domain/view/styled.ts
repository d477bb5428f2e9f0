/** Role of a part of an answer; each surface chooses its look. */
export type Tone = 'title' | 'dim' | 'good' | 'warning' | 'bad' | 'match'

export interface Span {
  readonly text: string
  readonly tones: readonly Tone[]
}

export type Styled = readonly Span[]

// Control characters, which data no longer contains when it is rendered, so only a renderer can write a mark.
const START = '\u000e'
const END = '\u000f'
const MARK = /\u000e(.)|\u000f/g

const LETTERS: Readonly<Record<Tone, string>> = {
  title: 't',
  dim: 'd',
  good: 'g',
  warning: 'w',
  bad: 'b',
  match: 'm',
}
const TONES = new Map(Object.entries(LETTERS).map(([tone, letter]) => [letter, tone as Tone]))

export const marked = (tone: Tone, text: string): string => (text === '' ? '' : `${START}${LETTERS[tone]}${text}${END}`)

export const unmarked = (text: string): string => text.replaceAll(MARK, '')

/** Parts of a text with marks, which may be nested. */
export function spansOf(text: string): Styled {
  const spans: Span[] = []
  const open: Tone[] = []
  let from = 0
  const take = (to: number) => {
    if (to > from) spans.push({ text: text.slice(from, to), tones: [...open] })
  }
  for (const { 0: mark, 1: letter, index } of text.matchAll(MARK)) {
    take(index)
    from = index + mark.length
    const tone = letter === undefined ? undefined : TONES.get(letter)
    if (tone === undefined) open.pop()
    else open.push(tone)
  }
  take(text.length)
  return spans
}

export const textOf = (styled: Styled): string => styled.map(({ text }) => text).join('')
