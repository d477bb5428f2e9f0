/** One thing directly in Ken's own folder. */
export interface HomePart {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly files: number
}

/** Ken's own folder on this machine. */
export interface OwnHome {
  readonly path: string
  /** What lies in it, by name. No link is followed; what vanishes meanwhile is left out. */
  parts(): Promise<readonly HomePart[]>
  /** When the token of the HTTP server was made; undefined where there is none yet. */
  tokenMade(): Promise<{ readonly path: string; readonly at: Date | undefined }>
  /** Makes another token for the HTTP server, for the owner alone; the one before opens nothing any more. */
  renewToken(): Promise<void>
}
