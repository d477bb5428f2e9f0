import type { Grant } from '../domain/oauth/grant.ts'
import type { Scope } from '../domain/oauth/scopes.ts'

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

/** Logins by RFC 8628. Codes come here as hashes alone; every method is one step. */
export interface DeviceLogins {
  /** False when the same user code is kept already. What ended a day ago is forgotten. */
  begin(login: DeviceLogin, poll: { readonly interval: number; readonly now: Date }): Promise<boolean>
  /** What waits for an answer under a user code. */
  waiting(userHash: string, now: Date): Promise<DeviceLogin | undefined>
  /** Once: false when it was answered before, is too old or was never there. */
  answer(userHash: string, answer: Grant | 'denied', now: Date): Promise<boolean>
  /** What a device is told. A grant is given once; a question that comes too early makes the next ones wait longer. */
  poll(deviceHash: string, client: string, now: Date): Promise<DevicePoll>
}
