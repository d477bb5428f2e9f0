import { VirtualList } from '../../../kit/virtual-list.tsx'
import { TwoLines } from '../two-lines.tsx'
import { KIND_WORDS, type DraftLine } from './draft-words.ts'

interface Props {
  readonly drafts: readonly DraftLine[]
  readonly open: string | undefined
  readonly onOpen: (draft: string) => void
}

export const DraftList = ({ drafts, open, onOpen }: Props) => (
  <VirtualList
    label="Drafts"
    items={drafts}
    keyOf={({ id }) => id}
    open={open}
    onOpen={({ id }) => onOpen(id)}
    onActive={({ id }) => onOpen(id)}
    rowHeight={56}
    isMain
  >
    {({ kind, title, why, at, settled }) => (
      <TwoLines
        mark={KIND_WORDS[kind]}
        title={title}
        at={settled?.at ?? at}
        more={settled === undefined ? why : `${settled.how} · ${why}`}
      />
    )}
  </VirtualList>
)
