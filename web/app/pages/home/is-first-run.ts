import type { Calls } from '../../api/call.ts'

/** Whether nothing was added yet: no record, or one with only its initial decision, and nothing else. */
export const isFirstRun = ({ record, context, sessions, chats, inbox }: Calls['overview']['output']): boolean =>
  (record?.decisions ?? 0) <= 1 &&
  (record?.questions ?? 0) === 0 &&
  context === undefined &&
  sessions + chats + inbox === 0
