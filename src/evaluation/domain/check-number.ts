import { mannerOf } from '../../analyst/domain/citation/check-citations.ts'
import { isWithin, rangesOf } from '../../analyst/domain/citation/figures-of.ts'
import { numbersIn, type ShownNumber } from '../../analyst/domain/citation/number-in-text.ts'
import { proseOf } from '../../analyst/domain/citation/prose.ts'
import { withoutCitations } from '../../analyst/domain/citation/read-citations.ts'
import { isSameNumber } from './compare-numbers.ts'
import type { Tolerance } from './comparison.ts'

/** `1.2 million` can mean 1,234,567, `1 million` cannot. */
const MOST_ROUNDED = 0.05

/**
 * Whether an answer contains a number, as people write it: 1,234.50, 12.4k, 3.2 million, 45 %. Without a tolerance it
 * may be rounded as far as its own digits show. Dates, years and list numbers count only if there is no other figure.
 */
export function saysNumber(answer: string, value: number, tolerance: Tolerance): boolean {
  const text = plainText(answer)
  const figures = numbersIn(proseOf(text, []))
  const isIt = (number: ShownNumber): boolean => isSaid(number, text, value, tolerance)
  if (figures.some(isIt)) return true
  const others = numbersIn(text).filter(isIt)
  return figures.length === 0 ? others.length > 0 : others.some((number) => isCounted(number, text))
}

/** Figures of an answer as written, shown if the expected one is missing. */
export function figuresIn(answer: string): readonly string[] {
  return numbersIn(proseOf(plainText(answer), [])).map(({ text }) => text)
}

/** Removes markup that hides numbers: links to cells, table rows, code around a number, emphasis. */
const plainText = (answer: string): string =>
  withoutCitations(answer)
    .replaceAll(/`([^`\n]{1,40})`/g, (all, inner: string) =>
      /^[^\p{L}_]*\d[^\p{L}_]*$/u.test(inner) ? ` ${inner} ` : all,
    )
    .replaceAll(/^[ \t]*\|/gm, ' ')
    .replaceAll(/\*{1,3}/g, '')

function isSaid(number: ShownNumber, text: string, value: number, tolerance: Tolerance): boolean {
  const manner = mannerOf(text, number.at)
  if (Object.values(tolerance).some((one) => one !== undefined)) {
    const scales = number.isPercent ? [1, 0.01] : [1]
    const signs = manner.isFall ? [1, -1] : [1]
    return number.readings.some((reading) =>
      scales.some((scale) =>
        signs.some((sign) =>
          isSameNumber({ value }, { value: reading.value * scale * sign }, tolerance, { expected: 0, found: 0 }),
        ),
      ),
    )
  }
  const most = Math.abs(value) * MOST_ROUNDED
  return rangesOf(number, manner).some(
    ([low, high]) =>
      isWithin([[low, high]], value) && Math.abs(value - (low + high) / 2) <= most + 1e-9 * Math.abs(value),
  )
}

const TIME_BEFORE =
  /(?:\b(?:in|since|of|for|from|until|till|to|by|during|through|between|and|before|after|year|fiscal|fy|q[1-4]|vs\.?|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)|[-–/,(]) ?$/i

/** `5 tables`, `1987 orders`: a count, not a date, a year or a position in a list. */
function isCounted({ at, text: shown }: ShownNumber, text: string): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 16), at), text.slice(at + shown.length, at + shown.length + 24)]
  if (/(?:^|\n)[ \t>#]*$/.test(before) && /^[.):]/.test(after)) return false
  return /^ \p{L}/u.test(after) && !TIME_BEFORE.test(before)
}
