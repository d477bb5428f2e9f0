import type { Calls } from '../../api/call.ts'

/** Nothing was put into it yet: no record, or one that only says that it was started, and nothing else. */
export const isFirstRun = ({ record, context, sessions, chats, inbox }: Calls['overview']['output']): boolean =>
  (record?.decisions ?? 0) <= 1 &&
  (record?.questions ?? 0) === 0 &&
  context === undefined &&
  sessions + chats + inbox === 0
