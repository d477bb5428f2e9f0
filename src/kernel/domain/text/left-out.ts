/** Replaces text that is not the user's own; no evidence spans it. */
export const LEFT_OUT = '[…]'
