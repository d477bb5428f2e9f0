const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The name of a group and its count; a right-to-left name does not reorder the number. */
export const nameAndCount = (name: string, count: number): string =>
  `${RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name}  ${count}`
