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
}

/**
 * Whether a person sees the call, which is so only at a terminal, on a page of the app or in an editor; all other
 * callers are programs.
 */
export const isPerson = ({ surface }: Pick<Origin, 'surface'>): boolean =>
  surface === 'cli' || surface === 'app' || surface === 'editor'

const LONGEST = 256

export const cleanOriginText = (text: string): string => text.replace(/\p{Cc}/gu, '').slice(0, LONGEST)
