import { sha256 } from '../../kernel/domain/sha256.ts'
import type { SeenProject } from './person.ts'
import type { Role, Scope } from './role.ts'

/** A person's token as shown: never its secret. */
export interface Token {
  readonly id: string
  readonly person: string
  /** An `agent` token is for programs that act for the person. */
  readonly kind: TokenKind
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Ids of its projects; undefined for all of the person's projects, now and later. */
  readonly projects: readonly string[] | undefined
  readonly createdAt: string
  readonly expiresAt: string
  /** Precise to the minute. */
  readonly usedAt: string | undefined
  readonly revokedAt: string | undefined
}

export type TokenKind = 'personal' | 'agent'

/** The owner and scopes of a token; the owner's permissions are their current ones. */
export interface TokenHolder extends Pick<Token, 'id' | 'person' | 'kind' | 'scopes' | 'projects'> {
  readonly organisation: string
  readonly role: Role
  /** The person's projects at the same moment, by name. */
  readonly seen: readonly SeenProject[]
}

const LETTERS: Readonly<Record<TokenKind, string>> = { personal: 'p', agent: 'a' }
const BYTES = 32
/** 62 to the 43rd is just above 2 to the 256th. */
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The secret of a token: `ken_`, a letter for its kind, 256 random bits and a checksum, all in letters and digits. */
export function tokenSecret(kind: TokenKind, random: Uint8Array): string {
  if (random.length !== BYTES) throw new RangeError(`a token is made of ${BYTES} bytes`)
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const body = `ken_${LETTERS[kind]}_${inDigits(number, SECRET_LENGTH)}`
  return body + checkOf(body)
}

/** Detects typos and foreign tokens before any lookup. Proves nothing. */
export function isTokenShaped(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const body = text.slice(0, -CHECK_LENGTH)
  return text.slice(-CHECK_LENGTH) === checkOf(body)
}

/**
 * The stored form of a secret. It has 256 random bits, so nothing slower than SHA-256 is needed, and the timing of a
 * lookup reveals only something about the hash.
 */
export const hashOfSecret = (secret: string): string => sha256(secret)

const SHAPE = new RegExp(`^ken_[pa]_[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`)

const checkOf = (body: string): string => inDigits(BigInt(`0x${sha256(body).slice(0, 8)}`), CHECK_LENGTH)

function inDigits(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)]! + text
  return text
}
