import { classNames } from '../../kit/class-names.ts'
import styles from './text-diff.module.css'

/** A unified diff, line by line: what went has a minus, what came a plus, so that no colour is needed to tell. */
export const TextDiff = ({ diff, label }: { diff: string; label: string }) => (
  <pre className={styles.diff} tabIndex={0} role="group" aria-label={label}>
    {diff
      .split('\n')
      .filter((line) => !line.startsWith('--- ') && !line.startsWith('+++ '))
      .map((line, at) => (
        <span key={at} className={classNames(styles.line, toneOf(line))}>
          {line === '' ? ' ' : line}
        </span>
      ))}
  </pre>
)

const toneOf = (line: string): string | undefined =>
  line.startsWith('@@')
    ? styles.place
    : line.startsWith('+')
      ? styles.came
      : line.startsWith('-')
        ? styles.went
        : undefined
