/** Texts in order, in groups of at most so many texts and characters; a text that is longer by itself stands alone. */
export function inBatches<T extends { readonly text: string }>(
  items: readonly T[],
  { count, characters }: { count: number; characters: number },
): T[][] {
  const batches: T[][] = []
  let size = 0
  for (const item of items) {
    const open = batches.at(-1)
    if (open === undefined || open.length >= count || size + item.text.length > characters) {
      batches.push([item])
      size = 0
    } else open.push(item)
    size += item.text.length
  }
  return batches
}
