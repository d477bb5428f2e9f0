export interface Mail {
  /** One address, from `emailAddress`. */
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** Sends mail. Every back end passes test/contract/mailer.contract.ts. */
export interface Mailer {
  /**
   * Resolves when a server has accepted it and will keep trying. Throws `unavailable` otherwise, without any contents
   * of the mail. Refuses a subject or address of more than one line with `invalid_input`.
   */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
