import { browserName } from '../../../kernel/domain/browser-name.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import type { Claimed, SignInEvent } from '../../../team/sign-in-audit.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** Runs a sign-in attempt and audits a refusal, with the claimed identity. Rethrows errors. */
export async function auditAttempt<T>(
  desk: Pick<SignInOptions, 'told' | 'sourceOf'>,
  { request, operation }: { readonly request: Request; readonly operation: string },
  work: (claims: (who: Claimed) => void) => Promise<T>,
): Promise<T> {
  let who: Claimed = {}
  try {
    return await work((claimed) => {
      who = claimed
    })
  } catch (thrown) {
    await auditAction(desk, request, { operation, who, outcome: toAppError(thrown).code })
    throw thrown
  }
}

/** Audits an action on a page, with browser and address. */
export const auditAction = async (
  desk: Pick<SignInOptions, 'told' | 'sourceOf'>,
  request: Request,
  event: Omit<SignInEvent, 'source' | 'client'>,
): Promise<void> =>
  desk.told?.({
    ...event,
    source: desk.sourceOf(request),
    client: browserName(request.headers.get('user-agent')),
  })
