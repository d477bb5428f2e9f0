/** Documents that are written before a soak starts and never changed. */
export const ANCHORS = 12

export const anchorWord = (number: number): string => `anchorword${'abcdefghijkl'[number]}`
