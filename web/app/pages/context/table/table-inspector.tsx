import { Facts } from '../../../frame/inspector/facts.tsx'
import { InInspector } from '../../../frame/inspector/in-inspector.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { dayWords } from '../../../kit/time-words.ts'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import type { TableFacts } from './facts.ts'

/** Origin of the facts about a table. */
export const TableInspector = ({ facts }: { facts: TableFacts }) => (
  <InInspector title={facts.table}>
    <Facts
      facts={[
        ['Source', facts.source.replace(/^database\//, '')],
        ['Trust', <TrustMark key="trust" trust="compiled" />],
        ['Checked', facts.checked_at !== '' ? <TimeAgo at={facts.checked_at} /> : undefined],
        ['Profiled', facts.profiled_at !== undefined ? <TimeAgo at={facts.profiled_at} /> : undefined],
        ['Rows changed', facts.data_changed_at !== undefined ? <TimeAgo at={facts.data_changed_at} /> : undefined],
        ['Data through', facts.through ? `${dayWords(facts.through.day)} (${facts.through.column})` : undefined],
        ['Stale since', facts.stale ? <TimeAgo at={facts.stale.since} /> : undefined],
        ['Folder', <code key="folder">{facts.folder}</code>],
        ['Indexes', facts.indexes.join('; ').replaceAll('`', '')],
        ['Personal', facts.columns.flatMap(({ name, personal }) => (personal === undefined ? [] : [name])).join(', ')],
      ]}
    />
  </InInspector>
)
