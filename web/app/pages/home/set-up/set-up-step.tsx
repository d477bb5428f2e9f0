import { useId, useState } from 'react'
import type { Calls } from '../../../api/call.ts'
import { Button } from '../../../kit/button.tsx'
import { TextDiff } from '../../../kit/data/text-diff.tsx'
import { WithCode } from '../../../kit/with-code.tsx'
import styles from './set-up.module.css'

type Step = Calls['start']['output']['steps'][number]

interface Props {
  readonly step: Step
  readonly isChosen: boolean
  readonly isDisabled: boolean
  readonly onChoose: (isChosen: boolean) => void
}

/** One step of a plan, with the change of each file on request. */
export const SetUpStep = ({ step, isChosen, isDisabled, onChoose }: Props) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { what, detail, files, diffs = [], problem, choice } = step
  const isFixed = choice !== 'own' || problem !== undefined
  return (
    <li className={styles.step}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={isDisabled || isFixed}
          aria-describedby={`${id}-detail`}
          onChange={({ target }) => onChoose(target.checked)}
        />
        <span className={styles.what}>{what}</span>
      </label>
      <div id={`${id}-detail`} className={styles.detail}>
        {detail !== '' && <p>{detail}</p>}
        <Kept step={step} />
        {problem !== undefined && <p className={styles.warn}>Not possible: {problem}</p>}
      </div>
      {files.length > 0 && (
        <div className={styles.files}>
          <span className={styles.paths}>{files.join(' · ')}</span>
          {diffs.length > 0 && (
            <Button
              size="small"
              look="quiet"
              icon={isOpen ? 'chevron-up' : 'chevron-down'}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Hide' : 'Show'} changes: ${what}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide changes' : 'Show changes'}
            </Button>
          )}
        </div>
      )}
      {isOpen && (
        <div className={styles.diffs}>
          {diffs.map(({ path, diff }) => (
            <TextDiff key={path} label={path} diff={diff} />
          ))}
        </div>
      )}
    </li>
  )
}

/** Files that a step leaves as they are, with the reason. */
export const Kept = ({ step: { kept = [] } }: { readonly step: Step }) =>
  kept.map((one) => (
    <p key={one}>
      <WithCode>{`Keeps ${one}`}</WithCode>
    </p>
  ))
