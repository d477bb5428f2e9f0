import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SentToHook } from '../ports/chat-channel.ts'

const WINDOW_S = 5 * 60

/**
 * Whether a request was signed with the signing secret in the last five minutes. Takes constant time, whatever is wrong
 * with it.
 */
export function isFromSlack(secret: string, { body, header }: SentToHook, now: Date): boolean {
  const at = header('x-slack-request-timestamp') ?? ''
  const shown = Buffer.from(header('x-slack-signature') ?? '')
  const signed = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${at}:`).update(body).digest('hex')}`)
  const isSame = timingSafeEqual(shown.length === signed.length ? shown : Buffer.alloc(signed.length), signed)
  const isNow = /^\d{1,12}$/.test(at) && Math.abs(now.getTime() / 1_000 - Number(at)) <= WINDOW_S
  return isSame && isNow
}
