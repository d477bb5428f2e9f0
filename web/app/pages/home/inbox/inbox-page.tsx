import { useState } from 'react'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { Page } from '../../../frame/page.tsx'
import { useMedia } from '../../../frame/use-media.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { Split } from '../../../kit/split.tsx'
import { HomeLink } from '../home-link.tsx'
import { inboxRoute } from '../routes.ts'
import { ConflictReview } from './conflict-review.tsx'
import { DecisionReview } from './decision-review.tsx'
import { DraftPane } from './draft-pane.tsx'
import { InboxEmpty } from './inbox-empty.tsx'
import { InboxFilter } from './inbox-filter.tsx'
import type { InboxSearch } from './inbox-search.ts'
import { ReviewBar } from './review-bar.tsx'
import { useReviewItems, type ReviewItem } from './review-items.ts'
import { ReviewList } from './review-list.tsx'
import { canAccept, canDismiss, useReview } from './use-review.ts'
import { useSettle } from './use-settle.ts'
import styles from './review-bar.module.css'

const NONE: ReadonlySet<string> = new Set()

/** Everything that only a person can decide: drafts, conflicts, agent proposals, import reviews and drift, in one queue. */
export const InboxPage = () => {
  const search = inboxRoute.useSearch()
  const navigate = inboxRoute.useNavigate()
  const { draft: named, settled = false } = search
  const { items, fault, isPending, again } = useReviewItems(search)
  const [isEditing, setEditing] = useState(false)
  const [last, setLast] = useState<string>()
  const [checked, setChecked] = useState(NONE)
  const open = (draft: string | undefined): void => {
    setEditing(false)
    void navigate({
      search: ({ draft: _before, ...rest }: InboxSearch) => ({ ...rest, ...(draft && { draft }) }),
      replace: true,
    })
  }
  const openAfter = (gone: readonly string[]): void => open(neighbour(items, gone))
  const settle = useSettle({
    onSettled({ id }) {
      setLast(id)
      openAfter([id])
    },
  })
  const review = useReview({
    onSettled(gone) {
      setChecked(NONE)
      openAfter(gone.map(({ id }) => id))
    },
  })
  // By default the first item is shown; if there is room for only one pane, the list is shown.
  const [first] = items
  const shown = items.find(({ id }) => id === named)
  const isWide = useMedia('(width >= 760px)')
  const current = shown ?? (isWide ? first : undefined)
  const picked = items.filter(({ id }) => checked.has(id))
  const act = (how: 'accept' | 'dismiss', can: (item: ReviewItem) => boolean): void => {
    if (settled || isEditing) return
    if (picked.length > 0) return picked.every(can) ? review[how](picked) : undefined
    if (current === undefined || !can(current)) return
    if (current.of === 'draft') settle[how === 'accept' ? 'apply' : 'dismiss'](current.draft)
    else review[how]([current])
  }
  useKeys(
    [
      { keys: 'a', does: 'Accept or apply', group: 'Inbox', run: () => act('accept', canAccept) },
      {
        keys: 'e',
        does: 'Edit the draft, or merge by hand',
        group: 'Inbox',
        run: () => (current?.of === 'draft' || current?.of === 'conflict') && !settled && setEditing(true),
      },
      { keys: 'd', does: 'Dismiss', group: 'Inbox', run: () => act('dismiss', canDismiss) },
      { keys: 'u', does: 'Undo', group: 'Inbox', run: () => undoWanted(settled ? named : last, settle.undo) },
      { keys: 'escape', does: 'Back to the list', group: 'Inbox', run: () => open(undefined) },
    ],
    { enabled: !isEditing },
  )
  const pane = (item: ReviewItem) => (
    <ReviewPane key={item.id} {...{ item, settle, review, isEditing, setEditing, open, openAfter }} />
  )
  return (
    <Page title="Inbox" above={<HomeLink />} layout="fill" actions={<InboxFilter search={search} />}>
      {fault !== null && <FaultNote fault={fault} again={again} />}
      {isPending && items.length === 0 && <Skeleton rows={6} />}
      {!isPending && fault === null && items.length === 0 && <InboxEmpty settled={settled} kind={search.kind} />}
      {items.length > 0 && (
        <Split
          name="inbox"
          listLabel="Review queue"
          list={
            <div className={styles.side}>
              <ReviewList
                {...{ items, checked }}
                open={named ?? first?.id}
                onOpen={open}
                onCheck={(next) => !settled && setChecked(next)}
              />
              {picked.length > 0 && (
                <ReviewBar
                  count={picked.length}
                  isBusy={review.isBusy}
                  onAccept={picked.every(canAccept) ? () => review.accept(picked) : undefined}
                  onDismiss={picked.every(canDismiss) ? () => review.dismiss(picked) : undefined}
                  onClear={() => setChecked(NONE)}
                />
              )}
            </div>
          }
          onBack={() => open(undefined)}
          empty={first && pane(first)}
          detail={shown && pane(shown)}
        />
      )}
    </Page>
  )
}

interface PaneProps {
  readonly item: ReviewItem
  readonly settle: ReturnType<typeof useSettle>
  readonly review: ReturnType<typeof useReview>
  readonly isEditing: boolean
  readonly setEditing: (isEditing: boolean) => void
  readonly open: (id: string) => void
  readonly openAfter: (gone: readonly string[]) => void
}

const ReviewPane = ({ item, settle, review, isEditing, setEditing, open, openAfter }: PaneProps) =>
  item.of === 'draft' ? (
    <DraftPane draft={item.draft} {...{ settle, isEditing, setEditing }} />
  ) : item.of === 'conflict' ? (
    <ConflictReview
      conflict={item.conflict}
      onSettled={() => openAfter([item.id])}
      onUndone={() => open(item.id)}
      {...{ isEditing, setEditing }}
    />
  ) : (
    <DecisionReview item={item} review={review} />
  )

/** The entry to show when some are removed. */
function neighbour(items: readonly ReviewItem[], gone: readonly string[]): string | undefined {
  const at = items.findIndex(({ id }) => id === gone.at(-1))
  const left = (item: ReviewItem): boolean => !gone.includes(item.id)
  return (items.slice(at + 1).find(left) ?? items.slice(0, Math.max(0, at)).findLast(left))?.id
}

const undoWanted = (id: string | undefined, undo: (draft: { id: string }) => void): void => {
  if (id !== undefined) undo({ id })
}
