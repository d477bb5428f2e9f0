import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { findForgettable } from '../find-forgettable.ts'
import { forgetThings } from '../forget-things.ts'
import { leaseTaken, withLease } from '../lease.ts'

const PATIENCE = 30_000
const SHOWN = 20

const match = z.object({
  kind: z.enum(['session', 'note']),
  path: z.string(),
  title: z.string(),
  session: z.string().optional(),
  client: z.string().optional(),
})

export const forget = defineOperation({
  name: 'forget',
  title: 'Forget sessions and notes',
  summary: 'Delete a session or note for good, also from later harvests.',
  details:
    'Takes a session id, a path, or a phrase of the text. Without --yes it only lists the matches; ' +
    'where the phrase stands nowhere it shows what holds all of its words, and removes none of that. ' +
    "Decisions are superseded, not forgotten, and the agents' own logs are not touched.",
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['machine', 'memory'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['what'],
  input: {
    what: z.string().trim().min(1).max(2000).describe('Session id, path, or text it contains.'),
    yes: z.boolean().default(false).describe('Delete it; without --yes nothing is removed.'),
    dry_run: z.boolean().default(false).describe('Only show what would be removed, even with --yes.'),
  },
  output: {
    by: z.enum(['id', 'path', 'phrase', 'words', 'nothing']),
    matches: z.array(match),
    removed: z.boolean(),
    proof: z
      .object({ looked_for: z.array(z.string()), searched: z.number().int(), left: z.array(z.string()) })
      .optional(),
  },
  examples: [
    { title: 'Look first', input: { what: 'project zebra' } },
    { title: 'Then do it', input: { what: 'project zebra', yes: true } },
  ],
  async run(ctx, input) {
    const parts = await ctx.upkeep()
    const done = await withLease(parts.lease, PATIENCE, async () => {
      const found = await findForgettable(ctx, parts, input.what)
      const isMeant = input.yes && !input.dry_run && found.matches.length > 0 && found.by !== 'words'
      return { found, proof: isMeant ? await forgetThings(ctx, parts, found.matches) : undefined }
    })
    if (done === undefined) throw leaseTaken()
    const { found, proof } = done
    if (found.matches.length === 0) throw nothingFound(input.what)
    return {
      by: found.by,
      matches: found.matches.map(({ kind, path, title, session }) => ({
        kind,
        path,
        title,
        ...(session && { session: session.session, client: session.client }),
      })),
      removed: proof !== undefined,
      ...(proof && { proof: { looked_for: [...proof.lookedFor], searched: proof.searched, left: [...proof.left] } }),
    }
  },
  render(output) {
    const rows = output.matches.slice(0, SHOWN).map(({ kind, title, path }) => `  ${kind}: ${title}\n    ${path}`)
    const rest = output.matches.length - SHOWN
    const head = `${plural(output.matches.length, 'match', 'matches')} by ${output.by}:`
    return [head, ...rows, ...(rest > 0 ? [`  and ${rest} more; see --json`] : []), '', outcome(output)].join('\n')
  },
  exit: (output) => (output.proof !== undefined && output.proof.left.length > 0 ? 1 : 0),
})

const nothingFound = (what: string): AppError =>
  new AppError('not_found', `No session or note matches "${what}".`, {
    hint: 'Find it with `ken search`, and quote a phrase from it.',
  })

function outcome({
  by,
  proof,
}: {
  by: string
  proof?: { looked_for: string[]; searched: number; left: string[] } | undefined
}): string {
  if (by === 'words')
    return 'Nothing was removed: they hold these words, but not the phrase. Name one by its id or path, or quote a phrase.'
  if (proof === undefined)
    return "Nothing was removed. Run it again with --yes to forget these; agents' own logs stay as they are."
  if (proof.left.length > 0) return `Removed, but traces are left in: ${proof.left.join(', ')}`
  if (proof.looked_for.length === 0)
    return 'Forgotten, also for later harvests. All of it stands elsewhere too, so there was nothing to look for.'
  const looked = `${plural(proof.looked_for.length, 'trace')} of it looked for in the bytes of ${plural(proof.searched, 'file')}`
  return `Forgotten, also for later harvests. ${looked}: none is left.`
}
