/** Entry directly in Ken's folder. */
export interface HomePart {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly files: number
}

/** Ken's folder on this machine. */
export interface OwnHome {
  readonly path: string
  /** Entries of the folder, by name. Links are not followed; entries that vanish are skipped. */
  parts(): Promise<readonly HomePart[]>
  /** When the HTTP server's token was created; undefined if there is none yet. */
  tokenMade(): Promise<{ readonly path: string; readonly at: Date | undefined }>
  /** Creates a new token for the HTTP server, readable by the owner only. The old token stops working immediately. */
  renewToken(): Promise<void>
}
