import { round } from './bounds.ts'
import type { TimeScale } from './time-scale.ts'

export interface Tick {
  readonly x: number
  readonly label: string
  /** The beginning of a year. */
  readonly major: boolean
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MOST_TICKS = 48

/** Months, quarters, years or longer, whichever are not too many; the first tick names the day the record begins. */
export function timeTicks(scale: TimeScale): Tick[] {
  const [firstYear, firstMonth] = yearAndMonth(scale.first)
  const [lastYear, lastMonth] = yearAndMonth(scale.last)
  const months = (lastYear - firstYear) * 12 + lastMonth - firstMonth
  const every = [1, 3, 12, 120, 1200].find((step) => months / step <= MOST_TICKS) ?? 12_000
  const ticks: Tick[] = [{ x: 0, label: dayLabel(scale.first), major: true }]
  for (let count = firstYear * 12 + firstMonth + 1; count <= lastYear * 12 + lastMonth; count++) {
    const [year, month] = [Math.floor(count / 12), count % 12]
    if (count % every !== 0) continue
    const date = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-01`
    ticks.push({
      x: round(scale.start(scale.period(date))),
      label: month === 0 ? String(year) : MONTHS[month]!,
      major: month === 0,
    })
  }
  return ticks
}

const yearAndMonth = (date: string): [number, number] => [Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1]

const dayLabel = (date: string): string =>
  `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`
