import { z } from 'zod'
import { AGENT_CLIENTS } from '../../kernel/domain/agent-client-name.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { resolvePlace, SCOPES } from '../domain/client.ts'
import { CLIENT_NAMES, CLIENTS, type ClientName } from '../domain/clients.ts'
import { findWiringIn } from '../find-wiring.ts'
import { projectPlace, usualScope } from './setup.ts'

const clientRow = z.object({
  client: z.string(),
  title: z.string(),
  present: z.boolean().describe('Whether it was found on this machine.'),
  scope: z.enum(SCOPES).describe('The default scope of setup.'),
  connected: z.array(z.enum(SCOPES)).describe('The settings file with Ken’s server.'),
  files: z.array(z.string()).describe('Files with entries, hooks or skills of Ken.'),
  answers: z.boolean().describe('It can answer as the analyst, as agent:<client>.'),
  problem: z.string().optional().describe('Why one of its files could not be looked at.'),
})

export const clientsList = defineOperation({
  name: 'clients_list',
  title: 'List coding agents',
  summary: 'List supported coding agents, installed and connected.',
  effect: 'read',
  words: 'own',
  needs: ['machine', 'record'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: { root: z.string().describe('Folder for project files.'), clients: z.array(clientRow) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { root, isProject } = await projectPlace(ctx)
    return { root, clients: await Promise.all(CLIENT_NAMES.map((name) => rowOf(ctx, name, { root, isProject }))) }
  },
  render: ({ clients }, _input, view = PLAIN) =>
    [
      ...table(
        clients.map((one) => [one.title, stateOf(one), one.files.join(', ')]),
        [
          { tone: 'title' },
          { tone: (at) => (clients[at]!.connected.length > 0 ? 'good' : 'dim') },
          { tone: 'dim', shrinks: true },
        ],
        view,
      ),
      `${operationNamed('setup')} connects one; with --dry-run it shows what would be written.`,
    ].join('\n'),
})

const stateOf = ({ connected, present, problem }: z.output<typeof clientRow>): string => {
  if (connected.length > 0) return `connected (${connected.join(', ')})`
  return problem ?? (present ? 'here, not connected' : 'not here')
}

async function rowOf(
  ctx: Given<'machine'>,
  client: ClientName,
  { root, isProject }: { readonly root: string; readonly isProject: boolean },
): Promise<z.output<typeof clientRow>> {
  const places = ctx.clients.places(root)
  const [signs, ...wired] = await Promise.all([
    Promise.all(CLIENTS[client].signs.map((sign) => ctx.clients.exists(resolvePlace(sign, places)))),
    ...SCOPES.map((scope) => findWiringIn(ctx, { client, scope, root })),
  ])
  const problem = wired.find((one) => one.problem !== undefined)?.problem
  return {
    client,
    title: CLIENTS[client].title,
    present: signs.includes(true),
    scope: usualScope(client, isProject),
    connected: SCOPES.filter((_, at) => wired[at]!.connected),
    files: [...new Set(wired.flatMap((one) => one.files))],
    answers: AGENT_CLIENTS.some((name) => name === client),
    ...(problem !== undefined && { problem }),
  }
}
