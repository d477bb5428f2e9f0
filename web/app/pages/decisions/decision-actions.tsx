import { useNavigate } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import { without, type DecisionSearch } from './search.ts'
import type { OpenDecision } from './use-decision.ts'
import { usePick } from './use-pick.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './decision-actions.module.css'

/** Actions on a decision; none if the page shows a past state. */
export const DecisionActions = ({ decision, search }: { decision: OpenDecision; search: DecisionSearch }) => {
  const { number, status, trust } = decision
  const project = useProject()
  const navigate = useNavigate()
  const accept = useAct('accept')
  const say = useUndoToast()
  const { toggle } = usePick(search)
  const isNow = search.asOf === undefined
  const rest = without(search, 'asOf')
  const supersede = (): void =>
    void navigate({ to: '/$project/decisions/new', params: { project }, search: { ...rest, supersedes: [number] } })
  const edit = (): void =>
    void navigate({ to: '/$project/decisions/$id/edit', params: { project, id: String(number) }, search: rest })
  const yes = (): void =>
    accept.mutate({ decisions: [String(number)] }, { onSuccess: () => void say(`Accepted ${label(number)}.`) })
  const waits = trust === 'proposed by an agent' && status === 'active'
  useKeys(
    [
      { keys: 'e', does: 'Edit the decision', group: 'Decision', run: edit },
      { keys: 's', does: 'Supersede the decision', group: 'Decision', run: () => status === 'active' && supersede() },
      { keys: 'a', does: 'Accept the proposal', group: 'Decision', run: () => waits && yes() },
    ],
    { enabled: isNow },
  )
  return (
    <>
      <div className={styles.actions}>
        {isNow && waits && (
          <Tooltip text="Accept this proposal" keys="a">
            <Button look="primary" size="small" icon="check" busy={accept.isPending} onClick={yes}>
              Accept
            </Button>
          </Tooltip>
        )}
        {isNow && status === 'active' && (
          <Tooltip text="Replace it with another decision" keys="s">
            <Button size="small" icon="branch" onClick={supersede}>
              Supersede
            </Button>
          </Tooltip>
        )}
        {isNow && (
          <Tooltip text="Edit the text" keys="e">
            <Button size="small" icon="edit" onClick={edit}>
              Edit
            </Button>
          </Tooltip>
        )}
        <CopyButton text={() => window.location.href} label="Copy link" />
        <Menu
          align="end"
          trigger={<IconButton icon="more" label="More" size="small" />}
          entries={[
            { label: 'Select to compare', icon: 'compare', keys: 'x', onSelect: () => toggle(number) },
            { label: 'Print', icon: 'print', onSelect: () => window.print() },
          ]}
        />
      </div>
      {accept.error !== null && <FaultNote fault={accept.error} />}
    </>
  )
}
