import type { Calls } from '../../../api/call.ts'
import { classNames } from '../../../kit/class-names.ts'
import { Icon } from '../../../kit/icon.tsx'
import { WithCode } from '../../../kit/with-code.tsx'
import styles from './sources-page.module.css'

type Check = Calls['source_test']['output']['checks'][number]

/** Result of testing a source. */
export const CheckLine = ({ check }: { check: Check }) => (
  <p role="status" className={classNames(styles.check, check.ok ? styles.good : styles.bad)}>
    <Icon name={check.ok ? 'check' : 'warn'} size={14} />
    <span>
      {check.ok ? `Connected: ${check.found}, ${(check.milliseconds / 1000).toFixed(1)} s.` : check.problem}
      {check.hint !== undefined && (
        <>
          {' '}
          <WithCode>{check.hint}</WithCode>
        </>
      )}
    </span>
  </p>
)
