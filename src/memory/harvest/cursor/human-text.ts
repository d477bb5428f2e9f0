import { withoutTagged } from '../../domain/session/injected.ts'

/** Tags that Cursor adds to a person's words in a transcript. */
const INJECTED =
  'timestamp|system_reminder|system_notification|environment_context|attached_files|additional_data|open_and_recently_viewed_files|user_info|git_status|rules|agent_skills|agent_transcripts|mcp_file_system|image_files'

/** The words a person typed, from a message as sent to the model. */
export function humanText(text: string): string {
  return userQuery(text) ?? withoutTagged(text, INJECTED).trim()
}

/** The content of the wrapper that marks a person's words; undefined if there is none. */
export function userQuery(text: string): string | undefined {
  const from = text.indexOf('<user_query>')
  if (from === -1) return undefined
  const start = from + '<user_query>'.length
  const end = text.lastIndexOf('</user_query>')
  return text.slice(start, end < start ? undefined : end).trim()
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIMESTAMP =
  /^\s*<timestamp>[A-Z][a-z]+, ([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d) ([AP])M \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)<\/timestamp>/

/** When a prompt was sent, as Cursor formats it: `Monday, Aug 3, 2026, 9:05 AM (UTC+5:30)`. */
export function promptTime(text: string): string | undefined {
  const found = TIMESTAMP.exec(text)
  if (found === null) return undefined
  const [, month = '', day, year, hour, minute, half, sign, hours = '0', minutes = '0'] = found
  const at = MONTHS.indexOf(month.toLowerCase())
  if (at === -1) return undefined
  const local = Date.UTC(Number(year), at, Number(day), (Number(hour) % 12) + (half === 'P' ? 12 : 0), Number(minute))
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(local - (sign === '-' ? -offset : offset)).toISOString()
}
