import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { useAct, useProject } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { classNames } from '../../../kit/class-names.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import { showToast } from '../../../kit/toast-store.ts'
import { WithCode } from '../../../kit/with-code.tsx'
import { CheckLine } from './check-line.tsx'
import { SourceFacts } from './source-facts.tsx'
import type { SourceRow, SourceState } from './source-state.ts'
import { StateMark } from './state-mark.tsx'
import type { SourceSync } from './sync-state.ts'
import type { Sync } from './use-sync.ts'
import styles from './sources-page.module.css'

interface Props {
  readonly source: SourceRow
  readonly state: SourceState
  readonly sync: Sync
  readonly onTrust: () => void
}

type Check = Calls['source_test']['output']['checks'][number]

/** One source: its target, its status, the result of the last sync, and its actions. */
export const SourceCard = ({ source, state, sync, onTrust }: Props) => {
  const test = useAct('source_test')
  const remove = useRemove()
  const [check, setCheck] = useState<Check>()
  const name = source.key
  const runTest = (): void =>
    test.mutate({ name }, { onSuccess: ({ checks }) => setCheck(checks[0]), onError: () => setCheck(undefined) })
  const progress = sync.of(source.key)
  return (
    <li id={source.key} className={styles.source} aria-label={source.name}>
      <div className={styles.line}>
        <h2 className={styles.name}>{source.name}</h2>
        <StateMark state={state} />
        <div className={styles.buttons}>
          {!source.trusted && source.problem === undefined && (
            <Button size="small" icon="lock" onClick={onTrust}>
              Review and trust
            </Button>
          )}
          <Button size="small" busy={test.isPending} onClick={runTest}>
            Test
          </Button>
          <Button size="small" icon="refresh" disabled={sync.isRunning} onClick={() => sync.start([source.key])}>
            Sync
          </Button>
          <Menu
            align="end"
            trigger={<IconButton icon="more" size="small" label={`More for ${source.name}`} />}
            entries={[{ label: 'Remove', icon: 'trash', tone: 'bad', onSelect: () => remove(source) }]}
          />
        </div>
      </div>
      <SourceFacts source={source} state={state} isReasonTold={progress?.phase !== 'failed'} />
      {progress !== undefined && <SourceProgress sync={progress} />}
      {test.error && <FaultNote fault={test.error} />}
      {check !== undefined && <CheckLine check={check} />}
    </li>
  )
}

/** Progress or result of one source, with all failures. */
const SourceProgress = ({ sync: { phase, done, total, says, faults } }: { sync: SourceSync }) => {
  if (phase === 'listing' || phase === 'fetching' || phase === 'waiting')
    return <ProgressBar label={says} {...(total !== undefined && total > 0 && { value: done, of: total })} />
  return (
    <div className={classNames(styles.check, phase === 'failed' ? styles.bad : styles.good)}>
      <Icon name={phase === 'failed' ? 'warn' : 'check'} size={14} />
      {faults.length === 0 ? (
        <span>{says}</span>
      ) : (
        <ul>
          {faults.slice(0, SHOWN).map((fault, at) => (
            <li key={at}>
              <WithCode>{fault}</WithCode>
            </li>
          ))}
          {faults.length > SHOWN && <li>and {faults.length - SHOWN} more</li>}
        </ul>
      )}
    </div>
  )
}

const SHOWN = 10

/** Removes a source from ken.yaml at once. Undo restores the text, unless it was changed in the meantime. */
function useRemove(): (source: SourceRow) => void {
  const project = useProject()
  const client = useQueryClient()
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: [project] })
  const remove = async ({ key, name, trusted, reaches }: SourceRow): Promise<void> => {
    const before = await call(project, 'context_show', { file: 'ken.yaml' })
    const { files } = await call(project, 'source_remove', { name: key })
    const after = await call(project, 'context_show', { file: 'ken.yaml' })
    await refresh()
    const undo = async (): Promise<void> => {
      await call(project, 'context_save', { file: 'ken.yaml', text: before.text, expect: after.version })
      await refresh()
      if (trusted && reaches.length > 0) showToast({ text: `${name} restored. Review and trust it again.` })
    }
    const told = files === 0 ? '' : ` The next sync deletes its ${files} files.`
    showToast({ text: `Removed ${name}.${told}`, ...(before.fixed === undefined && { undo }) })
  }
  return (source) =>
    void remove(source).catch((fault: unknown) =>
      showToast({ text: fault instanceof Error ? fault.message : `Can’t remove ${source.name}.`, tone: 'bad' }),
    )
}
