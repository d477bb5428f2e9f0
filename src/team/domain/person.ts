import type { Access, Role } from './role.ts'

export interface Organisation {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** Somebody in one organisation. Their address is theirs alone there, and they stay its person after they left. */
export interface Person {
  readonly id: string
  readonly organisation: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  /** From then on they are a name on what they wrote, and nothing else. */
  readonly leftAt: string | undefined
}

export interface Invitation {
  readonly id: string
  readonly organisation: string
  readonly email: string
  readonly role: Role
  /** A person's id; undefined where the server itself did. */
  readonly invitedBy: string | undefined
  readonly createdAt: string
  readonly expiresAt: string
}

export interface TeamProject {
  readonly id: string
  readonly organisation: string
  readonly name: string
  readonly access: Access
  readonly createdAt: string
}
