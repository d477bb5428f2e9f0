import { openDraw } from '../secrets/make.ts'

/** A column with the kind of its values; `kind` is undefined if they are not personal. */
export interface LabelledColumn {
  readonly name: string
  readonly kind: string | undefined
  readonly values: readonly LabelledValue[]
}

export interface LabelledValue {
  readonly text: string
  /** Texts that must not remain: the value itself and parts that identify it. */
  readonly planted: readonly string[]
}

export interface LabelledTable {
  readonly name: string
  readonly columns: readonly LabelledColumn[]
}

export type Pick = <T>(items: readonly T[]) => T

const ROWS = 10

export function openPick(seed: number): {
  readonly pick: Pick
  digits(length: number): string
  hex(length: number): string
} {
  const draw = openDraw(seed)
  return {
    pick: (items) => items[Number.parseInt(draw('0123456789', 6), 10) % items.length]!,
    digits: (length) => draw('0123456789', length),
    hex: (length) => draw('0123456789abcdef', length),
  }
}

/** A column of ten values of one kind. */
export const column = (name: string, kind: string, make: () => LabelledValue): LabelledColumn => ({
  name,
  kind,
  values: Array.from({ length: ROWS }, make),
})

/** A column of ten non-personal values. */
export const innocent = (name: string, make: (i: number) => string): LabelledColumn => ({
  name,
  kind: undefined,
  values: Array.from({ length: ROWS }, (_, i) => ({ text: make(i), planted: [] })),
})

/** A value that is personal as a whole. */
export const whole = (text: string, ...parts: readonly string[]): LabelledValue => ({ text, planted: [text, ...parts] })

/** Appends a Luhn check digit: the sum, every second digit doubled, ends in 0. */
export function withLuhn(body: string): string {
  for (let digit = 0; digit < 10; digit++) {
    const all = `${body}${digit}`
    const sum = [...all].toReversed().reduce((total, char, i) => {
      const value = Number(char) * (i % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    if (sum % 10 === 0) return all
  }
  throw new Error('no digit fits')
}

export function ibanOf(country: string, account: string): string {
  const digits = (text: string): string => [...text].map((char) => String(Number.parseInt(char, 36))).join('')
  const check = 98n - (BigInt(digits(`${account}${country}00`)) % 97n)
  return `${country}${String(check).padStart(2, '0')}${account}`
}

export const grouped = (text: string, size = 4): string => text.match(new RegExp(`.{1,${size}}`, 'g'))!.join(' ')

/** Calls `make` until the check accepts the result. */
export function accepted(make: () => string, accepts: (text: string) => boolean): string {
  for (let tries = 0; tries < 100_000; tries++) {
    const text = make()
    if (accepts(text)) return text
  }
  throw new Error('nothing is accepted')
}

/** The last eight digits, which identify a number. */
export const lastDigits = (text: string): string => text.replaceAll(/\D/g, '').slice(-8)
