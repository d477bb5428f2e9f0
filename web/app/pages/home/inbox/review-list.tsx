import { VirtualList } from '../../../kit/virtual-list.tsx'
import { TwoLines } from '../two-lines.tsx'
import type { ReviewItem } from './review-items.ts'

interface Props {
  readonly items: readonly ReviewItem[]
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
  readonly checked: ReadonlySet<string>
  readonly onCheck: (checked: ReadonlySet<string>) => void
}

/** The review queue. `x` selects several, for one action on all of them. */
export const ReviewList = ({ items, open, onOpen, checked, onCheck }: Props) => (
  <VirtualList
    label="Review queue"
    items={items}
    keyOf={({ id }) => id}
    open={open}
    onOpen={({ id }) => onOpen(id)}
    onActive={({ id }) => onOpen(id)}
    checked={checked}
    onCheck={({ id }) => onCheck(toggled(checked, id))}
    onCheckAll={() => onCheck(checked.size === items.length ? new Set() : new Set(items.map(({ id }) => id)))}
    rowHeight={56}
    isMain
  >
    {({ mark, title, at, more }) => <TwoLines mark={mark} title={title} at={at} more={more} />}
  </VirtualList>
)

const toggled = (checked: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  checked.has(id) ? new Set([...checked].filter((one) => one !== id)) : new Set([...checked, id])
