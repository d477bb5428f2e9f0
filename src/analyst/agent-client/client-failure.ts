import { AppError } from '../../kernel/domain/errors.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'

export interface FailedClient {
  readonly title: string
  readonly program: string
  readonly login: string
}

const SHOWN = 300
const LOGGED_OUT =
  /not logged in|log ?in again|please run \/login|invalid api key|authentication_error|authentication failed|\b401\b|set an auth method|token (?:has )?expired/i
const SESSION_GONE =
  /no conversation found|no rollout found|invalid session identifier|session not found|no previous sessions found/i
const TOO_OLD = /unknown (?:option|argument)|unexpected argument|unrecognized (?:option|argument)/i
const MAY_PASS = /overloaded|rate.?limit|\b(?:429|500|502|503|504|529)\b|timed? ?out|connection|network|temporarily/i

/** One line on why a client did not answer, in its own words if possible, with the next step. */
export async function clientFailure(
  client: FailedClient,
  said: string,
  redactor: Redactor,
  all = said,
): Promise<AppError> {
  const { text } = await redactor.redact(said)
  const line = visibleLine(withoutColours(text)).slice(0, SHOWN)
  if (SESSION_GONE.test(all))
    return new AppError('not_found', `${client.title} no longer has the session of this chat.`, {
      hint: 'Ask again without it.',
    })
  if (LOGGED_OUT.test(line))
    return new AppError('unavailable', `${client.title} is not logged in: ${line}`, {
      hint: `${client.login}, then ask again.`,
    })
  if (TOO_OLD.test(line))
    return new AppError('unavailable', `${client.title} does not know what Ken asks of it: ${line}`, {
      hint: `Update it, then ask again.`,
    })
  return new AppError('unavailable', line === '' ? `${client.title} gave no answer.` : `${client.title}: ${line}`, {
    hint: `Try \`${client.program}\` in a terminal; \`ken debug\` tests it.`,
    details: { retry: MAY_PASS.test(line) },
  })
}

// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001B\[[0-9;]*m/g, '')
