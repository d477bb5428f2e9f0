/** Stands where something was that the user did not say themselves; no evidence reaches across it. */
export const LEFT_OUT = '[…]'
