const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ELLIPSIS = '…'

interface Room {
  readonly width: number
  widthOf(text: string): number
}

/**
 * Shortens labels so that different labels stay different: cut at the end, or in the middle if cutting at the end makes
 * two labels equal, and otherwise around the place where they differ.
 */
export function fitLabels(
  labels: readonly string[],
  width: number,
  widthOf: Room['widthOf'],
): ReadonlyMap<string, string> {
  const room = { width, widthOf }
  const isLong = (label: string): boolean => widthOf(label) > width
  const fitted = new Map(labels.map((label) => [label, isLong(label) ? cutEnd(label, room) : label]))
  for (const cutting of [() => cutMiddle, cutShared])
    for (const group of sameTexts(fitted)) {
      const cut = cutting(group)
      for (const label of group) if (isLong(label)) fitted.set(label, cut(label, room))
    }
  return fitted
}

/** The labels that would be shown with the same text. */
function sameTexts(fitted: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const [label, text] of fitted) {
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [label])
    else group.push(label)
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

const cutEnd = (label: string, { width, widthOf }: Room): string =>
  `${startOf(label, width - widthOf(ELLIPSIS), widthOf)}${ELLIPSIS}`

function cutMiddle(label: string, { width, widthOf }: Room): string {
  const half = (width - widthOf(ELLIPSIS)) / 2
  const end = take([...charactersOf(label)].toReversed(), half, widthOf).toReversed()
  return `${startOf(label, half, widthOf)}${ELLIPSIS}${end.join('').trimStart()}`
}

function cutShared(group: readonly string[]): (label: string, room: Room) => string {
  const shared = sharedLength(group)
  return (label, { width, widthOf }) => {
    const start = `${startOf(label, width / 3, widthOf)}${ELLIPSIS}`
    const rest = label.slice(shared).trimStart()
    const left = width - widthOf(start)
    return `${start}${widthOf(rest) <= left ? rest : cutEnd(rest, { width: left, widthOf })}`
  }
}

/** Length of the beginning that all labels share, up to the start of the word in which they differ. */
function sharedLength([first = '', ...others]: readonly string[]): number {
  let length = 0
  while (length < first.length && others.every((other) => other[length] === first[length])) length++
  while (length > 0 && /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(first[length - 1]!)) length--
  return length
}

const startOf = (label: string, width: number, widthOf: Room['widthOf']): string =>
  take(charactersOf(label), width, widthOf).join('').trimEnd()

function take(characters: Iterable<string>, width: number, widthOf: Room['widthOf']): string[] {
  const taken: string[] = []
  let used = 0
  for (const character of characters) {
    used += widthOf(character)
    if (used > width) break
    taken.push(character)
  }
  return taken
}

function* charactersOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}
