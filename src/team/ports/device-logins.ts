import type { Scope, Grant } from '../domain/oauth/scopes.ts'

/** A program on a machine without a browser that waits for a person to type a code elsewhere. */
export interface DeviceLogin {
  readonly deviceHash: string
  readonly userHash: string
  readonly client: string
  readonly clientName: string
  readonly resource: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
}

export type DevicePoll = 'unknown' | 'expired' | 'pending' | 'slow down' | 'denied' | Grant

/** Logins by RFC 8628. Codes are passed only as hashes; every method is atomic. */
export interface DeviceLogins {
  /** False if the same user code is already in use. Also deletes logins that ended a day ago. */
  begin(login: DeviceLogin, poll: { readonly interval: number; readonly now: Date }): Promise<boolean>
  /** The pending login that a user code belongs to. */
  waiting(userHash: string, now: Date): Promise<DeviceLogin | undefined>
  /** Once: false if it was answered before, has expired or never existed. */
  answer(userHash: string, answer: Grant | 'denied', now: Date): Promise<boolean>
  /** The response to a device. A grant is returned once; polling too early makes the next polls wait longer. */
  poll(deviceHash: string, client: string, now: Date): Promise<DevicePoll>
}
