/** How many milliseconds a search waits for a model before it answers without it. */
export const STAGE_DEADLINES = { expansion: 2_000, rerank: 3_000 } as const
