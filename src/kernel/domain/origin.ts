/**
 * The actor of an action, and the program used. Text from clients is cut and stripped of control characters before it
 * gets here.
 */
export interface Origin {
  readonly surface:
    | 'cli'
    | 'app'
    | 'editor'
    | 'mcp-stdio'
    | 'mcp-http'
    | 'http'
    | 'merge'
    | 'repair'
    | 'import'
    | 'recovery'
  readonly client?: string
  readonly client_version?: string
  readonly session?: string
  readonly user?: string
  /** Set by a team server for a program with a personal token: it acts for the person and is not an agent. */
  readonly by?: 'person'
}

/**
 * Whether a person sees the call: only at a terminal, on a page of the app or in an editor. All other callers are
 * programs.
 */
export const isPerson = ({ surface }: Pick<Origin, 'surface'>): boolean =>
  surface === 'cli' || surface === 'app' || surface === 'editor'

/** Whether a person made the call, at a screen or with their own program; all other callers are agents. */
export const isOfPerson = (origin: Pick<Origin, 'surface' | 'by'>): boolean =>
  isPerson(origin) || (origin.surface === 'http' && origin.by === 'person')

/** The person and their program; on a machine, which has only one user, the surface and the program. */
export function nameOrigin({ surface, client, user }: Partial<Origin>): string {
  if (user === undefined) return [surface, client].filter((part) => typeof part === 'string').join(' ')
  return client === undefined ? user : `${client} for ${user}`
}

const LONGEST = 256

export const cleanOriginText = (text: string): string => text.replace(/\p{Cc}/gu, '').slice(0, LONGEST)
