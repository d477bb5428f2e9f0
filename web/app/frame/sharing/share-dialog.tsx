import { useState } from 'react'
import type { Calls } from '../../api/call.ts'
import { useAct, useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { PickPeople } from './pick-people.tsx'
import css from './share-dialog.module.css'

type Held = Calls['sharing_show']['output']
type Visibility = Held['visibility']

export interface Shareable {
  readonly of: 'chat' | 'story'
  readonly id: string
}

interface Props extends Shareable {
  readonly onClose: () => void
}

const CHOICES: readonly (readonly [Visibility, string])[] = [
  ['private', 'Only me'],
  ['project', 'Everyone in the project'],
  ['named', 'Selected people'],
]

/** Sets who can read a chat or story besides its owner. */
export const ShareDialog = ({ of, id, onClose }: Props) => {
  const { data, error, refetch } = useAnswer('sharing_show', { of, id })
  return (
    <Dialog
      open
      onClose={onClose}
      title={of === 'chat' ? 'Share this chat' : 'Share this story'}
      description={`They can read it, including later changes${of === 'story' ? ', and comment on it' : ''}, but not edit it. Your memories, votes and earlier drafts stay private.`}
    >
      {error && <FaultNote fault={error} again={() => void refetch()} />}
      {data === undefined && !error && <Skeleton rows={3} label="Access" />}
      {data !== undefined && <ShareForm of={of} held={data} onClose={onClose} />}
    </Dialog>
  )
}

function ShareForm({ of, held, onClose }: Pick<Props, 'of' | 'onClose'> & { readonly held: Held }) {
  const project = useProject()
  const [visibility, setVisibility] = useState<Visibility>(held.visibility)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(held.readers.map(({ id }) => id)))
  const [comments, setComments] = useState(false)
  const [share, end] = [useAct('sharing_set'), useAct('sharing_end')]
  const fault = share.error ?? end.error
  const isMissing = visibility === 'named' && picked.size === 0
  const done = (text: string) => () => {
    showToast({ text })
    onClose()
  }
  const save = (): void => {
    if (visibility === 'private') end.mutate({ of, id: held.id }, { onSuccess: done('Now only you can read it.') })
    else
      share.mutate(
        { of, id: held.id, comments, ...(visibility === 'project' ? { everybody: true } : { people: [...picked] }) },
        { onSuccess: done(visibility === 'project' ? 'Shared with everyone in the project.' : 'Shared.') },
      )
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isMissing) save()
      }}
    >
      <fieldset className={css.choices}>
        <legend className="visually-hidden">Who reads it</legend>
        {CHOICES.map(([value, label]) => (
          <label key={value} className={css.choice}>
            <input
              type="radio"
              name="visibility"
              checked={visibility === value}
              onChange={() => setVisibility(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {visibility === 'named' && <PickPeople people={held.people} picked={picked} onPick={setPicked} />}
      {of === 'story' && visibility !== 'private' && (
        <label className={css.choice}>
          <input type="checkbox" checked={comments} onChange={(event) => setComments(event.target.checked)} />
          Show the comments written so far
        </label>
      )}
      {fault && <FaultNote fault={fault} />}
      <div className={css.buttons}>
        <CopyButton
          text={`${location.origin}/${project}/${of === 'chat' ? 'ask' : 'stories'}/${held.id}`}
          label="Copy the link"
        />
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={share.isPending || end.isPending} disabled={isMissing}>
          {visibility === 'private' && held.visibility !== 'private' ? 'Stop sharing' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
