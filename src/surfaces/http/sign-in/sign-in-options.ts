import type { Caller } from '../../../team/domain/may.ts'
import type { Organisation } from '../../../team/domain/person.ts'
import type { OpenedSession } from '../../../team/open-session.ts'
import type { SignInAudit } from '../../../team/sign-in-audit.ts'
import type { CodeParts } from '../../../team/sign-in-by-code.ts'
import type { PasskeyParts } from '../../../team/sign-in-with-passkey.ts'
import type { ProviderParts } from '../../../team/sign-in-with-provider.ts'
import type { Cookies } from './cookies.ts'

/** Sign-in methods. Undefined ones are not offered. */
export interface SignInWays {
  readonly mailer: CodeParts['mailer'] | undefined
  readonly ceremonies: PasskeyParts['ceremonies'] | undefined
  readonly provider: ProviderParts['provider'] | undefined
}

export type SignInParts = Omit<CodeParts, 'mailer'> & Omit<PasskeyParts, 'ceremonies'> & Omit<ProviderParts, 'provider'>

/** Redirects a browser with its new session, and records it. */
export type LetIn = (request: Request, opened: OpenedSession, to: string) => Promise<Response>

export interface SignInOptions {
  /** The server's origin for people. */
  readonly publicUrl: string
  readonly parts: SignInParts
  readonly ways: SignInWays
  readonly session: Cookies
  /** The caller of a request's session. */
  callerOf(request: Request): Promise<(Caller & { readonly session: string }) | undefined>
  organisations(ids: readonly string[]): Promise<readonly Organisation[]>
  /** The client address of a request, behind any proxies. */
  sourceOf(request: Request): string
  /** Audits sign-ins, refusals and sign-outs. */
  readonly told?: SignInAudit['tell']
  trace?(thrown: unknown): void
}
