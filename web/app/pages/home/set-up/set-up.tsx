import { useId, useState } from 'react'
import { useAnswer } from '../../../api/queries.ts'
import { LongMutationBar } from '../../../frame/long-mutation-bar.tsx'
import type { useLongMutation } from '../../../frame/use-long-mutation.ts'
import { Button } from '../../../kit/button.tsx'
import { Command } from '../../../kit/command.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { SetUpStep } from './set-up-step.tsx'
import styles from './set-up.module.css'

interface Props {
  readonly deed: ReturnType<typeof useLongMutation<'start'>>
  readonly onStart: () => void
}

/** The plan of `ken start` for this folder: each step with its changes, to be chosen and set up at once. */
export const SetUp = ({ deed, onStart }: Props) => {
  const id = useId()
  const plan = useAnswer('start', { dry_run: true })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const steps = plan.data?.steps ?? []
  const chosen = steps.filter((one) => one.choice === 'own' && one.problem === undefined && !left.has(one.id))
  const hasSource = chosen.some((one) => one.id.startsWith('source:'))
  const begin = (): void => {
    onStart()
    deed.start({ only: chosen.map((one) => one.id), yes: true })
  }
  return (
    <section className={styles.whole} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        Set up this folder
      </h2>
      {plan.isError && <FaultNote fault={plan.error} again={() => void plan.refetch()} />}
      {/* A folder that was just set up has no plan any more; the result replaces it. */}
      {(plan.isPending || (plan.data && plan.data.outcome !== 'planned')) && (
        <Skeleton rows={8} label="Looking for decisions, data and agents" />
      )}
      {plan.data?.outcome === 'planned' && (
        <>
          <p className={styles.about}>
            Found in <code className={styles.path}>{plan.data.repository}</code> and on this machine. Nothing is written
            before you confirm the plan with the code from the terminal, and all of it can be undone.
          </p>
          <ul className={styles.steps} aria-label="Steps">
            {steps.map((step) => (
              <SetUpStep
                key={step.id}
                step={step}
                isChosen={
                  step.choice === 'with_sources' ? hasSource : step.choice === 'always' || chosen.includes(step)
                }
                isDisabled={deed.isBusy}
                onChoose={(isIn) =>
                  setLeft(isIn ? new Set([...left].filter((one) => one !== step.id)) : new Set([...left, step.id]))
                }
              />
            ))}
          </ul>
          <div className={styles.way}>
            <Button look="primary" busy={deed.isBusy} onClick={begin}>
              Set up
            </Button>
            {!deed.isBusy && (
              <span className={styles.same}>
                The same in a terminal: <Command>ken start</Command>
              </span>
            )}
          </div>
          <LongMutationBar deed={deed} label="Waiting for the code" />
        </>
      )}
    </section>
  )
}
