import type { HarvestedSession } from '../core/session/session.ts'
import type { Redactor } from '../ports/redactor.ts'

/** The session as it may be stored: every text that people, agents or tools wrote has been through the redactor. */
export async function redactSession(
  session: HarvestedSession,
  redactor: Redactor,
): Promise<{ session: HarvestedSession; count: number }> {
  let count = 0
  const clean = async <T extends string | null>(text: T): Promise<T> => {
    if (text === null) return text
    const redacted = await redactor.redact(text)
    count += redacted.count
    return redacted.text as T
  }
  const each = async <T extends { readonly text: string }>(parts: readonly T[]): Promise<T[]> => {
    const cleaned: T[] = []
    for (const part of parts) cleaned.push({ ...part, text: await clean(part.text) })
    return cleaned
  }
  const redacted = {
    ...session,
    title: await clean(session.title),
    // An address with a password in it is common here.
    repo: await clean(session.repo),
    gitBranch: await clean(session.gitBranch),
    turns: await each(session.turns),
    compactionSummaries: await each(session.compactionSummaries),
  }
  return { session: redacted, count }
}
