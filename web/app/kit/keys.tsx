import styles from './keys.module.css'

/** Keys as labelled on the keyboard: `mod+k` is ⌘K or Ctrl K; `g d` is a sequence. */
export const Keys = ({ of }: { of: string }) => (
  <span className={styles.keys}>
    {keyCaps(of).map((chord, at) => (
      <kbd key={at} className={styles.key}>
        {chord}
      </kbd>
    ))}
  </span>
)

/** Label of each key: two for `g d`, one for `mod+k`. */
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
