import { TimeAgo } from '../../../kit/time-ago.tsx'
import type { TableFacts } from './facts.ts'

/** `data through 12 Nov 2026, profiled 2 days ago`. */
export const Freshness = ({
  facts: { through, profiled_at: profiled, checked_at: checked, data_changed_at: changed },
}: {
  facts: TableFacts
}) => (
  <span>
    {through !== undefined && (
      <span title={`The last day in ${through.column}`}>data through {dayOf(through.day)}, </span>
    )}
    {through === undefined && changed !== undefined && (
      <>
        rows changed <TimeAgo at={changed} />,{' '}
      </>
    )}
    {profiled === undefined ? 'read ' : 'profiled '}
    {checked === '' ? 'at an unknown time' : <TimeAgo at={profiled ?? checked} />}
  </span>
)

const dayOf = (day: string): string => DAY.format(new Date(`${day}T12:00:00Z`))
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
