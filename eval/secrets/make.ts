import { crc32 } from 'node:zlib'

/** A text with one secret in it. */
export interface SecretCase {
  readonly kind: string
  readonly text: string
  readonly secret: string
}

/** A text that looks as if it contained a secret but does not. */
export interface Lookalike {
  readonly kind: string
  readonly text: string
}

export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const UPPER = LOWER.toUpperCase()
export const DIGITS = '0123456789'
export const HEX = '0123456789abcdef'
export const ALNUM = `${LOWER}${UPPER}${DIGITS}`
export const BASE36 = `${LOWER}${DIGITS}`
export const BASE64 = `${ALNUM}+/`
export const URL64 = `${ALNUM}-_`

export type Draw = (alphabet: string, length: number) => string

/** Bodies of secrets, the same for the same seed. This folder contains no literal that looks like a secret. */
export function openDraw(seed: number): Draw {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return (alphabet, length) => Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
}

/** Appends the base 62 checksum with which GitHub and npm tokens end. */
export function checked(prefix: string, body: string): string {
  const alphabet = `${DIGITS}${UPPER}${LOWER}`
  let rest = crc32(body)
  let sum = ''
  while (sum.length < 6) {
    sum = alphabet[rest % 62] + sum
    rest = Math.floor(rest / 62)
  }
  return `${prefix}${body}${sum}`
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
export const base64url = (text: string): string => Buffer.from(text).toString('base64url')

export const jwt = (draw: Draw, claims: object): string =>
  [base64url('{"alg":"HS256","typ":"JWT"}'), base64url(JSON.stringify(claims)), draw(URL64, 43)].join('.')

export function pem(draw: Draw, kind: string, lines: number): { text: string; body: string } {
  const body = Array.from({ length: lines }, () => draw(BASE64, 64)).join('\n')
  const dashes = '-'.repeat(5)
  return {
    body,
    text: `${dashes}BEGIN ${kind}PRIVATE ${'KEY'}${dashes}\n${body}\n${dashes}END ${kind}PRIVATE ${'KEY'}${dashes}`,
  }
}

/** Contexts of a token that can be recognised only by its shape. */
export const SURROUNDINGS: readonly ((token: string) => string)[] = [
  (token) => `Deployment notes\n\nI ran it with ${token} yesterday and it went through; we should rotate that.\n`,
  (token) =>
    `import { Client } from './client.ts'\n\nconst client = new Client('${token}', { retries: 3 })\nawait client.ping()\n`,
  (token) =>
    `2026-03-04T10:11:12.345Z WARN  [http] request failed status=401 sent=${token} path=/v1/items duration=31ms\n`,
  (token) => `{"type":"tool_result","content":"stdout:\\n${token}\\nexit 0","is_error":false}\n`,
  (token) =>
    `services:\n  worker:\n    image: registry.internal/worker:1.4\n    command: ["run", "--with", "${token}"]\n`,
  (token) => `| name | value | since |\n| --- | --- | --- |\n| staging | ${token} | 2025-11-02 |\n`,
  (token) => `$ history | tail -2\n  501  git status\n  502  ./publish.sh ${token}\n`,
  (token) => `<config>\n  <entry id="7">${token}</entry>\n</config>\n`,
]
