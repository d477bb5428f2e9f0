import { TimeAgo } from '../../../kit/time-ago.tsx'
import { VirtualList } from '../../../kit/virtual-list.tsx'
import { KIND_WORDS, type DraftLine } from './draft-words.ts'
import styles from './draft-list.module.css'

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
      <div className={styles.row}>
        <span className={styles.line}>
          <span className={styles.kind}>{KIND_WORDS[kind]}</span>
          <span className={styles.title}>{title}</span>
        </span>
        <TimeAgo at={settled?.at ?? at} className={styles.age!} />
        <span className={styles.why}>{settled === undefined ? why : `${settled.how} · ${why}`}</span>
      </div>
    )}
  </VirtualList>
)
