import type { Clock } from '../../../kernel/ports/clock.ts'
import type { AuthorizationStore } from '../../../team/ports/authorizations.ts'
import type { ClientDocuments } from '../../../team/ports/client-documents.ts'
import type { SignInAudit } from '../../../team/sign-in-audit.ts'

/** The person at the browser. */
export interface SignedInPerson {
  readonly id: string
  readonly name: string
  /** Id of the session. */
  readonly session?: string
  /** Shared only by the server and this session: seals data that a page sends back. */
  readonly sessionSecret: string
  /** Projects that the person may share with an agent. */
  readonly projects: readonly { readonly id: string; readonly name: string }[]
}

export interface OAuthOptions {
  /** The server's origin for people and clients. */
  readonly publicUrl: string
  readonly store: AuthorizationStore
  /** Undefined if the server cannot or must not access the addresses of clients. */
  readonly documents: ClientDocuments | undefined
  /** Whether a client may register itself. */
  readonly allowsRegistration: boolean
  readonly clock: Clock
  personOf(request: Request): Promise<SignedInPerson | undefined>
  /** This server's sign-in path, which continues to `returnTo`, another path on this server. */
  signInAt(returnTo: string): string
  /** Whether a person is still in the team; checked whenever a token is issued or used. */
  isActive(person: string): Promise<boolean>
  /** The client address of a request, behind any proxies. */
  addressOf(request: Request): string
  /** Records grants and their end in the audit log. */
  readonly told?: SignInAudit['tell']
  /** Logs the full error, if requested. Never receives a code or a token. */
  trace?(thrown: unknown): void
}
