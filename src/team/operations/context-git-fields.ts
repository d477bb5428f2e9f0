import { z } from 'zod'
import type { TreeFault } from '../../context/domain/context-project/judge-tree.ts'
import type { KeptOrigin } from '../../context/ports/context-origins.ts'

const fault = z.object({
  path: z.string().optional(),
  line: z.number().optional(),
  message: z.string(),
})

const inUse = z.object({
  commit: z.string(),
  taken_at: z.string(),
  files: z.number(),
  bytes: z.number(),
  left_out: z.array(z.object({ path: z.string(), why: z.string() })).describe('What was skipped, and why.'),
})

const looked = z.object({
  at: z.string(),
  commit: z.string().optional(),
  ok: z.boolean(),
  faults: z.array(fault).describe('Why it was rejected; the active commit stays.'),
})

/** The origin of a project's context, and the state of its last pull. */
export const contextGitFields = z.object({
  address: z.string(),
  branch: z.string(),
  folder: z.string().describe('Empty for the whole repository.'),
  every: z.number().optional().describe('Minutes; missing if it is pulled only by webhook or by hand.'),
  has_token: z.boolean(),
  has_webhook: z.boolean(),
  set_by: z.string(),
  set_at: z.string(),
  in_use: inUse.optional().describe('The last commit that was good.'),
  looked: looked.optional().describe('Result of the last check.'),
})

export type ShownOrigin = z.output<typeof contextGitFields>

export const shownOrigin = (origin: KeptOrigin): ShownOrigin => ({
  address: origin.address,
  branch: origin.branch,
  folder: origin.folder,
  ...(origin.every !== undefined && { every: origin.every }),
  has_token: origin.credential !== undefined,
  has_webhook: origin.hook !== undefined,
  set_by: origin.setBy,
  set_at: origin.setAt,
  ...(origin.taken && {
    in_use: {
      commit: origin.taken.commit,
      taken_at: origin.taken.at,
      files: origin.taken.files,
      bytes: origin.taken.bytes,
      left_out: origin.taken.left.map(({ path, why }) => ({ path, why })),
    },
  }),
  ...(origin.looked && {
    looked: {
      at: origin.looked.at,
      ...(origin.looked.commit !== undefined && { commit: origin.looked.commit }),
      ok: origin.looked.faults.length === 0,
      faults: origin.looked.faults.map(faultOf),
    },
  }),
})

export const faultOf = ({ quotes: _quotes, ...told }: TreeFault): z.output<typeof fault> => ({ ...told })

type Lined = Pick<ShownOrigin, 'address' | 'branch' | 'folder' | 'every' | 'in_use' | 'looked'>

export function originLines({ address, branch, folder, every, in_use: used, looked: last }: Lined): string {
  const place = `${address} at ${branch}${folder === '' ? '' : `, folder ${folder}`}`
  const when = every === undefined ? 'pulled when told' : `looked at every ${every} minutes`
  const faults = (last?.faults ?? []).map(
    ({ path, line, message }) =>
      `  ${[path === undefined ? '' : line === undefined ? path : `${path}:${line}`, message].filter(Boolean).join('  ')}`,
  )
  return [
    `${place}; ${when}.`,
    used === undefined
      ? 'Nothing is in use yet.'
      : `In use: ${used.commit.slice(0, 12)} since ${used.taken_at}, ${used.files} files.`,
    ...(last === undefined ? [] : [`Looked at ${last.at}: ${last.ok ? 'all is well.' : 'it could not be used.'}`]),
    ...faults,
  ].join('\n')
}
