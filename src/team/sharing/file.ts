import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import type { OwnShare, Sharing } from '../ports/sharing.ts'

const file = z.object({
  shares: z.array(
    z.object({
      root: z.string(),
      server: z.string(),
      project: z.string(),
      share: z.string(),
      sharedAt: z.string(),
      sentAt: z.string().optional(),
      documents: z.number(),
    }),
  ),
})

/** This machine's shares, in a file in its home. Read again every time: other processes change it. */
export function openOwnShares(path: string): Pick<Sharing, 'own' | 'remember' | 'forget'> {
  const own = (): OwnShare[] => {
    if (!existsSync(path)) return []
    const read = file.safeParse(jsonIn(readFileSync(path, 'utf8')))
    if (!read.success)
      throw new AppError('damaged', `${path} cannot be read.`, {
        hint: 'Move it away; list what you share with `ken shared --server … --project …`.',
      })
    return read.data.shares.map((share) => ({ ...share, sentAt: share.sentAt }))
  }
  const change = (edit: (shares: OwnShare[]) => OwnShare[]): void =>
    withLock(`${path}.lock`, () =>
      writeAtomically(path, `${JSON.stringify({ shares: edit(own()) }, null, 2)}\n`, 0o600),
    )
  const isOther =
    ({ root, server, project }: Pick<OwnShare, 'root' | 'server' | 'project'>) =>
    (one: OwnShare): boolean =>
      one.root !== root || one.server !== server || one.project !== project
  return {
    own,
    remember: (share) => change((shares) => [...shares.filter(isOther(share)), share]),
    forget: (share) => change((shares) => shares.filter(isOther(share))),
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
