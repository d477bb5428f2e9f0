import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'

/** The origin of the named server, or of the one in the settings. */
export function serverNamed(ctx: Given, named: string | undefined): string {
  const server = named ?? String(ctx.settings.get('team.server').value)
  if (server !== '') return serverOrigin(server)
  throw new AppError('invalid_input', 'No team server given.', {
    hint: 'Pass --server https://ken.example.com, or set team.server.',
  })
}
