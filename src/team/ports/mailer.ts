export interface Mail {
  /** One address, as `emailAddress` gives it. */
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

/** Sends mail. Every back end passes test/contract/mailer.contract.ts. */
export interface Mailer {
  /**
   * Done when somebody took it who will go on trying. Throws `unavailable` where nobody did; nothing of what was to be
   * sent stands in it. Refuses a subject or address of more than one line with `invalid_input`.
   */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
