import { useState } from 'react'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import { faultsOf, runWanted, USUAL_CHOICE, type RunChoice, type RunWanted } from './run-choice.ts'
import styles from './forms.module.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  /** Ids of the selected cases. */
  readonly chosen: readonly string[]
  readonly hasRuns: boolean
  readonly onRun: (wanted: RunWanted) => void
}

/** Selects the cases, the model, the number of runs and the maximum cost. */
export const RunDialog = ({ open, onClose, chosen, hasRuns, onRun }: Props) => {
  const [kept, setChoice] = useKeptForm<RunChoice>('tests.run', USUAL_CHOICE)
  const [isTold, setTold] = useState(false)
  const which = chosen.length > 0 ? 'chosen' : kept.which === 'failed' && hasRuns ? 'failed' : 'all'
  const [picked, setPicked] = useState<RunChoice['which']>()
  const choice = { ...kept, which: picked ?? which }
  const faults = faultsOf(choice)
  const set = (part: Partial<RunChoice>): void => setChoice({ ...kept, ...part })
  const run = (): void => {
    setTold(true)
    if (Object.keys(faults).length > 0) return
    setPicked(undefined)
    onRun(runWanted(choice, chosen, hasRuns))
  }
  const number = { inputMode: 'decimal', size: 8 } as const
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Run tests"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon="play" onClick={run}>
            Run
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <Select
          label="Cases"
          value={choice.which}
          onChange={(value) => {
            setPicked(value)
            set({ which: value })
          }}
          options={[
            { value: 'all', label: 'All cases' },
            ...(hasRuns ? [{ value: 'failed' as const, label: 'Not passed in the last run' }] : []),
            ...(chosen.length > 0 ? [{ value: 'chosen' as const, label: `The ${chosen.length} selected` }] : []),
          ]}
        />
        <ModelField
          value={choice.model}
          error={isTold ? faults.model : undefined}
          onChange={(model) => set({ model })}
        />
        <div className={styles.row}>
          <TextField
            label="In parallel"
            {...number}
            value={choice.threads}
            error={isTold ? faults.threads : undefined}
            onChange={({ target }) => set({ threads: target.value })}
          />
          <TextField
            label="Tries per case"
            {...number}
            placeholder="as set in the case"
            value={choice.runs}
            error={isTold ? faults.runs : undefined}
            onChange={({ target }) => set({ runs: target.value })}
          />
          <TextField
            label="Cost limit in dollars"
            {...number}
            placeholder="no limit"
            value={choice.maxCost}
            error={isTold ? faults.maxCost : undefined}
            onChange={({ target }) => set({ maxCost: target.value })}
          />
        </div>
        {hasRuns && (
          <Switch label="Compare with the last run" on={choice.compare} onChange={(compare) => set({ compare })} />
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  )
}

const ModelField = ({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => {
  const { data } = useAnswer('config_get', { name: 'model.name' })
  const set = String(data?.value ?? '')
  return (
    <TextField
      label="Model"
      value={value}
      placeholder={set === '' ? 'none is set' : set}
      hint="One or more, separated by commas, such as `ollama:qwen3, agent:codex`. Empty: the model from Settings."
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
