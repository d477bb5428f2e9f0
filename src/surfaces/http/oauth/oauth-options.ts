import type { Clock } from '../../../kernel/ports/clock.ts'
import type { DoorAudit } from '../../../team/door-audit.ts'
import type { AuthorizationStore } from '../../../team/ports/authorizations.ts'
import type { ClientDocuments } from '../../../team/ports/client-documents.ts'

/** Whoever sits at the browser. */
export interface SignedInPerson {
  readonly id: string
  readonly name: string
  /** Id of the session. */
  readonly session?: string
  /** Known to the server and to this session alone: what a page is given to send back is sealed with it. */
  readonly sessionSecret: string
  /** Those that the person may hand on to an agent. */
  readonly projects: readonly { readonly id: string; readonly name: string }[]
}

export interface OAuthOptions {
  /** The origin under which people and clients reach the server. */
  readonly publicUrl: string
  readonly store: AuthorizationStore
  /** Undefined where the server cannot or shall not reach the addresses of clients. */
  readonly documents: ClientDocuments | undefined
  /** Whether a client may register itself. */
  readonly allowsRegistration: boolean
  readonly clock: Clock
  personOf(request: Request): Promise<SignedInPerson | undefined>
  /** The path of this server where somebody signs in who then goes on to `returnTo`, also a path of this server. */
  signInAt(returnTo: string): string
  /** Whether a person is still one of the team; asked whenever a token is given or used. */
  isActive(person: string): Promise<boolean>
  /** Where a request comes from, behind whatever proxies there are. */
  addressOf(request: Request): string
  /** Writes down what was allowed to whom, and what ended. */
  readonly told?: DoorAudit['tell']
  /** Tells the whole of what went wrong, where that is wanted. It is never given a code or a token. */
  trace?(thrown: unknown): void
}
