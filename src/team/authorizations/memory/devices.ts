import { afterPoll, type PollState } from '../../domain/oauth/device-code.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import { USED_CODE_LIVES } from '../../domain/oauth/lifetimes.ts'
import type { DeviceLogin, DeviceLogins } from '../../ports/device-logins.ts'

type Held = PollState & { readonly login: DeviceLogin; readonly answer: Grant | 'denied' | undefined }

export function memoryDevices(grants: Map<string, Grant>): DeviceLogins {
  const held = new Map<string, Held>()
  const open = (userHash: string, now: Date): Held | undefined =>
    [...held.values()].find(
      ({ login, answer }) => login.userHash === userHash && login.expiresAt > now && answer === undefined,
    )
  return {
    async begin(login, { interval, now }) {
      for (const [hash, other] of held)
        if (other.login.expiresAt.getTime() + USED_CODE_LIVES <= now.getTime()) held.delete(hash)
      if ([...held.values()].some((other) => other.login.userHash === login.userHash)) return false
      held.set(login.deviceHash, { login, interval, polledAt: undefined, answer: undefined })
      return true
    },
    waiting: async (userHash, now) => open(userHash, now)?.login,
    async answer(userHash, answer, now) {
      const found = open(userHash, now)
      if (found === undefined) return false
      if (answer !== 'denied') grants.set(answer.id, structuredClone(answer))
      held.set(found.login.deviceHash, { ...found, answer })
      return true
    },
    async poll(deviceHash, client, now) {
      const found = held.get(deviceHash)
      if (found === undefined || found.login.client !== client) return 'unknown'
      if (found.login.expiresAt <= now) return 'expired'
      const { tooEarly, ...state } = afterPoll(found, now)
      if (tooEarly) {
        held.set(deviceHash, { ...found, ...state })
        return 'slow down'
      }
      if (found.answer === undefined) {
        held.set(deviceHash, { ...found, ...state })
        return 'pending'
      }
      held.delete(deviceHash)
      return found.answer
    },
  }
}
