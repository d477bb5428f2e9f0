const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Random bytes as base64url without padding: what goes into cookies and links. */
export function opaqueSecret(random: Uint8Array): string {
  let text = ''
  for (let at = 0; at < random.length; at += 3) {
    const [a, b = 0, c = 0] = random.subarray(at, at + 3)
    const bits = (a! << 16) | (b << 8) | c
    const count = Math.min(3, random.length - at) + 1
    for (let digit = 0; digit < count; digit++) text += DIGITS[(bits >> (18 - 6 * digit)) & 63]
  }
  return text
}

/** A secret nobody can guess: 256 bits. */
export const SECRET_BYTES = 32
