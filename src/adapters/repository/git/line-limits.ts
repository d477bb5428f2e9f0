/** More of one file is generated or data; reading on would cost memory and find nothing. */
export const MOST_LINES = 5_000
export const LONGEST_LINE = 2_000

/** A line without its carriage return, cut where it is longer than any person wrote it. */
export const bounded = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, LONGEST_LINE)
