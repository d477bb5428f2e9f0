import type { Permission } from './permission.ts'

/** Server actions besides operations, for a machine that shares its record or memory. Not available to agents. */
export const TEAM_ACTIONS = {
  link_record: {
    least: 'member',
    of: 'organisation',
    scope: 'write',
    by: 'token',
    isInTurn: false,
    without: [],
    why: 'It begins something new, and changes nothing.',
  },
  pull_record: {
    least: 'viewer',
    of: 'project',
    scope: 'read',
    by: 'token',
    isInTurn: false,
    without: [],
    why: 'It brings the record to a machine.',
  },
  push_record: {
    least: 'member',
    of: 'project',
    scope: 'write',
    by: 'token',
    isInTurn: false,
    without: [],
    why: 'It writes what the person’s machine wrote.',
  },
  share_memory: {
    least: 'member',
    of: 'project',
    scope: 'write',
    by: 'token',
    isInTurn: false,
    without: [],
    why: 'A person gives what is theirs, and takes it back.',
  },
  list_shared: {
    least: 'viewer',
    of: 'project',
    scope: 'read',
    by: 'token',
    isInTurn: false,
    without: [],
    why: 'People see what is shared with them.',
  },
} as const satisfies Record<string, Permission>
