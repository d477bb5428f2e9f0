import { useState } from 'react'
import type { Calls } from '../../../api/call.ts'
import { useAct } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { CheckLine } from './check-line.tsx'
import { SourceFacts } from './source-facts.tsx'
import { SourceProgress } from './source-progress.tsx'
import type { SourceRow, SourceState } from './source-state.ts'
import { StateMark } from './state-mark.tsx'
import { useRemove } from './use-remove.ts'
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
