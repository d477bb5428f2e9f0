import { classNames } from './class-names.ts'
import styles from './verdict-mark.module.css'

export type Verdict = 'strong' | 'related' | 'weak' | 'none'

/** The verdict of a hit, as a shape and a word. */
export const VerdictMark = ({ verdict, short = false }: { verdict: Verdict; short?: boolean }) => (
  <span className={classNames(styles.mark, styles[verdict])}>
    <span aria-hidden="true">{SHAPES[verdict]}</span>
    <span className={short ? 'visually-hidden' : undefined}>{verdict === 'none' ? 'no match' : verdict}</span>
  </span>
)

const SHAPES: Readonly<Record<Verdict, string>> = { strong: '●', related: '◐', weak: '○', none: '–' }
