/** Formats a cost; model costs are mostly cents and less. */
export const inDollars = (cost: number): string => `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`
