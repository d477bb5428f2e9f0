import { timeAgo } from './time-words.ts'

/** Relative time; the full date is in the tooltip and for screen readers. */
export const TimeAgo = ({
  at,
  now = Date.now(),
  className,
}: {
  at: string
  now?: number
  className?: string | undefined
}) => {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return <span className={className}>{at}</span>
  return (
    <time className={className} dateTime={time.toISOString()} title={FULL.format(time)}>
      {timeAgo(time, now)}
    </time>
  )
}

const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })
