import { z } from 'zod'
import { AppError } from '../kernel/domain/errors.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import { SCOPES, type SetupScope } from './domain/client.ts'
import { CLIENT_NAMES, type ClientName } from './domain/clients.ts'
import { clientChanges } from './domain/wiring.ts'
import type { SetupNeeds } from './ports/setup-needs.ts'
import { wiringFor } from './wire-client.ts'

export const wiredClient = z.object({
  client: z.string(),
  connected: z.boolean().describe('Its settings name the server of Ken, for the user or for this project.'),
  files: z.array(z.string()).describe('Files with entries, hooks or skills of Ken.'),
  problem: z.string().optional().describe('Why one of its files could not be looked at.'),
})

type WiredClient = z.output<typeof wiredClient>

/** Coding agents connected to Ken here, by the changes a removal would make. Changes nothing. */
export const findWiring = (ctx: Call & SetupNeeds & MachineNeeds, root: string): Promise<WiredClient[]> =>
  Promise.all(CLIENT_NAMES.map((client) => wiringOf(ctx, client, root)))

async function wiringOf(ctx: Call & SetupNeeds & MachineNeeds, client: ClientName, root: string): Promise<WiredClient> {
  const found = await Promise.all(SCOPES.map((scope) => findWiringIn(ctx, { client, scope, root })))
  const problem = found.find((one) => one.problem !== undefined)?.problem
  return {
    client,
    connected: found.some((one) => one.connected),
    files: [...new Set(found.flatMap((one) => one.files))],
    ...(problem !== undefined && { problem }),
  }
}

/** Checks one client in one scope. */
export async function findWiringIn(
  ctx: Call & SetupNeeds & MachineNeeds,
  place: { client: ClientName; scope: SetupScope; root: string },
): Promise<{ connected: boolean; files: string[]; problem?: string }> {
  try {
    const wiring = await wiringFor(ctx, { ...place, withHooks: true, withSkills: true })
    const plan = await ctx.clients.plan(clientChanges(wiring, 'remove'), { mode: 'remove', allowTracked: true })
    const touched = plan.filter(({ action }) => action !== 'none').map(({ path }) => path)
    return { connected: touched.includes(wiring.serverPath), files: touched }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { connected: false, files: [], problem: thrown.message }
  }
}
