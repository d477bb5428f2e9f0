import { sha256 } from './sha256.ts'

/** Scope outside any workspace, searched from all of them. */
export const GLOBAL = 'global'

/** Name of a workspace in the index and under `sessions/`. */
export const workspaceHash = (root: string): string => sha256(root).slice(0, 12)

export const isWorkspaceHash = (text: string): boolean => /^[0-9a-f]{12}$/.test(text)
