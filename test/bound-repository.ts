import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Victim } from './hostile-clone.ts'

/** Text of the decision in every record created here. */
export const SECRET = 'Orders live in PostgreSQL'

export interface BoundRepository {
  readonly repo: string
  readonly id: string
  readonly record: string
}

/** A user repository bound to a project, with a decision in its record. */
export async function bindRepository(user: Victim, name: string, ...init: readonly string[]): Promise<BoundRepository> {
  const repo = user.clone(name, { 'README.md': name })
  await user.exit(repo, 'init', { name, in_repo: init.includes('--in-repo') })
  await propose(user, repo)
  const id = JSON.parse(readFileSync(join(repo, '.ken/config.json'), 'utf8')).id as string
  const record = init.includes('--in-repo') ? join(repo, '.ken/record') : join(user.kenHome, 'projects', id)
  return { repo, id, record }
}

export const propose = (user: Victim, cwd: string, title = SECRET) =>
  user.exit(cwd, 'propose_decision', {
    title,
    rationale: 'Transactions across orders and stock need one database that has them.',
  })

export const decisionsIn = (record: string): string[] => readdirSync(join(record, 'decisions'))
