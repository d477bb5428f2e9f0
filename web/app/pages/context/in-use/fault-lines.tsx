import { WithCode } from '../../../kit/with-code.tsx'
import type { Origin } from './use-in-use.ts'
import styles from './in-use.module.css'

type Faults = NonNullable<Origin['looked']>['faults']

/** Problems that prevent a commit from being used, each with its file and line. */
export const FaultLines = ({ faults }: { faults: Faults }) => (
  <ul className={styles.faults}>
    {faults.map(({ path, line, message }) => (
      <li key={`${path} ${line} ${message}`}>
        {path !== undefined && <code className={styles.mono}>{line === undefined ? path : `${path}:${line}`}</code>}{' '}
        <WithCode>
          {path !== undefined && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message}
        </WithCode>
      </li>
    ))}
  </ul>
)
