const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The name of a group and how many it has; a name that runs from right to left does not pull the number in. */
export const nameAndCount = (name: string, count: number): string =>
  `${RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name}  ${count}`
