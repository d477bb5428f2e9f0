/** Asks in the open chat. */
export type Ask = (
  text: string,
  more?: {
    readonly images?: readonly string[]
    /** Id of the question that this one replaces. */
    readonly instead?: string
    readonly model?: string
  },
) => void
