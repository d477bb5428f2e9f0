import { classNames } from '../../kit/class-names.ts'
import styles from './outcome-mark.module.css'

export type Outcome = 'passed' | 'failed' | 'broken' | 'unfinished' | 'not run'

/** Outcome of a case, as a shape and a word. */
export const OutcomeMark = ({ outcome, short = false }: { outcome: Outcome; short?: boolean }) => (
  <span className={classNames(styles.mark, styles[outcome.replace(' ', '-')])}>
    <span aria-hidden="true" className={styles.shape}>
      {SHAPES[outcome]}
    </span>
    <span className={short ? 'visually-hidden' : undefined}>{outcome}</span>
  </span>
)

/** Distinguishable without colour: round, cross, triangle, ring, dot. */
export const SHAPES: Readonly<Record<Outcome, string>> = {
  passed: '●',
  failed: '✕',
  broken: '▲',
  unfinished: '◌',
  'not run': '·',
}
