import styles from './keys.module.css'

/** Keys as they stand on the keyboard: `mod+k` is ⌘K or Ctrl K; in `g d` one comes after the other. */
export const Keys = ({ of }: { of: string }) => (
  <span className={styles.keys}>
    {keyCaps(of).map((chord, at) => (
      <kbd key={at} className={styles.key}>
        {chord}
      </kbd>
    ))}
  </span>
)

/** What is written on each key: for `g d` two, for `mod+k` one. */
const keyCaps = (of: string): readonly string[] =>
  of.split(' ').map((chord) =>
    chord
      .split(/\+(?=.)/)
      .map((key) => CAPS[key]?.[IS_APPLE ? 0 : 1] ?? (key.length === 1 ? key.toUpperCase() : key))
      .join(IS_APPLE ? '' : ' '),
  )

const IS_APPLE = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

const CAPS: Readonly<Record<string, readonly [apple: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  enter: ['⏎', '⏎'],
  escape: ['Esc', 'Esc'],
  space: ['Space', 'Space'],
  up: ['↑', '↑'],
  down: ['↓', '↓'],
  left: ['←', '←'],
  right: ['→', '→'],
  backspace: ['⌫', 'Backspace'],
}
