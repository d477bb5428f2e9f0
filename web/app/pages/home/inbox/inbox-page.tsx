import { useState } from 'react'
import { useAnswer } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { Page } from '../../../frame/page.tsx'
import { useMedia } from '../../../frame/use-media.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { Split } from '../../../kit/split.tsx'
import { HomeLink } from '../home-link.tsx'
import { inboxRoute } from '../routes.ts'
import { DraftList } from './draft-list.tsx'
import { DraftPane } from './draft-pane.tsx'
import type { DraftLine } from './draft-words.ts'
import { InboxEmpty } from './inbox-empty.tsx'
import { InboxFilter } from './inbox-filter.tsx'
import type { InboxSearch } from './inbox-search.ts'
import { useSettle } from './use-settle.ts'

/** Everything that Ken drafted and only a person can apply. */
export const InboxPage = () => {
  const search = inboxRoute.useSearch()
  const navigate = inboxRoute.useNavigate()
  const { draft: named, kind, settled = false } = search
  const answer = useAnswer('inbox_list', { settled, ...(kind && { kind }) }, { keep: true })
  const drafts = answer.data?.drafts ?? []
  const [isEditing, setEditing] = useState(false)
  const [last, setLast] = useState<string>()
  const open = (draft: string | undefined): void => {
    setEditing(false)
    void navigate({
      search: ({ draft: _before, ...rest }: InboxSearch) => ({ ...rest, ...(draft && { draft }) }),
      replace: true,
    })
  }
  const settle = useSettle({
    onSettled({ id }) {
      setLast(id)
      open(neighbour(drafts, id))
    },
  })
  // By default the first is shown; if there is room for only one pane, the list is.
  const [first] = drafts
  const shown = drafts.find(({ id }) => id === named)
  const isWide = useMedia('(width >= 760px)')
  const acted = shown ?? (isWide ? first : undefined)
  const canAct = acted !== undefined && !settled && !isEditing
  useKeys(
    [
      {
        keys: 'a',
        does: 'Apply',
        group: 'Inbox',
        run: () => canAct && isOffered('inbox_apply') && settle.apply(acted),
      },
      { keys: 'e', does: 'Edit', group: 'Inbox', run: () => canAct && setEditing(true) },
      { keys: 'd', does: 'Dismiss', group: 'Inbox', run: () => canAct && settle.dismiss(acted) },
      { keys: 'u', does: 'Undo', group: 'Inbox', run: () => undoWanted(settled ? named : last, settle.undo) },
      { keys: 'escape', does: 'Back to the list', group: 'Inbox', run: () => open(undefined) },
    ],
    { enabled: !isEditing },
  )
  return (
    <Page title="Inbox" above={<HomeLink />} layout="fill" actions={<InboxFilter search={search} />}>
      {answer.error !== null && <FaultNote fault={answer.error} again={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton rows={6} />}
      {answer.data !== undefined && drafts.length === 0 && <InboxEmpty settled={settled} />}
      {drafts.length > 0 && (
        <Split
          name="inbox"
          listLabel="Drafts"
          list={<DraftList drafts={drafts} open={named ?? first?.id} onOpen={open} />}
          onBack={() => open(undefined)}
          empty={first && <DraftPane key={first.id} draft={first} {...{ settle, isEditing, setEditing }} />}
          detail={shown && <DraftPane key={shown.id} draft={shown} {...{ settle, isEditing, setEditing }} />}
        />
      )}
    </Page>
  )
}

/** The draft to show when one is removed. */
function neighbour(drafts: readonly DraftLine[], gone: string): string | undefined {
  const at = drafts.findIndex(({ id }) => id === gone)
  return (drafts[at + 1] ?? drafts[at - 1])?.id
}

const undoWanted = (id: string | undefined, undo: (draft: { id: string }) => void): void => {
  if (id !== undefined) undo({ id })
}
