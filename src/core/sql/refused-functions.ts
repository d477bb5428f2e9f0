export const refusedFunction = (u: { name: string }, d: string): string | undefined => (u.name && d ? undefined : undefined)
