import { useAnswer } from '../api/queries.ts'

export interface PageCount {
  readonly value: number
  /** Noun for the counted items. */
  readonly of: string
  readonly tone: 'plain' | 'bad'
}

/** Pending items by page name. Counts that fail are not shown. */
export function useCounts(): Readonly<Record<string, PageCount | undefined>> {
  const { data } = useAnswer('overview', {}, { every: EVERY_MS })
  return {
    ...(data && {
      Home: {
        value: data.inbox + (data.record?.proposals ?? 0) + (data.record?.conflicts ?? 0),
        of: 'pending in the inbox',
        tone: 'plain',
      },
    }),
    ...(data?.record && { Decisions: { value: data.record.proposals, of: 'proposed by agents', tone: 'plain' } }),
    ...(data?.context && { Context: { value: data.context.failing, of: 'sources failing', tone: 'bad' } }),
    ...(data?.tests && { Tests: { value: data.tests.failed + data.tests.broken, of: 'failing', tone: 'bad' } }),
  }
}

const EVERY_MS = 30_000
