import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { sourceTrouble } from '../../frame/notices/source-trouble.ts'
import { NEWS_SHOWN } from './news-lines.tsx'

/** Whether nothing is new or pending. Uses the queries of the lists, so there are no extra requests. */
export function useIsQuiet({ record, context, inbox }: Calls['overview']['output'], since: string): boolean {
  const news = useAnswer('news', { since, limit: NEWS_SHOWN })
  const sources = useAnswer('source_list', {}, { enabled: context !== undefined })
  const isChecked = record !== undefined && isOffered('doctor')
  const doctor = useAnswer('doctor', {}, { enabled: isChecked })
  const waits = inbox + (record?.questions ?? 0) + (record?.proposals ?? 0)
  if (waits > 0 || news.data?.total !== 0) return false
  if (isChecked && doctor.data?.clean !== true) return false
  const now = Date.now()
  return context === undefined || (sources.data?.sources.every((one) => sourceTrouble(one, now) === undefined) ?? false)
}
