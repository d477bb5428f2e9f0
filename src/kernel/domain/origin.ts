/**
 * Who did something, and through which program. Text from clients is cut and stripped of control characters before it
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
  /** Set by a team server for a program with a person's own token: it acts for them, and is no agent. */
  readonly by?: 'person'
}

/**
 * Whether a person sees the call, which is so only at a terminal, on a page of the app or in an editor; all other
 * callers are programs.
 */
export const isPerson = ({ surface }: Pick<Origin, 'surface'>): boolean =>
  surface === 'cli' || surface === 'app' || surface === 'editor'

/** Whether a person did it, at a screen or by a program of theirs; all other callers are agents. */
export const isOfPerson = (origin: Pick<Origin, 'surface' | 'by'>): boolean =>
  isPerson(origin) || (origin.surface === 'http' && origin.by === 'person')

/** The person and their program; on a machine, which knows no other people, the surface and the program. */
export function nameOrigin({ surface, client, user }: Partial<Origin>): string {
  if (user === undefined) return [surface, client].filter((part) => typeof part === 'string').join(' ')
  return client === undefined ? user : `${client} for ${user}`
}

const LONGEST = 256

export const cleanOriginText = (text: string): string => text.replace(/\p{Cc}/gu, '').slice(0, LONGEST)
