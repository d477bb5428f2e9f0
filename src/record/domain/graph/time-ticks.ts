import { dateOf, dayNumber, type TimeScale } from './time-scale.ts'

export interface Tick {
  readonly x: number
  readonly label: string
  /** True for the start of a year. */
  readonly major: boolean
}

/** The visible part of the axis. */
export interface Window {
  readonly from: number
  readonly to: number
  /** Minimum distance between two readable ticks. */
  readonly room: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MOST_TICKS = 60

/** Steps in months; below one month in days of the month. */
const STEPS = [12_000, 6000, 2400, 1200, 600, 240, 120, 60, 24, 12, 6, 3, 1] as const
const DAYS: readonly (readonly number[])[] = [[1, 15], [1, 8, 15, 22], Array.from({ length: 31 }, (_, i) => i + 1)]

/** Ticks of the finest step that leaves room between them: days, weeks, months, years, up to millennia. */
export function timeTicks(scale: TimeScale, window: Window): Tick[] {
  const [from, to] = [scale.dayAt(window.from), scale.dayAt(window.to)]
  let best: Tick[] = []
  for (const days of [
    ...STEPS.map((step) => monthStarts(from, to, step)),
    ...DAYS.map((of) => monthDays(from, to, of)),
  ]) {
    if (days === undefined) continue
    const ticks = days.map((day) => ({ x: scale.at(day), ...nameOf(day) }))
    const spaced = withRoom(ticks, window.room)
    // If busy days stretch the axis, some ticks of a step coincide; most of them must remain.
    if (spaced.length < ticks.length * 0.7) break
    if (spaced.length > best.length) best = spaced
  }
  const first = { x: scale.at(from), ...nameOf(from) }
  const isNamed = best.some(({ x }) => x - first.x < window.room)
  return best.length < 2 && !isNamed ? [{ ...first, label: fullName(from), major: true }, ...best] : best
}

/** Drops ticks that are too close together; years take precedence. */
function withRoom(ticks: readonly Tick[], room: number): Tick[] {
  const kept: Tick[] = []
  for (const tick of ticks) {
    const last = kept.at(-1)
    if (last === undefined || tick.x - last.x >= room) kept.push(tick)
    else if (tick.major && !last.major) kept[kept.length - 1] = tick
  }
  return kept.filter(({ x }, i) => i === 0 || x - kept[i - 1]!.x >= room)
}

function monthStarts(from: number, to: number, step: number): number[] | undefined {
  const [first, last] = [monthOf(from), monthOf(to)]
  if ((last - first) / step > MOST_TICKS) return undefined
  const days: number[] = []
  for (let month = Math.ceil(first / step) * step; month <= last; month += step) days.push(startOf(month))
  return days.filter((day) => day >= from && day <= to)
}

function monthDays(from: number, to: number, of: readonly number[]): number[] | undefined {
  const [first, last] = [monthOf(from), monthOf(to)]
  if ((last - first) * of.length > MOST_TICKS) return undefined
  const days: number[] = []
  for (let month = first; month <= last; month++)
    for (const day of of) if (monthOf(startOf(month) + day - 1) === month) days.push(startOf(month) + day - 1)
  return days.filter((day) => day >= from && day <= to)
}

const monthOf = (day: number): number => {
  const date = dateOf(day)
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

const startOf = (month: number): number =>
  dayNumber(`${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`)

function nameOf(day: number): { label: string; major: boolean } {
  const [year, month, date] = parts(day)
  if (date !== 1) return { label: `${date} ${MONTHS[month]}`, major: false }
  return month === 0 ? { label: String(year), major: true } : { label: MONTHS[month]!, major: false }
}

function fullName(day: number): string {
  const [year, month, date] = parts(day)
  return `${date} ${MONTHS[month]} ${year}`
}

function parts(day: number): [year: number, month: number, date: number] {
  const date = dateOf(day)
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))]
}
