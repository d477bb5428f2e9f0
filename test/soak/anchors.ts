/** Documents that are written before a soak begins and never touched again. */
export const ANCHORS = 12

export const anchorWord = (number: number): string => `anchorword${'abcdefghijkl'[number]}`
