import { Fault } from '../api/fault.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { WithCode } from './with-code.tsx'
import styles from './fault-note.module.css'

/** An error and the next step, shown where it occurred. */
export const FaultNote = ({ fault, again }: { fault: unknown; again?: (() => void) | undefined }) => {
  const hint = fault instanceof Fault ? fault.hint : undefined
  // What is missing is still missing at the next try.
  const isMissing = fault instanceof Fault && fault.code === 'not_found'
  return (
    <div className={styles.note} role="alert">
      <Icon name="warn" />
      <div className={styles.words}>
        <p>
          <WithCode>{messageOf(fault)}</WithCode>
        </p>
        {hint !== undefined && (
          <p className={styles.hint}>
            <WithCode>{hint}</WithCode>
          </p>
        )}
      </div>
      {again && !isMissing && (
        <Button size="small" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  )
}

const messageOf = (fault: unknown): string =>
  fault instanceof Error && fault.message !== '' ? fault.message : 'Something went wrong.'
