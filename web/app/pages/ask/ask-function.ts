/** Asks in the chat that is shown. */
export type Ask = (
  text: string,
  more?: {
    readonly images?: readonly string[]
    /** The question that it is asked in place of. */
    readonly instead?: string
    readonly model?: string
  },
) => void
