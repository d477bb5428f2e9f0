/** The parts of a keyboard event that identify the key. */
export interface Pressed {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Name of the key in the table: `mod+k`, `shift+x`, `?`, `escape`; undefined for a modifier alone. */
export function keyPress({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | undefined {
  if (MODIFIERS.has(key)) return undefined
  const isMark = key.length === 1 && !/[\p{L}\p{N}\s]/u.test(key)
  // `]` and `?` need AltGr or shift on many keyboards, so the typed character counts.
  if (isMark && !metaKey && ctrlKey === altKey) return key
  const name = NAMES[key] ?? latin(key, code).toLowerCase()
  const parts = [(ctrlKey || metaKey) && 'mod', altKey && 'alt', shiftKey && !isMark && 'shift', name]
  return parts.filter(Boolean).join('+')
}

/** On a keyboard of another script the position of the key counts, so that `j` works in Greek and Russian too. */
const latin = (key: string, code: string): string =>
  key.length === 1 && key > '\u007f' && /^Key[A-Z]$/.test(code) ? code.slice(3) : key

const MODIFIERS = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
])

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'space',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Esc: 'escape',
}
