/** The action of a key in a list. */
export type ListDeed =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'open' | 'preview' | 'check' | 'check-all' }

interface Standing {
  /** Index of the active row; -1 for none. */
  readonly at: number
  readonly count: number
  /** Number of visible rows. */
  readonly page: number
}

/** Keyboard of every list: arrows or j and k, Home, End, Page Up, Page Down, Enter, Space and x. */
export function listDeed(key: string, { at, count, page }: Standing): ListDeed | undefined {
  if (count === 0) return undefined
  const move = (to: number): ListDeed => ({ kind: 'move', to: Math.max(0, Math.min(count - 1, to)) })
  const leap = Math.max(1, page - 1)
  switch (key) {
    case 'j':
    case 'down':
      return move(at + 1)
    case 'k':
    case 'up':
      // No active row yet: up starts at the end.
      return move(at < 0 ? count - 1 : at - 1)
    case 'pagedown':
      return move(Math.max(at, 0) + leap)
    case 'pageup':
      return move(Math.max(at, 0) - leap)
    case 'home':
      return move(0)
    case 'end':
      return move(count - 1)
    case 'enter':
      return at < 0 ? undefined : { kind: 'open' }
    case 'space':
      return at < 0 ? undefined : { kind: 'preview' }
    case 'x':
      return at < 0 ? undefined : { kind: 'check' }
    case 'mod+a':
      return { kind: 'check-all' }
    default:
      return undefined
  }
}
