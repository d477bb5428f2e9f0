import type { Calls } from '../../api/call.ts'

/**
 * Whether nothing was added yet: no record, or one with only its initial decision, and nothing else. Sessions and chats
 * do not count without a record: agents may have worked in a folder that was never set up.
 */
export const isFirstRun = ({ record, context, sessions, chats, inbox }: Calls['overview']['output']): boolean => {
  if (context !== undefined || inbox > 0) return false
  return record === undefined || (record.decisions <= 1 && record.questions + sessions + chats === 0)
}
