import { AppError } from '../../kernel/domain/errors.ts'
import { bearerAccess, type BearerAccess } from '../../surfaces/http/oauth/bearer-access.ts'
import { buildOAuthApp } from '../../surfaces/http/oauth/oauth-app.ts'
import type { OAuthOptions } from '../../surfaces/http/oauth/oauth-options.ts'
import { answerFile, answerPage, type WebFiles } from '../../surfaces/http/page-files.ts'
import { sendTo } from '../../surfaces/http/plain-page.ts'
import { nothingHere } from '../../surfaces/http/refusals.ts'
import { cookiesNamed } from '../../surfaces/http/sign-in/cookies.ts'
import { buildOwnDataApp } from '../../surfaces/http/sign-in/own-data-app.ts'
import { buildSignInApp, signInAt } from '../../surfaces/http/sign-in/sign-in-app.ts'
import type { SignInWays } from '../../surfaces/http/sign-in/sign-in-options.ts'
import { buildFirstProjectApp, FIRST_PROJECT } from '../../surfaces/http/team/first-project.ts'
import type { RequestSources } from '../../surfaces/http/team/request-source.ts'
import type { BrowserRoutes } from '../../surfaces/http/team/team-app.ts'
import { callerOfSession } from '../../team/authenticate.ts'
import type { Caller } from '../../team/domain/may.ts'
import { COMMAND_LINE } from '../../team/domain/oauth/oauth-client.ts'
import type { ClientDocuments } from '../../team/ports/client-documents.ts'
import type { SignInAudit } from '../../team/sign-in-audit.ts'
import type { Team } from './open-team.ts'

export interface BrowserRoutesOptions {
  readonly publicUrl: string
  readonly ways: SignInWays
  readonly files: WebFiles
  readonly sources: RequestSources
  /** Whether an agent may register itself with the server. */
  readonly allowsRegistration: boolean
  /** Creates a project for a person who has none; returns its id. */
  createProject(asked: { readonly caller: Caller; readonly source: string }, name: string): Promise<string>
  /** Undefined if the server cannot or must not reach client addresses. */
  readonly documents: ClientDocuments | undefined
  readonly told: SignInAudit['tell']
  trace?(thrown: unknown): void
}

export interface OpenedDoor {
  readonly door: BrowserRoutes
  /** The caller identified by a token that a person granted to an agent. */
  callerOfGrant(token: string): Promise<Caller | undefined>
}

/** Browser pages for a team's people, including the authorisation of their agents. */
export function openBrowserRoutes(team: Team, options: BrowserRoutesOptions): OpenedDoor {
  const { publicUrl, ways, files, sources, told } = options
  const { people, projects, signIn, parts } = team
  const session = cookiesNamed('ken-session', publicUrl)
  const callerOf = async (request: Request) => callerOfSession(signIn, session.read(request) ?? '')
  const trace = options.trace && { trace: options.trace }
  const grants: OAuthOptions = {
    publicUrl,
    store: team.grants,
    documents: options.documents,
    allowsRegistration: options.allowsRegistration,
    clock: parts.clock,
    signInAt,
    isActive: async (person) => isHere(await people.find(person)),
    addressOf: sources.of,
    told,
    async personOf(request) {
      const caller = await callerOf(request)
      const person = caller && (await people.find(caller.person))
      if (person === undefined) return undefined
      const { id, name } = person
      return {
        id,
        name,
        session: caller!.session,
        sessionSecret: session.read(request)!,
        projects: await projects.list(id),
      }
    },
    ...trace,
  }
  const desk = {
    publicUrl,
    parts: signIn,
    ways,
    session,
    callerOf,
    organisations: people.organisations,
    sourceOf: sources.of,
    told,
    ...trace,
  }
  const offers = team.operations.filter(({ hiddenFrom }) => hiddenFrom.app === undefined).map(({ name }) => name)
  const access = bearerAccess(grants)
  return {
    callerOfGrant: (token) => callerOfGrant(team, access, token),
    door: {
      apps: [
        buildSignInApp(desk),
        buildOwnDataApp({ ...desk, filesOf: team.exported.person, now: () => parts.clock.now() }),
        buildFirstProjectApp({
          publicUrl,
          callerOf,
          create: (request, caller, name) => options.createProject({ caller, source: sources.of(request) }, name),
          ...trace,
        }),
        buildOAuthApp(grants),
      ],
      sessionOf: session.read,
      callerOfSession: (secret) => callerOfSession(signIn, secret),
      signInAt,
      challenge: (problem) => access.challenge(problem),
      asset: (request) => answerFile(request, files),
      async page(request, caller) {
        if (new URL(request.url).pathname !== '/')
          return (await answerPage(files, { team: true, offers })) ?? nothingHere()
        const [first] = await projects.list(caller.person)
        return sendTo(first === undefined ? FIRST_PROJECT : `/${first.id}`)
      },
    },
  }
}

/**
 * Returns the caller of a granted token, never with more than the person's current rights: a reduced role or a closed
 * project ends the grant.
 */
async function callerOfGrant(team: Team, access: BearerAccess, token: string): Promise<Caller | undefined> {
  const found = await access.accessOf(token)
  const person = found && (await team.people.find(found.person))
  if (found === undefined || !isHere(person)) return undefined
  const { id, organisation, role } = person
  const { scopes, projects, grant: held } = found
  // Ken's own command line acts as the person at a terminal, like a token that they created.
  const through = found.client === COMMAND_LINE.id ? 'token' : 'agent'
  return { person: id, organisation, role, through, held, scopes, projects }
}

const isHere = <P extends { readonly leftAt: string | undefined }>(person: P | undefined): person is P =>
  person !== undefined && person.leftAt === undefined

export function readProxies(text: string | undefined): number {
  const count = Number(text?.trim() || '0')
  if (Number.isInteger(count) && count >= 0 && count < 10) return count
  throw new AppError('invalid_input', 'KEN_PROXIES must be the number of your proxies in front of the server, 0 to 9.')
}
