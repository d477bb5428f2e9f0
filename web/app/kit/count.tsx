import { classNames } from './class-names.ts'
import styles from './count.module.css'

/** A number beside a name. `of` names the counted items, for screen readers. */
export const Count = ({ value, of, tone = 'plain' }: { value: number; of: string; tone?: 'plain' | 'bad' }) => (
  <span className={classNames(styles.count, styles[tone])}>
    {shortCount(value)}
    <span className="visually-hidden"> {of}</span>
  </span>
)

/** 999, 1.2k, 100k: never wider than four characters. */
function shortCount(value: number): string {
  if (value < 1_000) return String(value)
  const [of, unit] = value < 999_500 ? [1_000, 'k'] : [1_000_000, 'M']
  const share = value / of
  return `${share < 9.95 ? share.toFixed(1).replace(/\.0$/, '') : Math.round(share)}${unit}`
}
