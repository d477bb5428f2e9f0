import { sha256 } from '../../../kernel/domain/sha256.ts'

/** RFC 7636 with S256 only: the client that requested a code proves itself with the preimage of the challenge. */
export const CHALLENGE_METHOD = 'S256'

/** A SHA-256 in base64url. */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const answersChallenge = (verifier: string, challenge: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) && isChallenge(challenge) && challengeOf(verifier) === challenge

export function challengeOf(verifier: string): string {
  // 256 bits are 42 groups of six bits and four more bits.
  const bits = [...sha256(verifier)].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  return bits
    .padEnd(258, '0')
    .match(/.{6}/g)!
    .map((group) => BASE64URL[parseInt(group, 2)])
    .join('')
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
