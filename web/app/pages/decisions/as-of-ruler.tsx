import { useMemo, type KeyboardEvent } from 'react'
import { useAnswer } from '../../api/queries.ts'
import { rulerTicks, tickOf, type RulerTick } from './ruler-scale.ts'
import { useSetSearch } from './use-set-search.ts'
import { counted, dayWords } from './words.ts'
import styles from './as-of-ruler.module.css'

const MOST_DAYS = 20_000
const STEPS = 400

/** A thin ruler of the days on which the record changed; its thumb sets the as-of date for everything below it. */
export const AsOfRuler = ({ asOf }: { asOf: string | undefined }) => {
  const { data } = useAnswer('journal', { by_day: true, limit: MOST_DAYS })
  const ticks = useMemo(() => rulerTicks(data?.days ?? []), [data])
  const set = useSetSearch()
  // With one day there is nothing to go back to; its space is reserved, so that nothing jumps when the days load.
  if (ticks.length < 2) return <div className={styles.none} />
  const at = tickOf(ticks, asOf)
  const go = (to: number): void => {
    const tick = ticks[Math.max(0, Math.min(ticks.length - 1, to))]!
    set({ asOf: tick === ticks.at(-1) ? undefined : tick.day }, { replace: true })
  }
  return (
    <div className={styles.ruler}>
      <span className={styles.end}>{dayWords(ticks[0]!.day)}</span>
      <div className={styles.scale}>
        <Ticks ticks={ticks} at={at} />
        <input
          type="range"
          className={styles.range}
          min={0}
          max={STEPS}
          value={Math.round(ticks[at]!.at * STEPS)}
          aria-label="As of"
          aria-valuetext={tickWords(ticks[at]!, at === ticks.length - 1)}
          title="As of: drag, or use the arrow keys"
          onChange={(event) => go(nearest(ticks, Number(event.target.value) / STEPS))}
          onKeyDown={(event) => {
            const to = rulerMove(event, at, ticks.length)
            if (to === undefined) return
            event.preventDefault()
            go(to)
          }}
        />
      </div>
      <span className={styles.end}>Now</span>
    </div>
  )
}

const Ticks = ({ ticks, at }: { ticks: readonly RulerTick[]; at: number }) => (
  <svg className={styles.ticks} viewBox={`0 0 ${STEPS} 10`} preserveAspectRatio="none" aria-hidden="true">
    {ticks.map((tick, index) => (
      <line
        key={tick.day}
        x1={tick.at * STEPS}
        x2={tick.at * STEPS}
        y1={10}
        y2={10 - 10 * tick.height}
        className={index > at ? styles.later : styles.tick}
        vectorEffect="non-scaling-stroke"
      />
    ))}
  </svg>
)

const tickWords = ({ day, events, decisions, commit }: RulerTick, isNow: boolean): string =>
  isNow
    ? 'Now'
    : [
        dayWords(day),
        counted(events, 'change'),
        ...(decisions === 0 ? [] : [counted(decisions, 'decision')]),
        ...(commit === undefined ? [] : [`commit ${commit.slice(0, 7)}`]),
      ].join(', ')

const nearest = (ticks: readonly RulerTick[], at: number): number =>
  ticks.reduce((best, tick, index) => (Math.abs(tick.at - at) < Math.abs(ticks[best]!.at - at) ? index : best), 0)

/** A key moves between days with changes, not between pixels. */
function rulerMove({ key }: KeyboardEvent, at: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - 10,
    PageUp: at + 10,
    Home: 0,
    End: count - 1,
  }
  return moves[key]
}
