import type { Caller } from '../../../team/domain/may.ts'
import type { Organisation } from '../../../team/domain/person.ts'
import type { DoorAudit } from '../../../team/door-audit.ts'
import type { OpenedSession } from '../../../team/open-session.ts'
import type { CodeParts } from '../../../team/sign-in-by-code.ts'
import type { PasskeyParts } from '../../../team/sign-in-with-passkey.ts'
import type { ProviderParts } from '../../../team/sign-in-with-provider.ts'
import type { Cookies } from './cookies.ts'

/** By what people come in. What is undefined is not offered. */
export interface SignInWays {
  readonly mailer: CodeParts['mailer'] | undefined
  readonly ceremonies: PasskeyParts['ceremonies'] | undefined
  readonly provider: ProviderParts['provider'] | undefined
}

export type SignInParts = Omit<CodeParts, 'mailer'> & Omit<PasskeyParts, 'ceremonies'> & Omit<ProviderParts, 'provider'>

/** Sends a browser on with its new session, and tells of it. */
export type LetIn = (request: Request, opened: OpenedSession, to: string) => Promise<Response>

export interface SignInDesk {
  /** The origin under which people reach the server. */
  readonly publicUrl: string
  readonly parts: SignInParts
  readonly ways: SignInWays
  readonly session: Cookies
  /** Whose session a request shows. */
  callerOf(request: Request): Promise<(Caller & { readonly session: string }) | undefined>
  organisations(ids: readonly string[]): Promise<readonly Organisation[]>
  /** Where a request comes from, behind whatever proxies there are. */
  sourceOf(request: Request): string
  /** Writes down who came in, who was refused and who went. */
  readonly told?: DoorAudit['tell']
  trace?(thrown: unknown): void
}
