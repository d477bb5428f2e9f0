import type { Calls } from '../../../api/call.ts'
import { Facts } from '../../../frame/inspector/facts.tsx'
import { InInspector } from '../../../frame/inspector/in-inspector.tsx'
import { TimeAgo } from '../../../kit/time-ago.tsx'
import { TrustMark } from '../../../kit/trust-mark.tsx'

interface Props {
  readonly facts: Calls['context_files']['output']['files'][number]
  readonly stale: string | undefined
  readonly lines: number
}

/** Origin of a file. */
export const FileInspector = ({ facts, stale, lines }: Props) => (
  <InInspector title={facts.path.slice(facts.path.lastIndexOf('/') + 1)}>
    <Facts
      facts={[
        ['Compiled by', facts.source ?? 'people'],
        ['Source', facts.item],
        [
          'Trust',
          facts.source !== undefined ? (
            <TrustMark trust={facts.model === undefined ? 'compiled' : 'learned'} />
          ) : undefined,
        ],
        ['Fetched', facts.fetched_at !== undefined ? <TimeAgo at={facts.fetched_at} /> : undefined],
        ['Written by', facts.model],
        ['Stale because', stale],
        ['Size', `${lines.toLocaleString('en-US')} lines, ${facts.bytes.toLocaleString('en-US')} bytes`],
        ['Path', <code key="path">{facts.path}</code>],
      ]}
    />
  </InInspector>
)
