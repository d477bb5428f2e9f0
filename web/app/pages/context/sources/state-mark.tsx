import { classNames } from '../../../kit/class-names.ts'
import { Icon, type IconName } from '../../../kit/icon.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import type { SourceState } from './source-state.ts'
import styles from './state-mark.module.css'

/** Status of a source: a word and a shape, so that its colour is not needed. */
export const StateMark = ({ state: { word, tone, since } }: { state: SourceState }) => (
  <span className={classNames(styles.mark, styles[tone])}>
    <Icon name={ICONS[tone]} size={14} />
    <span>{word}</span>
    {since !== undefined && <TimeAgo at={since} />}
  </span>
)

const ICONS = { good: 'check', warn: 'lock', bad: 'warn', plain: 'clock' } as const satisfies Record<
  SourceState['tone'],
  IconName
>
