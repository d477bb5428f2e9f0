/** Replaces text that is not the user's; evidence must not span it. */
export const LEFT_OUT = '[…]'
