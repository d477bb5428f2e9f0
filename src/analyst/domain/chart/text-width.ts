/**
 * Estimates the width of a text without a browser, by the widths of the font used for pictures. Other fonts in the list
 * are about as wide.
 */
export function textWidth(text: string, size: number): number {
  let thousandths = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    thousandths += WIDTHS[code - 32] ?? (code >= 0x1100 ? WIDE : OTHER)
  }
  return (thousandths * size) / 1_000
}

/** Returns as much of a text as fits, with an ellipsis if cut. */
export function fitText(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text
  let kept = ''
  for (const character of text) {
    if (textWidth(`${kept}${character}…`, size) > room) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

const WIDE = 1_000
const OTHER = 600

// DejaVu Sans Condensed, U+0020 to U+007E, in thousandths of the size.
const WIDTHS: readonly number[] = [
  286, 360, 414, 754, 572, 855, 702, 247, 351, 351, 450, 754, 286, 325, 286, 303, 572, 572, 572, 572, 572, 572, 572,
  572, 572, 572, 303, 303, 754, 754, 754, 478, 900, 615, 617, 628, 693, 568, 518, 697, 677, 265, 265, 590, 501, 776,
  673, 708, 542, 708, 625, 571, 549, 659, 615, 890, 616, 549, 616, 351, 303, 351, 754, 450, 450, 551, 571, 495, 571,
  554, 316, 571, 570, 250, 250, 521, 250, 876, 570, 550, 571, 571, 370, 469, 353, 570, 532, 736, 532, 532, 472, 572,
  303, 572, 754,
]
