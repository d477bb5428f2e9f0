// "D3.js" is a library, "RFD12" and "D12th" are something else: decisions are cited with a standalone capital D.
const REFERENCE = /(?<![\p{L}\p{N}_.])D0*([0-9]{1,9})(?![\p{L}\p{N}_]|\.[\p{L}\p{N}])/gu

/** Numbers of the decisions that a text mentions as D12 or D012, each once, in the order of mention. */
export const mentionedNumbers = (text: string): number[] => [
  ...new Set([...text.matchAll(REFERENCE)].map((match) => Number(match[1]))),
]
