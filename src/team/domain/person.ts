import type { Access, Role } from './role.ts'

export interface Organisation {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** A person in one organisation. Their address is unique there, and they remain its person after leaving. */
export interface Person {
  readonly id: string
  readonly organisation: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  /** Time at which the person left; after it, only their name remains on their work. */
  readonly leftAt: string | undefined
}

export interface Invitation {
  readonly id: string
  readonly organisation: string
  readonly email: string
  readonly role: Role
  /** A person's id; undefined if the server invited them. */
  readonly invitedBy: string | undefined
  readonly createdAt: string
  readonly expiresAt: string
}

/** A project that a person may see, with their role in it. */
export interface SeenProject extends Pick<TeamProject, 'id' | 'organisation' | 'name'> {
  readonly role: Role
}

export interface TeamProject {
  readonly id: string
  readonly organisation: string
  readonly name: string
  readonly access: Access
  readonly createdAt: string
}
